"""Groups as points with intervals on an axis: the worst and the best of what holds, everyone, and all other groups."""

from typing import Any, NamedTuple

import pandas as pd

from accord.analyse.plain.found import Part
from accord.analyse.plain.showing import figures
from accord.analyse.plain.showing.answers import claimed, extremes_of, largest, surest
from accord.grouping import BETWEEN, WHOLE
from accord.pages.ranges import BEST, EVERYONE, GROUP, WORST, Axis, Point, axis

ALL = "Everyone"
Looks = dict[tuple[str, str], str]
"""(attribute, group) -> how its point looks."""
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
    whole = Family(ALL, _lines(part, told.pop(WHOLE), looks))
    return [whole, *(Family(figures.label(name), _lines(part, some, looks)) for name, some in told.items())]


def extent(part: Part) -> Extent | None:
    """The worst and the best group of the attribute whose difference that holds is the strongest, or else whose
    difference is the largest; None for none.

    Of a metric that isn't tested: the lowest and the highest group.
    """
    if part.found.disparities.empty:
        return _untested(part)
    claims, row = claimed(part), largest(part)
    attribute = claims[0].attribute if claims else "" if row is None else str(row["attribute"])
    if not attribute:
        return None
    groups, ends = part.found.groups, extremes_of(part, attribute)
    looks = zip(ends, (WORST, BEST) if claims else (GROUP, GROUP), strict=True)
    worst, best = (_line(part, end, {(attribute, end.group): look}) for end, look in looks)
    everyone = _lines(part, groups[groups["attribute"] == WHOLE], {})[0]
    points = [line.point for line in (worst, best, everyone) if line.point]
    called, note = (("Worst", "Best"), surest(part, claims[0])) if claims else (("", ""), SHOWN)
    return Extent(figures.label(attribute), worst, best, points, bool(claims), called, note)


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
    low, high = _lines(part, ends, {})
    if names[0] != names[1]:
        low, high = (one._replace(label=f"{one.label} ({name})") for one, name in zip((low, high), names, strict=True))
    everyone = _lines(part, groups[groups["attribute"] == WHOLE], {})[0]
    points = [line.point for line in (low, high, everyone) if line.point]
    same = names[0] if names[0] == names[1] else ""
    return Extent(same, low, high, points, False, ("Lowest", "Highest"), NOT_TESTED)


def _looks(part: Part) -> Looks:
    """(attribute, group) -> how it looks, of the worst and the best group of attributes where a difference holds."""
    ends = [extremes_of(part, attribute) for attribute in dict.fromkeys(row.attribute for row in claimed(part))]
    return {(row.attribute, row.group): look for some in ends for row, look in zip(some, (WORST, BEST), strict=False)}


def _lines(part: Part, some: pd.DataFrame, looks: Looks) -> list[Line]:
    return [_line(part, row, looks) for row in some.itertuples()]


def _line(part: Part, row: Any, looks: Looks) -> Line:
    whole = row.attribute == WHOLE
    label, size = ALL if whole else figures.label(row.group), figures.size(row, part.found.counted)
    if pd.isna(row.mean):
        return Line(label, None, "", "", size, figures.people(row.note))
    look = EVERYONE if whole else looks.get((row.attribute, row.group), GROUP)
    tip = f"{label}: {figures.value(row.mean)}, {figures.sure(row, part.found.counted)}"
    point = Point(row.mean, _known(row.low), _known(row.high), look, tip)
    return Line(
        label,
        point,
        figures.value(row.mean),
        figures.interval(row.low, row.high),
        size,
        figures.people(row.note),
    )


def _known(number: float) -> float | None:
    return None if pd.isna(number) else float(number)
