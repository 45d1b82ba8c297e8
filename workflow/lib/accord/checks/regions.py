"""What is painted out in the images of a shard: annotators' regions, and what people confirmed of those proposed."""

from collections.abc import Iterator, Mapping

import pandas as pd
from pandera.typing import DataFrame

from accord import table
from accord.checks.policies import PAINT, policy_of
from accord.checks.tables import Decisions, Items, Regions
from accord.intake.tables import REGION_KINDS
from accord.review.tables import REGION_QUEUES, UPHOLD
from accord.shards import opaque_id

OTHER = "other"
NOBODY = ""
"""The annotator of regions that people confirmed: who it was stays in the vault."""


def run(
    regions: DataFrame[Regions], items: DataFrame[Items], decisions: DataFrame[Decisions], *, policies: dict
) -> DataFrame[Regions]:
    """The regions of annotators, those that were confirmed as people corrected or drew them, and, where the policy is
    to paint, those that nobody decided on. Items and decisions of other queues play no part.
    """
    asked = items[items["queue"].isin(REGION_QUEUES)]
    upheld = decisions[decisions["item"].isin(asked["item"]) & (decisions["decision"] == UPHOLD)]
    open_ones = asked[~asked["item"].isin(decisions["item"])]
    more = [*map(_decided, upheld.itertuples()), *_by_policy(open_ones, policies)]
    rows = [*regions.to_dict("records"), *(row for row in more if len(row["polygon"]))]
    return table.rows(sorted(rows, key=lambda row: (row["image"], row["region"])), Regions)


def _decided(decision) -> dict:
    """A region as somebody confirmed it: its id changes with its outline, as what is painted does."""
    outline = ",".join(repr(float(value)) for value in decision.polygon)
    return {
        "image": decision.image,
        "region": opaque_id("confirmed", decision.item, str(decision.number), decision.kind, outline),
        "kind": decision.kind if decision.kind in REGION_KINDS else OTHER,
        "polygon": decision.polygon,
        "annotator": NOBODY,
    }


def _by_policy(items: pd.DataFrame, policies: Mapping[str, str]) -> Iterator[dict]:
    for item in items.itertuples():
        if policy_of(item.queue, policies, has_region=len(item.polygon) > 0) == PAINT:
            shown = {"image": item.image, "region": item.region, "kind": item.kind, "polygon": item.polygon}
            yield {**shown, "annotator": NOBODY}
