"""Did something change where the rows of before and after aren't the same ones? By subjects, with a margin."""

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from scipy import stats

from accord.analyse import bootstrap

LEVELS = (0.05, 0.95)
DEALS, DUST = 10_000, 1e-9


class Apart(NamedTuple):
    """after - before: the difference of means, its 90% interval; p_changed and p_same as of `equivalence.Paired`."""

    mean: float
    low: float
    high: float
    p_changed: float
    p_same: float


NOTHING = Apart(*[float("nan")] * 5)


def exchanged(before: np.ndarray, after: np.ndarray, margin: float, rng: np.random.Generator) -> Apart:
    """Compare scores of different subjects, one score each: (n,), (m,).

    Permutation tests of the difference of means: who is before and who after is dealt anew (in all ways where those are
    fewer than 10,000); for equivalence two one-sided tests, after the margin is taken away. The interval is Welch's.
    NaN with fewer than two on a side.
    """
    if min(len(before), len(after)) < 2:
        return NOTHING
    shifted = np.array([0, margin, -margin])[:, np.newaxis]
    values = np.hstack([np.tile(before, (3, 1)), after + shifted])
    dealt = _deals(len(before), len(after), rng)
    apart = values @ dealt.T
    rise, fall = ((apart >= apart[:, :1] - DUST).mean(axis=1), (apart <= apart[:, :1] + DUST).mean(axis=1))
    low, high = _welch(before, after)
    p_changed, p_same = min(1.0, 2 * min(rise[0], fall[0])), max(rise[1], fall[2])
    return Apart(float(after.mean() - before.mean()), low, high, float(p_changed), float(p_same))


def overall(
    before: tuple[np.ndarray, np.ndarray], after: tuple[np.ndarray, np.ndarray], margin: float, drawn: np.ndarray
) -> Apart:
    """Compare the means of all rows of before and after, some of which are the same: each (scores, subjects).

    subjects: int, one numbering for both; drawn: resamples (draws, subjects) of all of them, so that what is in both
    moves together: their standard error with Student's quantiles, of as many subjects as the smaller side has. NaN with
    fewer than two subjects on a side.
    """
    fewest = min(len(np.unique(subjects)) for _, subjects in (before, after))
    if fewest < 2:
        return NOTHING
    means = [bootstrap.row_means(values[:, np.newaxis], subjects, drawn)[0] for values, subjects in (before, after)]
    apart = means[1] - means[0]
    change, error = float(after[0].mean() - before[0].mean()), float(np.nanstd(apart, ddof=1))
    half = float(stats.t.ppf(LEVELS[1], fewest - 1)) * error
    p_changed = min(1.0, 2 * _beyond(abs(change), error, fewest))
    p_same = _beyond(margin - abs(change), error, fewest)
    return Apart(change, change - half, change + half, p_changed, p_same)


def _beyond(distance: float, error: float, subjects: int) -> float:
    """The chance that Student's t is larger than a distance in standard errors."""
    if error < DUST:
        return 0.5 * (1 - np.sign(round(distance, 9)))
    return float(stats.t.sf(distance / error, subjects - 1))


def _deals(before: int, after: int, rng: np.random.Generator) -> np.ndarray:
    """(deals, before + after): 1 / after for who is dealt to after, -1 / before for others; first as observed."""
    count = before + after
    observed = np.arange(count) >= before
    if comb(count, after) <= DEALS:
        chosen = np.array(list(combinations(range(count), after)))[::-1]
        dealt = (chosen[:, :, np.newaxis] == np.arange(count)).any(axis=1)
    else:
        dealt = np.vstack([observed, rng.permuted(np.tile(observed, (DEALS - 1, 1)), axis=1)])
    return np.where(dealt, 1 / after, -1 / before)


def _welch(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    """90% interval of the difference of means (Welch, 1947)."""
    parts = [side.var(ddof=1) / len(side) for side in (before, after)]
    change, error = after.mean() - before.mean(), np.sqrt(sum(parts))
    if error == 0:
        return float(change), float(change)
    shares = [part**2 / (len(side) - 1) for part, side in zip(parts, (before, after), strict=True)]
    half = stats.t.ppf(LEVELS[1], sum(parts) ** 2 / sum(shares)) * error
    return float(change - half), float(change + half)
