"""Intervals of many changes of a rate that all hold together in 95%: so none is claimed by looking often enough."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from accord.statistics.describing.proportions import Z95
from accord.statistics.resampling import half_unseen

TOGETHER = 0.95


class Rate(NamedTuple):
    """A share of pairs: its value, replicates (draws,) of `half_unseen`'s weights, NaN where there is none, what all
    pairs weigh in each (draws,), and hits and pairs of each subject (m,)."""

    share: float
    replicates: np.ndarray
    whole: np.ndarray
    hits: np.ndarray
    sizes: np.ndarray


class Change(NamedTuple):
    """Two rates of the same weights of subjects, and how many subjects they are of: two or more."""

    before: Rate
    after: Rate
    subjects: int

    @property
    def replicates(self) -> np.ndarray:
        """(draws,) of after - before."""
        return self.after.replicates - self.before.replicates

    @property
    def spread(self) -> float:
        """The standard error of after - before; that of weights is too small by sqrt((n - 1) / (n + 1))."""
        known = self.replicates[~np.isnan(self.replicates)]
        if len(known) < 2 or np.ptp(known) < 1e-12:
            return 0.0
        return float(known.std(ddof=1) * np.sqrt((self.subjects + 1) / (self.subjects - 1)))


def intervals(changes: Sequence[Change]) -> list[tuple[float, float]]:
    """The interval of each after - before; together they hold in 95%.

    As many standard errors to both sides as the largest of all standardized deviations stays within in 95% of the
    resamples (Westfall and Young, 1993), by Student's t of the subjects. On the side away from 0 resamples see too
    little where a rate is near 0 or 1, as they draw only what came to pass: there it reaches as far as the intervals of
    both rates say (Newcombe, 1998, method 10 without its correlation). So it does on both sides of no change.
    """
    level = _level(changes)
    return [_interval(one, level) for one in changes]


def _level(changes: Sequence[Change]) -> float:
    """The share outside of each interval, both sides, so that in 95% no difference lies outside of its own."""
    largest = Z95
    moving = [one for one in changes if one.spread > 0]
    if moving:
        every = np.array([one.replicates for one in moving])
        away = np.abs(every - np.nanmean(every, axis=1, keepdims=True))
        deviations = np.nan_to_num(away / np.array([[one.spread] for one in moving]))
        largest = max(Z95, float(np.quantile(deviations.max(axis=0), TOGETHER)))
    return float(2 * scipy.stats.norm.sf(largest))


def _interval(change: Change, level: float) -> tuple[float, float]:
    middle = change.after.share - change.before.share
    half = change.spread * float(scipy.stats.t.isf(level / 2, change.subjects - 1))
    down, up = _ends(change, level)
    low = middle - (max(half, down) if middle <= 0 else half)
    high = middle + (max(half, up) if middle >= 0 else half)
    return max(-1.0, low), min(1.0, high)


def _ends(change: Change, level: float) -> tuple[float, float]:
    """How far the difference reaches down and up by the intervals of both rates."""
    (low, high), (later_low, later_high) = (half_unseen.interval(*one, level) for one in (change.before, change.after))
    before, after = change.before.share, change.after.share
    return float(np.hypot(after - later_low, high - before)), float(np.hypot(later_high - after, before - low))
