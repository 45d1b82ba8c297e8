"""What people are asked about faces, so as to tell how good annotations are: some of each subset, at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.evaluate.tables.annotations import AGREE, DIFFER, UNLABELLED, Annotations, Studied
from accord.queues import LOOKED_AT, LOOKS
from accord.release.source_tables import Sources
from accord.release.tables import Attributes
from accord.review.tables import Items
from accord.shards import opaque_id
from accord.statistics.seeds import lot

CHECK = "look_vote"


class Asked(NamedTuple):
    """A question for each face and attribute, which tells no annotation; and what is held against the answers."""

    review_items: DataFrame[Items]
    studied: DataFrame[Studied]


def run(
    annotations: DataFrame[Annotations], sources: DataFrame[Sources], attributes: DataFrame[Attributes],
    *, study: int, seed: int = 1,
) -> Asked:  # fmt: skip
    """Of each annotator and subset up to `study` faces on which it differs from the archive's label, as many on which
    it agrees, and as many without a label; nobody is asked about faces that it learnt from.

    Those with the smallest digest of seed and image are drawn, so that a withdrawal moves few. Attributes that
    reviewers can't be asked about (`queues.LOOKED_AT`) are left out. An item's id follows from image and attribute, so
    that votes last while annotators change.
    """
    rows = _compared(annotations, sources, attributes)
    digests = {image: lot(seed, image) for image in set(rows["image"])}
    ordered = rows.assign(digest=rows["image"].map(digests)).sort_values(["digest", "annotator"])
    stratum = ordered.groupby(["annotator", "subset", "drawn"], sort=True)
    sizes = stratum["image"].transform("size").astype(int)
    some = ordered.assign(size=sizes).loc[stratum.head(study).index]
    items = [_item(row) for row in some.drop_duplicates("item").sort_values("item").itertuples()]
    studied = some[list(table.arrow_schema(Studied).names)].sort_values(["annotator", "item"], ignore_index=True)
    return Asked(table.rows(items, Items), table.check(studied, Studied, "studied faces"))


def _compared(annotations: pd.DataFrame, sources: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    """Each annotation that people can be asked about, with its item, subset and label, and how the two compare."""
    asked = annotations["attribute"].isin(LOOKED_AT) & ~annotations["learnt"] & (annotations["value"] != "")
    own = attributes[["image", "attribute", "value"]].drop_duplicates().rename(columns={"value": "labelled"})
    single = own.drop_duplicates(["image", "attribute"], keep=False)
    found = annotations[asked].rename(columns={"value": "said"}).merge(single, how="left", on=["image", "attribute"])
    found = found.merge(sources[["image", "subset"]], on="image").fillna({"labelled": ""})
    alike = np.where(found["said"] == found["labelled"], AGREE, DIFFER)
    items = [opaque_id("item", LOOKS, *pair) for pair in zip(found["image"], found["attribute"], strict=True)]
    return found.assign(item=items, drawn=np.where(found["labelled"] == "", UNLABELLED, alike))


def _item(row: object) -> dict:
    told = {name: getattr(row, name) for name in ("item", "image", "subject")}
    none = {"other": "", "region": "", "polygon": [], "score": None, "threshold": None, "reason": ""}
    return {**told, **none, "queue": LOOKS, "check": CHECK, "kind": getattr(row, "attribute")}  # noqa: B009
