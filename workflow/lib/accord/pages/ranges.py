"""Intervals on a shared axis, in per cent of its length, so that they fit a column of any width."""

from collections.abc import Iterable
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

WORST, BEST, GROUP, EVERYONE = "worst", "best", "group", "everyone"
"""How a point looks: a filled diamond, a filled circle, a hollow circle, an upright bar."""
TICKS = 5
STEPS = (1, 2, 2.5, 5, 10)
ROUNDING = 1e-9


class Point(NamedTuple):
    """A figure with its interval (None where there is none); look: one of the above; tip: what it is, in words."""

    value: float
    low: float | None
    high: float | None
    look: str
    tip: str


class Axis(NamedTuple):
    """An axis from `low` to `high`. ticks: (value as text, per cent of the length)."""

    low: float
    high: float
    ticks: tuple[tuple[str, float], ...]

    def at(self, value: float) -> float:
        """Where a value stands, in per cent of the length; beyond an end, at the end."""
        return round(100 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0), 2)


class Mark(NamedTuple):
    """A point on an axis: `at`, `start`, `end` in per cent."""

    at: float
    start: float
    end: float
    look: str
    tip: str


def axis(values: Iterable[float | None]) -> Axis:
    """The axis that some values fit on, with about five round ticks; within 0 and 1 if the values are.

    Values that differ by less than 1e-9 of their size, or of 1, count as equal, and may lie so far beyond an end.
    """
    known = [float(value) for value in values if value is not None and isfinite(value)] or [0.0, 1.0]
    least, most = min(known), max(known)
    size = max(abs(least), abs(most))
    if most - least <= ROUNDING * max(size, 1):
        around, shares = (size if size > ROUNDING else 1) / 10, least >= 0 and most <= 1
        least, most = least - around, most + around
        least, most = (max(least, 0.0), min(most, 1.0)) if shares else (least, most)
    step = _step((most - least) / TICKS)
    first, last = floor(least / step + ROUNDING), ceil(most / step - ROUNDING)
    low, high = first * step, last * step
    digits = max(0, -floor(log10(step) + ROUNDING) + (f"{step:e}"[:3] == "2.5"))
    ticks = [(number * step, f"{number * step:.{digits}f}") for number in range(first, last + 1)]
    return Axis(low, high, tuple((text, round(100 * (at - low) / (high - low), 2)) for at, text in ticks))


def marks(points: Iterable[Point], on: Axis) -> list[Mark]:
    """Points as marks on an axis."""
    return [_mark(point, on) for point in points]


def _mark(point: Point, on: Axis) -> Mark:
    at = on.at(point.value)
    start, end = (at if side is None or not isfinite(side) else on.at(side) for side in (point.low, point.high))
    return Mark(at, start, end, point.look, point.tip)


def _step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(step * power for step in STEPS if step * power >= rough * (1 - ROUNDING))
