"""Intervals of many differences that all hold together in 95%: so none of them is claimed by looking often enough."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from accord.statistics.describing.proportions import Z95, wilson

TOGETHER = 0.95


class Change(NamedTuple):
    """A difference of two rates, its bootstrap replicates (draws,) by subject, the same draws for all, NaN where nobody
    was drawn, and how many subjects it is of: two or more."""

    value: float
    replicates: np.ndarray
    subjects: int


def intervals(changes: Sequence[Change]) -> list[tuple[float, float]]:
    """The interval of each difference; together they hold in 95%.

    As many standard errors to both sides as the largest of all standardized deviations stays within in 95% of the
    resamples (Westfall and Young, 1993), by Student's t of the subjects. Where replicates don't spread, since no
    resample shows another difference, as wide as Wilson's interval of what none of the subjects did.
    """
    if not changes:
        return []
    spreads = np.array([_spread(one) for one in changes])
    moving = spreads > 0
    level = _level(np.array([one.replicates for one in changes])[moving], spreads[moving])
    return [_interval(one, spread, level) for one, spread in zip(changes, spreads, strict=True)]


def _spread(change: Change) -> float:
    """The standard error; the bootstrap's is too small by sqrt((n - 1) / n)."""
    known = change.replicates[~np.isnan(change.replicates)]
    if len(known) < 2 or np.ptp(known) < 1e-12:
        return 0.0
    return float(known.std(ddof=1) * np.sqrt(change.subjects / (change.subjects - 1)))


def _level(replicates: np.ndarray, spreads: np.ndarray) -> float:
    """The share outside of each interval, both sides, so that in 95% no difference lies outside of its own."""
    if not len(replicates):
        return float(2 * scipy.stats.norm.sf(Z95))
    middle = np.nanmean(replicates, axis=1, keepdims=True)
    deviations = np.nan_to_num(np.abs(replicates - middle) / spreads[:, np.newaxis])
    return float(2 * scipy.stats.norm.sf(max(Z95, np.quantile(deviations.max(axis=0), TOGETHER))))


def _interval(change: Change, spread: float, level: float) -> tuple[float, float]:
    t = float(scipy.stats.t.isf(level / 2, change.subjects - 1))
    half = t * spread if spread > 0 else wilson(0.0, change.subjects, t)[1]
    return max(-1.0, change.value - half), min(1.0, change.value + half)
