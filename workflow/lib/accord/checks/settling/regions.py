"""What is painted out in the images of a shard: annotators' regions, and what people confirmed of those proposed."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.policies import PAINT, policy_of
from accord.checks.personal.overlaps import CHECK as OVERLAP
from accord.checks.tables.findings import ASKED, KEPT, PAINTED_OVER, Decisions, Items, Regions
from accord.engine import table
from accord.imaging.masks import covered
from accord.intake.tables import REGION_KINDS
from accord.intake.tables import Regions as DrawnRegions
from accord.queues import DISMISS, REGION_QUEUES, UPHOLD
from accord.shards import opaque_id

OTHER = "other"
NOBODY = ""
"""The annotator of regions that people confirmed: who it was stays in the vault."""
LEAST = 0.1
"""Share of what they were asked about that people's outlines must cover to take its place."""
AS_PROPOSED = -1
"""The number of a region that is painted as it was proposed, beside those that people drew from 0 on."""


def run(
    regions: DataFrame[DrawnRegions], review_items: DataFrame[Items], decisions: DataFrame[Decisions], *, policies: dict
) -> DataFrame[Regions]:
    """The regions of annotators, those that were confirmed as people corrected or drew them, and, where the policy is
    to paint, those that nobody decided on. Items and decisions of other queues play no part. Who confirms a region and
    outlines something else has confirmed it all the same: it is painted as it was proposed, too.

    Where people were asked about a region of annotators over which segments lie: their outlines take its place, or, if
    they dismissed it, the segments stay. Undecided, all of it is painted.
    """
    asked = review_items[review_items["queue"].isin(REGION_QUEUES)]
    over = set(asked.loc[asked["check"] == OVERLAP, "item"])
    said = decisions[decisions["item"].isin(asked["item"])]
    upheld = said[said["decision"] == UPHOLD]
    open_ones = asked[~asked["item"].isin(decisions["item"]) & ~asked["item"].isin(over)]
    upheld = upheld[upheld["polygon"].map(len) > 0]
    missed = asked[asked["item"].isin(_missed(asked, upheld))]
    more = [
        *(_decided(row, row.item in over) for row in upheld.itertuples()),
        *(_decided(row, row.item in over) for row in missed.assign(number=AS_PROPOSED).itertuples()),
        *_by_policy(open_ones, policies),
    ]
    rows = [*_drawn(regions, said[said["item"].isin(over)]), *(row for row in more if len(row["polygon"]))]
    return table.rows(sorted(rows, key=lambda row: (row["image"], row["region"])), Regions)


def _missed(asked: pd.DataFrame, upheld: pd.DataFrame) -> Iterator[str]:
    """The upheld items of whose region people's outlines cover hardly anything."""
    drawn = upheld.groupby("item")["polygon"].agg(list).to_dict()
    for item in asked[asked["item"].isin(drawn)].itertuples():
        if len(item.polygon) and covered(item.polygon, drawn[item.item]) < LEAST:
            yield item.item


def _drawn(regions: pd.DataFrame, said: pd.DataFrame) -> Iterator[dict]:
    """Annotators' regions; `said`: decisions on those over which segments lie."""
    decision = dict(zip(said["region"], said["decision"], strict=True))
    for region in regions.to_dict("records"):
        if decision.get(region["region"]) != UPHOLD:
            is_kept = decision.get(region["region"]) == DISMISS
            yield {**region, "segments": KEPT if is_kept else PAINTED_OVER}


def _decided(decision: Any, is_whole: bool) -> dict:
    """A region as somebody confirmed it; `is_whole`: whatever lies over it. Its id changes with its outline, as what is
    painted does.
    """
    outline = ",".join(repr(float(value)) for value in decision.polygon)
    return {
        "image": decision.image,
        "region": opaque_id("confirmed", decision.item, str(decision.number), decision.kind, outline),
        "kind": decision.kind if decision.kind in REGION_KINDS else OTHER,
        "polygon": decision.polygon,
        "annotator": NOBODY,
        "segments": PAINTED_OVER if is_whole else ASKED,
    }


def _by_policy(items: pd.DataFrame, policies: Mapping[str, str]) -> Iterator[dict]:
    for item in items.itertuples():
        if policy_of(item.queue, policies, has_region=len(item.polygon) > 0) == PAINT:
            shown = {"image": item.image, "region": item.region, "kind": item.kind, "polygon": item.polygon}
            yield {**shown, "annotator": NOBODY, "segments": ASKED}
