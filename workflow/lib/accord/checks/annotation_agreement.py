"""How far annotators agree with reviewers, and with each other: by type of annotation, vendor and group."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandera.typing import DataFrame

from accord.checks.agreement import marks as drawing
from accord.checks.agreement import passes as further
from accord.checks.agreement.figures import ALL, Draws, of_pairs, of_values
from accord.checks.agreement.pairs import similarities
from accord.checks.tables.agreement import Agreement
from accord.checks.tables.findings import Decisions
from accord.checks.tables.summary import AGREEMENT, Drawn
from accord.checks.tables.views import Sizes
from accord.engine import table
from accord.grouping import groups_of
from accord.imaging.decode import upright_size
from accord.imaging.person_masks import areas
from accord.intake.tables import Attributes, Keypoints, People, Segments

MODELS = (People, Keypoints, Segments, Attributes)
"""Of `marks.SOURCES`."""


def run(
    images: DataFrame[Sizes],
    people: list[Path],
    keypoints: list[Path],
    segments: list[Path],
    attributes: list[Path],
    drawn: DataFrame[Drawn],
    decisions: DataFrame[Decisions],
    passes: list[Path],
    *,
    names: list[str],
    min_subjects: int,
    bootstraps: int,
    seed: int,
) -> DataFrame[Agreement]:
    """Agreement of everything that more than one person drew or said, in the images that consent lets pass.

    people, keypoints, segments, attributes: tables of intake; drawn, decisions: the sample, and what reviewers drew
    there; passes: CSV files of further annotators (accord.checks.agreement.passes). names: attributes by whose groups
    it is told. What has been drawn once only is left out.
    """
    more = _again(images, drawn[drawn["sample"] == AGREEMENT], decisions, passes)
    looked_at = images[images["image"].isin(more["image"])].set_index("image")
    these = pc.field("image").isin(pa.array(looked_at.index, pa.string()))
    given = zip(drawing.SOURCES, (people, keypoints, segments, attributes), MODELS, strict=True)
    tables = {name: table.read(paths, model, these) for name, paths, model in given}
    every = _together(drawing.delivered(looked_at["vendor"], tables), more)
    own = tables["segments"]
    pairs = similarities(every, _sizes(looked_at), areas(own) if len(own) else pd.Series(dtype=float))
    groups = _groups(looked_at.reset_index(), tables["people"], tables["attributes"], names)
    draws = Draws(min_subjects, bootstraps, seed)
    rows = [*of_pairs(pairs, groups, draws), *of_values(every, groups, draws)]
    return table.rows(rows, Agreement)


def _again(images: pd.DataFrame, drawn: pd.DataFrame, decisions: pd.DataFrame, passes: list[Path]) -> pd.DataFrame:
    """What was drawn or said besides the delivery, of images that consent lets pass."""
    more = _together(further.read(passes), drawing.reviewed(drawn, decisions))
    return more[more["image"].isin(images["image"])]


def _together(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
    """Both tables of Marks, what is in both once."""
    every = pd.concat([part for part in (one, two) if len(part)] or [one], ignore_index=True)
    return every.drop_duplicates(["image", "subject", "annotator", "kind", "part", "value"])


def _sizes(images: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Image -> height, width of the upright picture."""
    return {row.Index: upright_size(row.width, row.height, row.orientation)[::-1] for row in images.itertuples()}


def _groups(images: pd.DataFrame, people: pd.DataFrame, attributes: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """image, whose (its primary subject), attribute, group of them, and the group of all."""
    parts = [images[["image", "subject"]].assign(attribute=ALL, group=ALL)]
    for name in names:
        found = groups_of(people, attributes, name).merge(images[["image", "subject"]], on=["image", "subject"])
        parts.append(found[["image", "subject", "attribute", "group"]])
    return pd.concat(parts, ignore_index=True).rename(columns={"subject": "whose"})
