"""Settle what people were asked about in a shard: what wants a review passes, fails, or goes on waiting."""

from pandera.typing import DataFrame

from accord.checks.deciding.apply_decisions import settled
from accord.checks.settling.items import with_seen
from accord.checks.tables.findings import Decisions, Findings, Images, Items


def run(
    images: DataFrame[Images],
    findings: DataFrame[Findings],
    review_items: DataFrame[Items],
    decisions: DataFrame[Decisions],
    *,
    policies: dict,
) -> DataFrame[Findings]:
    """All findings, settled by decisions and, where there is none, by `policies` (queue -> hold, drop, pass, paint)."""
    subjects = dict(zip(images["image"], images["subject"], strict=True))
    return settled(findings, with_seen(review_items, images, decisions), decisions, policies, subjects)
