"""Settle what was seen in a shard: what people are asked, what they decided, and what that makes of each image."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.looking import logos
from accord.checks.settling import decisions, items, local, occasions, regions, settle, subjects, web
from accord.checks.tables.findings import (
    Answers,
    Clothes,
    Decisions,
    Findings,
    Fingerprints,
    Images,
    Items,
    LogosSeen,
    Looks,
    Occasions,
    Proposals,
    Regions,
)  # fmt: skip
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.intake.tables import Attributes
from accord.intake.tables import Regions as DrawnRegions


class Settled(NamedTuple):
    """Findings, questions and decisions of the shard; `images`: those that go on to checks across shards."""

    logos: DataFrame[Findings]
    logos_proposals: DataFrame[Proposals]
    web: DataFrame[Findings]
    review_items: DataFrame[Items]
    decisions: DataFrame[Decisions]
    settled: DataFrame[Findings]
    regions: DataFrame[Regions]
    subjects: DataFrame[Findings]
    images: DataFrame[Images]
    occasions: DataFrame[Findings]
    occasion_pairs: DataFrame[Occasions]


def run(
    images: DataFrame[Images],
    cleared: DataFrame[Images],
    drawn: DataFrame[DrawnRegions],
    attributes: DataFrame[Attributes],
    findings: DataFrame[Findings],
    proposals: DataFrame[Proposals],
    logos_seen: DataFrame[LogosSeen],
    answers: DataFrame[Answers],
    fingerprints: DataFrame[Fingerprints],
    looks: DataFrame[Looks],
    clothes: DataFrame[Clothes],
    *,
    web_list: Path | None = None,
    vault: Private,
    logo_score: float,
    see_all: bool,
    policies: dict,
    max_distance: int,
    max_images_per_subject: int,
    min_days_between: int,
    occasion_limits: dict,
    min_inliers: int,
) -> Settled:
    """What machines found, what people decided (from the vault), and what settings say where nobody did.

    `findings`, `proposals`: of all that looked at single pictures; `cleared`: the images that they could look at;
    `drawn`: annotators' regions; `answers`: of an outside service, on logos and the web. docs/review.md says what
    becomes of each question.
    """
    brands = logos.judged(cleared, logos_seen, answers, drawn, logo_score)
    elsewhere = web.run(images, fingerprints, answers, web_list=web_list, max_distance=max_distance)
    every = _joined(Findings, findings, brands.findings, elsewhere)
    asked = items.run(images, every, _joined(Proposals, proposals, brands.proposals), see_all=see_all)
    said = decisions.run(images, vault=vault)
    settled = settle.run(images, every, asked, said, policies=policies)
    days = subjects.run(
        images, fingerprints, settled, max_images_per_subject=max_images_per_subject, min_days_between=min_days_between,
        max_distance=max_distance,
    )  # fmt: skip
    both = _joined(Findings, settled, days)
    alike = occasions.run(
        cleared, looks, clothes, attributes, fingerprints, both, occasions=occasion_limits, min_inliers=min_inliers,
        max_distance=max_distance,
    )  # fmt: skip
    painted = regions.run(drawn, asked, said, policies=policies)
    left = local.run(images, both)
    return Settled(*brands, elsewhere, asked, said, settled, painted, days, left, *alike)


def _joined(model: type[table.Table], *parts: pd.DataFrame) -> pd.DataFrame:
    filled = [part for part in parts if len(part)]
    return table.check(pd.concat(filled, ignore_index=True), model, model.__name__) if filled else table.empty(model)
