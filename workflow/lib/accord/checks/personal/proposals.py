"""Regions that a detector proposes to paint out, and the question that they put to a person."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from accord.checks.deciding.limits import Finding, passed
from accord.checks.tables.findings import Findings, Proposals
from accord.engine import table
from accord.findings import REVIEW
from accord.imaging.masks import covered
from accord.shards import opaque_id

ENOUGH, ENOUGH_OF_BODY = 0.9, 0.5
"""Share of what was seen that annotators' regions must cover for nobody to be asked: what is left of half a plate can
be read. Of people, whose boxes hold much that isn't them, half of the face or trunk."""
BYSTANDER = "bystander"


class Seen(NamedTuple):
    """What a detector saw. `polygon`: x0, y0, x1, y1, ... px of the upright image; score and threshold, 0 to 1, of the
    detector; `reason`: what it is taken for, without the text that was read; `parts`: outlines, each of which regions
    must cover, where the polygon is larger than what was seen."""

    kind: str
    polygon: tuple[float, ...]
    detector: str
    score: float
    threshold: float
    reason: str
    parts: tuple[tuple[float, ...], ...] = ()


def proposals(seen: Mapping[str, Iterable[Seen]], regions: pd.DataFrame) -> pd.DataFrame:
    """Table Proposals of what was seen in each image, at or above its threshold. `regions`: table of intake's.

    What is seen twice at one place by one detector is one proposal, that with the higher score.
    """
    drawn = regions.groupby("image")["polygon"].apply(list).to_dict() if len(regions) else {}
    best: dict[str, dict] = {}
    for image in sorted(seen):
        for one in sorted(seen[image], key=lambda one: (-one.score, one)):
            if one.score >= one.threshold:
                region = region_id(image, one)
                share = min(covered(part, drawn.get(image, [])) for part in one.parts or (one.polygon,))
                best.setdefault(region, {"image": image, "region": region, "covered": share, **_told(one)})
    rows = [{**row, "polygon": list(row["polygon"])} for row in best.values()]
    return table.rows(sorted(rows, key=lambda row: (row["image"], row["region"])), Proposals)


def is_open(proposed: pd.DataFrame) -> pd.Series:
    """Whether people are asked about each of Proposals: annotators' regions don't cover enough of it."""
    return proposed["covered"] < proposed["kind"].map({BYSTANDER: ENOUGH_OF_BODY}).fillna(ENOUGH).astype(float)


def _told(seen: Seen) -> dict:
    return {name: value for name, value in seen._asdict().items() if name != "parts"}


def region_id(image: str, seen: Seen) -> str:
    """The opaque id of a proposal: the same for the same image, detector, kind and place, to the pixel."""
    place = ",".join(str(round(value)) for value in seen.polygon)
    return opaque_id("proposal", image, seen.detector, seen.kind, place)


def box(left: float, top: float, right: float, bottom: float) -> tuple[float, ...]:
    """The polygon of an upright box, px."""
    return (left, top, right, top, right, bottom, left, bottom)


def questions(images: Iterable[str], proposed: pd.DataFrame, check: str, what: str) -> pd.DataFrame:
    """Table Findings: one row of `check` per image. `review` where a proposal is not covered by annotators' regions.

    `what`: name of the thing in the plural, `logos`; score and threshold: those of the surest proposal that is asked
    about.
    """
    waiting = proposed[is_open(proposed)].sort_values(["score", "threshold"])
    asked = waiting.groupby("image").agg(
        score=("score", "last"), threshold=("threshold", "last"), count=("score", "size")
    )
    findings = []
    for image in sorted(images):
        if image in asked.index:
            score, threshold, count = asked.loc[image]
            reason = f"{count:.0f} possible {what} outside the annotated regions"
            findings.append(Finding(image, check, score, threshold, REVIEW, reason))
        else:
            findings.append(passed(image, check, f"no {what} outside the annotated regions"))
    return table.rows(findings, Findings)
