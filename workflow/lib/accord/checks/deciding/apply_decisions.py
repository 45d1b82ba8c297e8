"""From findings that want a review to verdicts: by what people decided, else by the policy of the queue.

An image with several items of one check has the worst of what they come to. A finding about which nobody is asked stays
as it is.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from accord.check_names import SAME_OCCASION, is_of_subject
from accord.checks.deciding.policies import WORDS, policy_of
from accord.checks.tables.findings import Findings
from accord.engine import table
from accord.findings import FAIL, PASS, REVIEW
from accord.queues import DISMISS, DROP, OBJECTIONABLE, REGION_QUEUES, UPHOLD

SEVERITY = {PASS: 0, REVIEW: 1, FAIL: 2}
SAID = {
    DISMISS: (PASS, "dismissed by a person"),
    UPHOLD: (FAIL, "confirmed by a person"),
    DROP: (FAIL, "excluded by a person"),
}
PAINTED = (PASS, "confirmed by a person, painted over")
SHARED = ", as another image of its subject"


class Outcome(NamedTuple):
    """What an item comes to: the verdict, and why."""

    verdict: str
    why: str


Outcomes = dict[tuple[str, str], Outcome]


class _Sharing(NamedTuple):
    """With whom an image shares what becomes of it: its subject, or a unit of several people."""

    subjects: Mapping[str, str]
    units: Mapping[tuple[str, str], str]

    def of_image(self, image: str, check: str) -> str:
        return self.units.get((image, check)) or self.subjects.get(image, "")

    def of_item(self, item: Any) -> str:
        return self.units.get((item.image, item.check)) or item.subject


def settled(
    findings: pd.DataFrame,
    items: pd.DataFrame,
    decisions: pd.DataFrame,
    policies: Mapping[str, str],
    subjects: Mapping[str, str],
    units: Mapping[tuple[str, str], str] | None = None,
) -> pd.DataFrame:
    """The table Findings, each that wants a review turned into what its items come to; those settled before stay.

    Tables Findings, Items, Decisions (those on no item play no part); policies: queue -> policy; subjects: image ->
    subject. Of a pair of images both count as the item does, but of two of one occasion only the later. Checks that
    stop all images of a subject for one of them stop them all, and those of several people (`units`: image and check ->
    unit) all images of the unit. Where people are asked about a region, or whether an
    image is objectionable, and the check said nothing of the image, it does now; what was drawn by lot for them to look
    at holds no image.
    """
    found = list(outcomes(items, decisions, policies))
    asked = _worst(((image, item.check), outcome) for item, outcome in found for image in _concerned(item))
    of_image = _Sharing(subjects, units or {})
    shared = _worst(((of_image.of_item(item), item.check), out) for item, out in found if is_of_subject(item.check))
    concerned = (findings["verdict"] == REVIEW) | findings["check"].isin({check for _, check in shared})
    rows = [_settled(row, asked, shared, of_image) for row in findings[concerned].to_dict("records")]
    rows += [_row(item, asked) for item in _without_finding(items, findings).itertuples()]
    made = [part for part in (findings[~concerned], table.rows(rows, Findings)) if len(part)]
    both = pd.concat(made, ignore_index=True) if made else findings
    return both.sort_values(["image", "check"], ignore_index=True)


def unit_of_image(pattern_images: pd.DataFrame | None) -> dict[tuple[str, str], str]:
    """Image and check -> unit, of a table PatternImages; nothing without one."""
    rows = [] if pattern_images is None else pattern_images.itertuples()
    return {(row.image, row.check): row.unit for row in rows}


def _concerned(item: Any) -> tuple[str, ...]:
    return (item.image,) if item.check == SAME_OCCASION else (item.image, item.other)


def _without_finding(items: pd.DataFrame, findings: pd.DataFrame) -> pd.DataFrame:
    """The first item about a region, or an image to be seen, of each image and check without a finding."""
    holding = (items["polygon"].map(len) > 0) | (items["queue"] == OBJECTIONABLE)
    regions = items[holding].drop_duplicates(["image", "check"])
    theirs = findings.loc[findings["image"].isin(regions["image"]), ["image", "check"]]
    known = set(theirs.itertuples(index=False, name=None))
    return regions.loc[[key not in known for key in zip(regions["image"], regions["check"], strict=True)]]


def outcomes(items: pd.DataFrame, decisions: pd.DataFrame, policies: Mapping[str, str]) -> Iterator[tuple]:
    """(item, what it comes to)."""
    said = dict(zip(decisions["item"], decisions["decision"], strict=True))
    drawn = set(decisions.loc[decisions["polygon"].map(len) > 0, "item"])
    for item in items.itertuples():
        if item.item not in said:
            policy = policy_of(item.queue, policies, has_region=len(item.polygon) > 0)
            yield item, Outcome(*WORDS[policy])
        elif said[item.item] == UPHOLD and item.queue in REGION_QUEUES and item.item in drawn:
            yield item, Outcome(*PAINTED)
        else:
            yield item, Outcome(*SAID[said[item.item]])


def _worst(found: Iterable[tuple[tuple[str, str], Outcome]]) -> Outcomes:
    worst: Outcomes = {}
    for key, outcome in found:
        worst[key] = max(worst.get(key, outcome), outcome, key=_severity)
    return worst


def _severity(outcome: Outcome) -> int:
    return SEVERITY[outcome.verdict]


def _settled(row: dict[str, Any], asked: Outcomes, shared: Outcomes, sharing: _Sharing) -> dict[str, Any]:
    """A finding (a record) after its own items, and those of its subject's other images."""
    outcome = asked.get((row["image"], row["check"])) if row["verdict"] == REVIEW else None
    others = shared.get((sharing.of_image(row["image"], row["check"]), row["check"]))
    stricter = others and _severity(others) > SEVERITY.get(outcome.verdict if outcome else row["verdict"], 0)
    if others and row["verdict"] != FAIL and (stricter or (row["verdict"] == REVIEW and outcome is None)):
        outcome = Outcome(others.verdict, f"{others.why}{SHARED if outcome else ''}")
    if outcome is None or row["reason"].endswith(outcome.why):
        return row
    return {**row, "verdict": outcome.verdict, "reason": f"{row['reason']}: {outcome.why}"}


def _row(item: Any, asked: Outcomes) -> dict[str, Any]:
    """The finding on an image of whose items alone something is known."""
    outcome = asked[item.image, item.check]
    told = {"score": item.score, "threshold": item.threshold, "reason": f"{item.reason}: {outcome.why}"}
    return {"image": item.image, "check": item.check, "verdict": outcome.verdict, **told}
