"""Differences of recall between groups: of fixed pairs, and of the highest and the lowest group."""

from collections.abc import Iterator
from math import nan
from typing import Any

import pandas as pd

from accord.analyse.scoring.class_answers.counting import RUN
from accord.grouping import WHOLE
from accord.statistics.describing.proportions import newcombe
from accord.text.nouns import fewer

PAIRS = {"gender": ("male", "female"), "skin": ("light", "dark"), "age_presentation": ("young", "older")}
"""Attribute -> the groups of which the paper sets the first against the second."""
UNSAID = "unknown"
"""The group of those whom annotators could not place: no group of people."""
MOST, LEAST = "max", "min"
CHOSEN = "the groups were chosen by their recalls, so the interval is too narrow"


def gaps(recalls: pd.DataFrame, min_subjects: int) -> list[dict[str, Any]]:
    """One record per run, class, attribute and pair of groups, as RecallDisparities has them.

    recalls: Recalls. The highest and the lowest group are sought among those with at least `min_subjects` subjects.
    """
    found = []
    parts = recalls[recalls["attribute"] != WHOLE].groupby([*RUN, "class", "attribute"], sort=True)
    for key, part in parts:
        groups = {row.group: row for row in part.itertuples() if row.group != UNSAID}
        base = dict(zip([*RUN, "class", "attribute"], key, strict=True))
        found += [base | pair for pair in _pairs(base["attribute"], groups, min_subjects)]
    return found


def _pairs(attribute: str, groups: dict[str, Any], min_subjects: int) -> Iterator[dict[str, Any]]:
    if attribute in PAIRS:
        first, second = PAIRS[attribute]
        yield _gap(f"{first} - {second}", first, second, groups.get(first), groups.get(second), "")
    large = [row for row in groups.values() if row.subjects >= max(min_subjects, 1)]
    if len(large) < 2:
        note = f"{fewer(len(large), 'group', 2)} with {min_subjects} people or more"
        yield _gap(f"{MOST} - {LEAST}", "", "", None, None, note)
        return
    best = max(large, key=lambda row: row.recall)
    worst = min((row for row in large if row is not best), key=lambda row: row.recall)
    yield _gap(f"{MOST} - {LEAST}", best.group, worst.group, best, worst, CHOSEN)


def _gap(pair: str, first: str, second: str, one: Any, other: Any, note: str) -> dict[str, Any]:
    counts = {"first_images": one.images if one else 0, "second_images": other.images if other else 0}
    told = {"pair": pair, "first": first, "second": second, **counts}
    empty = [name for name, count in zip((first, second), counts.values(), strict=True) if name and not count]
    if empty or one is None or other is None:
        missing = f"no image of {' or '.join(empty)}" if empty else note
        return told | {"difference": nan, "low": nan, "high": nan, "note": missing}
    low, high = newcombe(one.yes, one.images, other.yes, other.images)
    return told | {"difference": one.recall - other.recall, "low": low, "high": high, "note": note}
