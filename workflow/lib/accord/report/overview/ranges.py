"""The first figure: of each model the worst and the best group with their intervals, on one axis for all models."""

from typing import Any

import pandas as pd

from accord.analyse.scoring.extreme_groups import extreme_groups
from accord.analyse.scoring.metrics import direction, is_neutral
from accord.pages.ranges import BEST, EVERYONE, GROUP, WORST, Axis, Point, axis, marks
from accord.report.drawing.blocks import Ranges, RangesRow, Section
from accord.report.reading.measures import measures
from accord.report.reading.report_data import WHOLE, ReportData, single
from accord.report.telling import names
from accord.report.telling.quantities import apart, sure, value
from accord.report.telling.thresholds import outside
from accord.report.telling.untested import left_out
from accord.report.telling.words import strongest, surest
from accord.text.nouns import counted, listed

SHOWN = "No difference is shown"
NOT_TESTED = "Groups are not tested by this metric"
SIDES = {WORST: ("Worst", "Best"), GROUP: ("Lowest", "Highest")}
NEUTRAL = ("Less often", "More often")
NO_MODEL = "No model was evaluated."
NAMED = 2
"""Most things in the last column that are named."""


def section(data: ReportData) -> Section:
    """A row for each model of which a group has a figure. Metrics within 0 and 1 share an axis; each other metric has
    its own."""
    first = [(name, mine, mine.by(metric), metric) for name, mine in _models(data) for metric in measures(mine)[:1]]
    kinds: dict[str, list] = {}
    without = [name for name, _, by, _ in first if not single(by.groups)["mean"].notna().any()]
    for one in (one for one in first if one[0] not in without):
        shared = one[2].groups["mean"].dropna().between(0, 1).all()
        kinds.setdefault("" if shared else one[3], []).append(one)
    blocks = [_ranges(number, some) for number, some in enumerate(kinds.values(), 1)]
    absent = f"No group has a figure: {listed(without)}." if without else ""
    return Section("ranges", "For whom worst, and best", absent if blocks else "", blocks, absent or NO_MODEL)


def _models(data: ReportData) -> list[tuple[str, ReportData]]:
    return [(name, data.of(name)) for name in data.evaluated()]


def _ranges(number: int, some: list) -> Ranges:
    found = [_pair(by) for _, _, by, _ in some]
    shown = [point for _, _, points, _ in found for point in points]
    on = axis([side for point in shown for side in (point.value, point.low, point.high)])
    rows = [_row(name, mine, by, metric, pair, on) for (name, mine, by, metric), pair in zip(some, found, strict=True)]
    title = f"Score{names.unit(some[0][3])} with 95% interval"
    groups = "Groups" if all(is_neutral(metric) for *_, metric in some) else "Worst and best group"
    return Ranges(f"figure-ranges-{number}", f"Groups of each model, {title.lower()}", title, groups, on, rows)


def _row(name: str, mine: ReportData, by: ReportData, metric: str, pair: tuple, on: Axis) -> RangesRow:
    told, note, points, called = pair
    sides = [(label, look, text) for label, (look, text) in zip(called, told, strict=False)]
    left = left_out(by)
    more = [counted(len(left) - NAMED, "more attribute")] if len(left) > NAMED else []
    note = "; ".join(part for part in (note, outside(by)) if part)
    about = f"{names.task(mine.models[name]['task'])}, {metric}"
    return RangesRow(name, about, marks(points, on), sides, note, ", ".join([*left[:NAMED], *more]))


def _pair(by: ReportData) -> tuple[list[tuple[str, str]], str, list[Point], tuple[str, str]]:
    """(look, text) of the worst and the best group; what must be said of them; points; what they are called."""
    claims = strongest(by.disparities)
    if claims:
        row = claims[0]
        rows, note = extreme_groups(by.groups, row.attribute), surest(by.groups, row)
        called = NEUTRAL if is_neutral(row.metric) else SIDES[WORST]
        looks = (GROUP, GROUP) if is_neutral(row.metric) else (WORST, BEST)
    else:
        rows, called, looks = _ends(by), SIDES[GROUP], (GROUP, GROUP)
        note = SHOWN if len(by.disparities) else NOT_TESTED
    known = list(zip(rows, looks, strict=False))
    texts = [(look, _text(row)) for row, look in known]
    points = [_point(row, look, names.group(row.group)) for row, look in known]
    points += [] if outside(by) else [_point(row, EVERYONE, "Everyone") for row in _everyone(by)]
    return texts, note, points, called


def _ends(by: ReportData) -> list[Any]:
    """The groups of single attributes with the worst and the best mean."""
    every = single(by.groups)
    known = every[every["mean"].notna()].sort_values(["mean", "attribute", "group"])
    ends = [known.iloc[[0]], known.iloc[[-1]]] if len(known) else []
    ordered = ends if not ends or direction(str(known["metric"].iloc[0])) > 0 else ends[::-1]
    return [next(one.itertuples()) for one in ordered]


def _everyone(by: ReportData) -> list[Any]:
    mine = by.groups[(by.groups["attribute"] == WHOLE) & by.groups["mean"].notna()]
    return list(mine.itertuples())


def _text(row: Any) -> str:
    """`0.46 Oceania (ancestry, 21 people)`."""
    of = f"{names.attribute(row.attribute).lower()}, {counted(row.subjects, 'person')}"
    return f"{value(row.metric, row.mean)} {names.group(row.group)} ({of})"


def _point(row: Any, look: str, called: str) -> Point:
    low, high = (None if pd.isna(side) else float(side) for side in (row.low, row.high))
    return Point(float(row.mean), low, high, look, f"{called}: {apart(row.metric, row.mean, row.mean)[0]}, {sure(row)}")
