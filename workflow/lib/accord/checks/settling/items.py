"""What people are to decide on in a shard: findings that want a review, the regions that detectors propose, and, where
all are to be seen, every image."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import queue_of
from accord.checks.personal import overlaps
from accord.checks.personal.proposals import is_open
from accord.checks.tables.findings import Findings, Images, Items, Proposals
from accord.engine import table
from accord.findings import FAIL, REVIEW
from accord.queues import OBJECTIONABLE
from accord.shards import opaque_id

LOGO, PERSONAL_DATA = "logo", "personal_data"
"""The checks whose detectors propose regions: what is no logo is personal data."""

UNSEEN = "every image is seen before it is published"

ORDER = ["queue", "image", "region", "other", "check", "item"]


def run(
    images: DataFrame[Images],
    findings: DataFrame[Findings],
    proposals: DataFrame[Proposals],
    *,
    see_all: bool = False,
) -> DataFrame[Items]:
    """One item per proposal that annotators' regions do not cover, and one per other finding that wants a review;
    with `see_all` also one per image, for people to see whether it is objectionable.

    `findings`: unique in image and check. Nobody is asked about images that one of them fails.
    """
    stopped = set(findings.loc[findings["verdict"] == FAIL, "image"])
    subjects = dict(zip(images["image"], images["subject"], strict=True))
    proposed = list(_of_proposals(proposals[~proposals["image"].isin(stopped)], subjects))
    told = {(item["image"], item["check"]) for item in proposed}
    wanted = findings[(findings["verdict"] == REVIEW) & ~findings["image"].isin(stopped)]
    rest = [row for row in wanted.itertuples() if (row.image, row.check) not in told]
    every = map(_to_be_seen, images[~images["image"].isin(stopped)].itertuples()) if see_all else ()
    return ordered([*proposed, *(of_finding(row, subjects) for row in rest), *every])


def with_seen(items: pd.DataFrame, images: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """The items of a shard, and those of images that people saw while all were to be seen: what they found holds."""
    said = images[images["image"].isin(decisions.loc[decisions["queue"] == OBJECTIONABLE, "image"])]
    seen = [item for item in map(_to_be_seen, said.itertuples()) if item["item"] in set(decisions["item"])]
    more = [item for item in seen if item["item"] not in set(items["item"])]
    return ordered([*items.to_dict("records"), *more]) if more else items


def _to_be_seen(image: Any) -> dict:
    """The item of an image (a row of Images): another one where its file is another, whatever else is found of it."""
    return {
        "item": item_id(OBJECTIONABLE, image.image, "", "", image.sha256),
        "queue": OBJECTIONABLE,
        "image": image.image,
        "subject": image.subject,
        "other": "",
        "region": "",
        "check": OBJECTIONABLE,
        "kind": "",
        "polygon": [],
        "score": None,
        "threshold": None,
        "reason": UNSEEN,
    }


def _of_proposals(proposals: pd.DataFrame, subjects: dict[str, str]) -> Iterator[dict]:
    for row in proposals[is_open(proposals)].itertuples():
        check = _check_of(row)
        queue = queue_of(check)
        yield {
            "item": item_id(queue, row.image, "", row.region),
            "queue": queue,
            "image": row.image,
            "subject": subjects[row.image],
            "other": "",
            "region": row.region,
            "check": check,
            "kind": row.kind,
            "polygon": row.polygon,
            "score": row.score,
            "threshold": row.threshold,
            "reason": row.reason,
        }


def _check_of(proposal: Any) -> str:
    if proposal.detector == overlaps.DETECTOR:
        return overlaps.CHECK
    return LOGO if proposal.kind == LOGO else PERSONAL_DATA


def item_id(queue: str, image: str, other: str = "", region: str = "", *more: str) -> str:
    """The opaque id of an item, the same in every run; `more`: what else a decision on it is about."""
    return opaque_id("item", queue, image, other, region, *more)


def ordered(items: list[dict]) -> DataFrame[Items]:
    """The table Items of records, each once, in its order."""
    made = table.rows(items, Items)
    return made.sort_values(ORDER, ignore_index=True)


def of_finding(finding: Any, subjects: dict[str, str], other: str = "", kind: str = "", unit: str = "") -> dict:
    """The record of Items of a finding (a row): it is about the whole image, or about it and the `other` image, or
    about all images of a `unit` of several people."""
    queue = queue_of(finding.check)
    return {
        "item": item_id(queue, finding.image, other, unit, finding.check),
        "queue": queue,
        "image": finding.image,
        "subject": subjects[finding.image],
        "other": other,
        "region": unit,
        "check": finding.check,
        "kind": kind or finding.check,
        "polygon": [],
        "score": finding.score,
        "threshold": finding.threshold,
        "reason": finding.reason,
    }
