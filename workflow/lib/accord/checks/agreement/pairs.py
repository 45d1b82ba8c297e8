"""Every annotator against the mean of the reviewers, and every pair of annotators and of reviewers."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import pandas as pd

from accord.checks.agreement import similarities as alike
from accord.checks.agreement.marks import FACE_BOX, KEYPOINTS, PERSON_BOX, PERSON_MASK, VISIBLE
from accord.checks.tables.agreement import AGAINST, BETWEEN, REVIEWER, REVIEWERS, WITHIN
from accord.vocabularies import ATTRIBUTES

FEWEST_REVIEWERS = 2
COLUMNS = ["kind", "metric", "comparison", "vendor", "image", "subject", "value"]

Size = tuple[int, int]
"""height, width of an upright image, px"""


class Said(NamedTuple):
    """What one person made of a thing: who they are, and the box, mask, points or values that they drew or said."""

    annotator: str
    vendor: str
    role: str
    what: Any


Compare = Callable[[Any, Any, bool], dict[str, float]]
"""(found, reference, whether both are of the same standing) -> metric -> value"""


def similarities(marks: pd.DataFrame, sizes: dict[str, Size], areas: pd.Series) -> pd.DataFrame:
    """One row per metric and pair: `COLUMNS`. `vendor`: of the annotator, of both, or "" of two and of reviewers.

    marks: table Marks; sizes: of each image; areas: px^2 of a person's segments by (image, subject), for OKS.
    """
    rows: list[tuple] = []
    for (kind, image, subject), some in marks.groupby(["kind", "image", "subject"], sort=True):
        people = [_said(kind, own, sizes[image]) for _, own in some.groupby(["role", "annotator"], sort=True)]
        compare = _compare(kind, float(areas.get((image, subject), float("nan"))))
        found = _compared(kind, people, compare)
        rows += [(kind, metric, *who, image, subject, value) for who, both in found for metric, value in both.items()]
    made = pd.DataFrame(rows, columns=COLUMNS)
    return made[made["value"].notna()].reset_index(drop=True)


def _compared(kind: str, people: list[Said], compare: Compare) -> Iterator[tuple[tuple[str, str], dict[str, float]]]:
    reviewers = [said for said in people if said.role == REVIEWER]
    annotators = [said for said in people if said.role != REVIEWER]
    if len(reviewers) >= FEWEST_REVIEWERS:
        mean = _mean(kind, [said.what for said in reviewers])
        for said in annotators if mean else ():
            yield (AGAINST, said.vendor), compare(said.what, mean, False)
    for left, right in combinations(reviewers, 2):
        yield (REVIEWERS, ""), compare(left.what, right.what, True)
    for left, right in combinations(annotators, 2):
        same = left.vendor == right.vendor
        yield (WITHIN, left.vendor) if same else (BETWEEN, ""), compare(left.what, right.what, True)


def _said(kind: str, own: pd.DataFrame, size: Size) -> Said:
    first = own.iloc[0]
    return Said(first["annotator"], first["vendor"], first["role"], _what(kind, own, size))


def _what(kind: str, own: pd.DataFrame, size: Size) -> Any:
    if kind in (FACE_BOX, PERSON_BOX):
        return alike.box_of(list(own["polygon"].iloc[0]))
    if kind == PERSON_MASK:
        return alike.mask_of(own["polygon"], *size)
    if kind == KEYPOINTS:
        seen = own[own["value"] == VISIBLE]
        return {part: tuple(place) for part, place in zip(seen["part"], seen["polygon"], strict=True)}
    return frozenset(own["value"])


def _mean(kind: str, found: list) -> Any:
    if kind in (FACE_BOX, PERSON_BOX):
        return alike.mean_box(found)
    if kind == PERSON_MASK:
        return alike.mean_mask(found)
    if kind == KEYPOINTS:
        return alike.mean_points(found)
    return alike.mean_values(found, multiple=ATTRIBUTES[kind].multiple)


def _compare(kind: str, area: float) -> Compare:
    if kind in (FACE_BOX, PERSON_BOX):
        return lambda found, reference, _: {"iou": alike.box_iou(found, reference)}
    if kind == PERSON_MASK:
        return lambda found, reference, _: {
            "iou": alike.mask_iou(found, reference),
            "dice": alike.dice(found, reference),
        }
    if kind == KEYPOINTS:
        return lambda found, reference, both: {"oks": alike.points_oks(found, reference, area, both=both)}
    return lambda found, reference, _: {"jaccard": alike.jaccard(found, reference)}
