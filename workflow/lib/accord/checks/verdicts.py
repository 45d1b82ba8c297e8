"""Turn all findings up to here into one verdict per delivered image."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import is_of_subject
from accord.checks.deciding.apply_decisions import settled, unit_of_image
from accord.checks.deciding.judge import delivered, judge, refuse_strangers
from accord.checks.tables.findings import Decisions, Findings, Items, Verdicts
from accord.checks.tables.summary import PatternImages
from accord.checks.tables.views import Whose
from accord.engine import table
from accord.errors import AccordError, Problem
from accord.findings import FAIL, PASS, REVIEW
from accord.intake.tables import Refused


class Judged(NamedTuple):
    """The verdicts, and what became of the findings that wanted a review."""

    verdicts: DataFrame[Verdicts]
    settled: DataFrame[Findings]


class Found(NamedTuple):
    """Findings that can stop an image; all images that have any, and those that were decoded."""

    deciding: pd.DataFrame
    images: set[str]
    decoded: set[str]


def run(
    images: DataFrame[Whose],
    refused: DataFrame[Refused],
    findings: list[Path],
    review_items: DataFrame[Items],
    decisions: DataFrame[Decisions],
    *,
    policies: dict,
    pattern_images: Path | None = None,
) -> Judged:
    """One row per delivered image, refused ones too: the first check that stopped it (accord.check_names).

    findings: tables Findings. Those of checks that gather shards are settled here: by decisions, else by `policies`.
    pattern_images: table PatternImages.
    Raises AccordError where an image would pass that nobody ever decoded.
    """
    units = table.read(pattern_images, PatternImages) if pattern_images else None
    tables = (table.read(path, Findings) for path in findings)
    return judged(images, refused, tables, review_items, decisions, policies, units)


def judged(
    images: pd.DataFrame,
    refused: pd.DataFrame,
    findings: Iterable[pd.DataFrame],
    review_items: pd.DataFrame,
    decisions: pd.DataFrame,
    policies: dict,
    units: pd.DataFrame | None = None,
) -> Judged:
    """As `run`, of tables Findings one after the other."""
    found = _gathered(findings, review_items)
    subjects = dict(zip(images["image"], images["subject"], strict=True))
    asked = found.deciding.loc[found.deciding["verdict"] == REVIEW, ["image", "check"]]
    final = settled(found.deciding, review_items, decisions, policies, subjects, unit_of_image(units))
    start = delivered(images, refused)
    refuse_strangers(start, found.images)
    verdicts = judge(start, final)
    _refuse_unseen(verdicts, found.decoded)
    return Judged(verdicts, final.merge(asked, on=["image", "check"]))


def _gathered(findings: Iterable[pd.DataFrame], items: pd.DataFrame) -> Found:
    """Most findings let their image pass, whatever people decide: of a million images, they don't fit in memory."""
    asked = {*items["image"], *items["other"]}
    shared = [check for check in items["check"].unique() if is_of_subject(check)]
    parts, images, decoded = [table.empty(Findings)], set(), set()
    for part in findings:
        deciding = part["verdict"].isin((FAIL, REVIEW)) | part["check"].isin(shared) | table.among(part["image"], asked)
        parts.append(part[deciding])
        images.update(part["image"].unique())
        decoded.update(part.loc[part["check"] == "decode", "image"])
    filled = [part for part in parts if len(part)] or parts
    return Found(table.check(pd.concat(filled, ignore_index=True), Findings, "findings"), images, decoded)


def _refuse_unseen(verdicts: pd.DataFrame, decoded: set[str]) -> None:
    passing = set(verdicts.loc[verdicts["verdict"] == PASS, "image"])
    unseen = sorted(passing - decoded)
    if unseen:
        what = f"{len(unseen)} image(s) were lost, neither stopped nor checked; the first is {unseen[0]}"
        raise AccordError(Problem("verdicts", what, "a step dropped images without a finding: rerun it"))
