"""Did something change, or is it shown to be the same? Paired differences of subjects, and a margin."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from accord.statistics.distinct import coded
from accord.statistics.permuting.sign_flips import flipped

FLIPS = 9_999
EXACT = 12
"""Up to so many subjects all signs are tried."""

LARGE = 2_000
"""Of more numbers that aren't 0 the tail of their sum over all signs is told by saddlepoint, no smaller than flips."""

DUST = 1e-9


class Paired(NamedTuple):
    """after - before. n: rows with both; subjects: the units of the tests; low, high: 90% interval of the mean.

    p_changed: that it changed at all, two-sided; p_ranks: the same by Wilcoxon's signed ranks; p_same: that it changed
    by the margin or more (two one-sided tests, the larger p), small where it is shown to be the same. NaN with fewer
    than two subjects.
    """

    n: int
    subjects: int
    mean: float
    low: float
    high: float
    p_changed: float
    p_same: float
    p_ranks: float


def paired(before: np.ndarray, after: np.ndarray, subjects: np.ndarray, margin: float, seed: int = 1) -> Paired:
    """Compare two scores of the same rows, (n,) each, by subject: rows of one subject are averaged first.

    Sign-flip permutation tests of the mean (Pesarin 2001; exact up to EXACT subjects) and of the signed ranks (Wilcoxon
    1945; no change has no rank), for equivalence as two one-sided tests (Schuirmann 1987) against -margin and margin;
    Student's interval of the mean of the subjects, of 90% as it belongs to two one-sided tests at 5%. Rows without one
    of the scores (NaN) take no part.
    """
    known = ~(np.isnan(before) | np.isnan(after))
    units, index = coded(np.asarray(subjects)[known])
    if len(units) < 2:
        return Paired(int(known.sum()), len(units), *[float("nan")] * 6)
    change = (np.asarray(after) - np.asarray(before))[known]
    change = np.bincount(index, change) / np.bincount(index)
    mean, half = change.mean(), scipy.stats.t.ppf(0.95, len(change) - 1) * change.std(ddof=1) / np.sqrt(len(change))
    shifted = (_p(moved, seed, sides=1) for moved in (change + margin, margin - change))
    return Paired(
        int(known.sum()),
        len(units),
        float(mean),
        float(mean - half),
        float(mean + half),
        _p(change, seed, sides=2),
        max(shifted),
        _p(_signed_ranks(change), seed, sides=2),
    )


@lru_cache(maxsize=4)
def _signs(count: int, seed: int) -> np.ndarray:
    """Rows of -1 and 1, the first all 1: as it was observed."""
    if count <= EXACT:
        return 1.0 - 2.0 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
    drawn = np.random.default_rng(seed).choice([-1.0, 1.0], (FLIPS, count))
    return np.vstack([np.ones(count), drawn])


def _signed_ranks(change: np.ndarray) -> np.ndarray:
    apart = np.abs(change) > DUST
    ranks = np.zeros(len(change))
    ranks[apart] = scipy.stats.rankdata(np.round(np.abs(change[apart]), 12)) * np.sign(change[apart])
    return ranks


def _p(numbers: np.ndarray, seed: int, sides: int) -> float:
    """The chance that the sum of the numbers with random signs is as large as theirs, or of 2 sides as far from 0."""
    some = numbers[np.abs(numbers) > DUST] if len(numbers) > LARGE else numbers
    observed = abs(some.sum()) if sides == 2 else some.sum()
    if len(some) > LARGE:
        return float(np.clip(sides * flipped(some, observed), 1 / (FLIPS + 1), 1))
    sums = _signs(len(some), seed) @ some
    return float(((np.abs(sums) if sides == 2 else sums) >= observed - DUST).mean())
