"""Groups as points with intervals on an axis: the worst and the best of what holds, everyone, and all other groups."""

from typing import Any, NamedTuple

import pandas as pd

from accord.analyse.plain.found import Part
from accord.analyse.plain.showing import figures
from accord.analyse.plain.showing.answers import claimed, largest
from accord.grouping import BETWEEN, WHOLE
from accord.pages.ranges import BEST, EVERYONE, GROUP, WORST, Axis, Point, axis

ALL = "Everyone"
SHOWN, NOT_TESTED = "No difference is shown. The largest:", "Groups are not tested by this metric."


class Line(NamedTuple):
    """A group in a plot or table: its name, its point (None without a figure), figures and size in words, note."""

    label: str
    point: Point | None
    mean: str
    interval: str
    size: str
    note: str


class Family(NamedTuple):
    """The groups of an attribute, or everyone."""

    attribute: str
    lines: list[Line]


class Extent(NamedTuple):
    """The worst and the best group (of a metric that isn't tested the lowest and the highest) and everyone, as points;
    the attribute, "" of two; whether the difference holds; what the two are called, and what must be said of them."""

    attribute: str
    worst: Line
    best: Line
    points: list[Point]
    holds: bool
    called: tuple[str, str] = ("", "")
    note: str = ""

    @property
    def sides(self) -> str:
        """What the two are, in a label of the plot."""
        return "Lowest group, highest group" if self.note == NOT_TESTED else "Worst group, best group"


def families(part: Part) -> list[Family]:
    """Everyone, then each attribute, intersections last."""
    looks = _looks(part)
    groups = part.found.groups
    crossed = groups["attribute"].str.count(BETWEEN)
    ordered = groups.assign(_crossed=crossed).sort_values(["_crossed", "attribute"], kind="stable")
    told = {str(name): some for name, some in ordered.groupby("attribute", sort=False)}
    whole = Family(ALL, _lines(told.pop(WHOLE), looks))
    return [whole, *(Family(figures.label(name), _lines(some, looks)) for name, some in told.items())]


def extent(part: Part) -> Extent | None:
    """The strongest difference that holds, or else the largest between groups of an attribute; None for none.

    Of a metric that isn't tested: the lowest and the highest group.
    """
    if part.found.disparities.empty:
        return _untested(part)
    pair = _pair(part)
    if pair is None:
        return None
    attribute, sides, holds = pair
    looks = {(attribute, sides[0]): WORST, (attribute, sides[1]): BEST} if holds else {}
    groups = part.found.groups
    mine = [groups[(groups["attribute"] == attribute) & (groups["group"] == side)] for side in sides]
    worst, best = (_lines(some, looks)[0] for some in mine)
    everyone = _lines(groups[groups["attribute"] == WHOLE], {})[0]
    points = [line.point for line in (worst, best, everyone) if line.point]
    called, note = (("Worst", "Best"), "") if holds else (("", ""), SHOWN)
    return Extent(figures.label(attribute), worst, best, points, holds, called, note)


def axis_of(part: Part) -> Axis:
    """The axis on which all groups of a test fit."""
    known = part.found.groups
    return axis([*known["mean"], *known["low"], *known["high"]])


def _untested(part: Part) -> Extent | None:
    groups = part.found.groups
    single = (groups["attribute"] != WHOLE) & ~groups["attribute"].str.contains(BETWEEN, regex=False)
    known = groups[single & groups["mean"].notna()].sort_values(["mean", "attribute", "group"])
    if len(known) < 2:
        return None
    ends = known.iloc[[0, -1]]
    names = [figures.label(name) for name in ends["attribute"]]
    low, high = _lines(ends, {})
    if names[0] != names[1]:
        low, high = (one._replace(label=f"{one.label} ({name})") for one, name in zip((low, high), names, strict=True))
    everyone = _lines(groups[groups["attribute"] == WHOLE], {})[0]
    points = [line.point for line in (low, high, everyone) if line.point]
    same = names[0] if names[0] == names[1] else ""
    return Extent(same, low, high, points, False, ("Lowest", "Highest"), NOT_TESTED)


def _pair(part: Part) -> tuple[str, tuple[str, str], bool] | None:
    if claims := claimed(part):
        return claims[0].attribute, (claims[0].worst, claims[0].best), True
    if (row := largest(part)) is None:
        return None
    return str(row["attribute"]), (str(row["worst"]), str(row["best"])), False


def _looks(part: Part) -> dict[tuple[str, str], str]:
    """(attribute, group) -> how it looks, of the groups of differences that hold."""
    best = {(row.attribute, row.best): BEST for row in claimed(part)}
    return best | {(row.attribute, row.worst): WORST for row in claimed(part)}


def _lines(some: pd.DataFrame, looks: dict[tuple[str, str], str]) -> list[Line]:
    return [_line(row, looks) for row in some.itertuples()]


def _line(row: Any, looks: dict[tuple[str, str], str]) -> Line:
    whole = row.attribute == WHOLE
    label = ALL if whole else figures.label(row.group)
    if pd.isna(row.mean):
        return Line(label, None, "", "", figures.size(row), figures.people(row.note))
    look = EVERYONE if whole else looks.get((row.attribute, row.group), GROUP)
    tip = f"{label}: {figures.value(row.mean)}, {figures.sure(row)}"
    point = Point(row.mean, _known(row.low), _known(row.high), look, tip)
    return Line(
        label,
        point,
        figures.value(row.mean),
        figures.interval(row.low, row.high),
        figures.size(row),
        figures.people(row.note),
    )


def _known(number: float) -> float | None:
    return None if pd.isna(number) else float(number)
