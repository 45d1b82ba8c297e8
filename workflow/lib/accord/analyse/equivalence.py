"""Did something change, or is it shown to be the same? Paired differences of subjects, and a margin."""

from typing import NamedTuple

import numpy as np
from scipy import stats

FLIPS = 9_999
EXACT = 12
"""Up to so many subjects all signs are tried."""


class Paired(NamedTuple):
    """after - before. n: rows with both; subjects: the units of the tests; low, high: 90% interval of the mean.

    p_changed: that it changed at all, two-sided; p_same: that it changed by the margin or more (two one-sided tests,
    the larger p), small where it is shown to be the same. NaN with fewer than two subjects.
    """

    n: int
    subjects: int
    mean: float
    low: float
    high: float
    p_changed: float
    p_same: float


def paired(before: np.ndarray, after: np.ndarray, subjects: np.ndarray, margin: float, seed: int = 1) -> Paired:
    """Compare two scores of the same rows, (n,) each, by subject: rows of one subject are averaged first.

    Sign-flip permutation tests of the mean (Pesarin 2001; exact up to EXACT subjects), for equivalence as two
    one-sided tests (Schuirmann 1987) against -margin and margin; Student's interval of the mean of the subjects, of
    90% as it belongs to two one-sided tests at 5%. Rows without one of the scores (NaN) take no part.
    """
    known = ~(np.isnan(before) | np.isnan(after))
    units, index = np.unique(np.asarray(subjects)[known], return_inverse=True)
    if len(units) < 2:
        return Paired(int(known.sum()), len(units), *[float("nan")] * 5)
    change = (np.asarray(after) - np.asarray(before))[known]
    change = np.bincount(index, change) / np.bincount(index)
    mean, half = change.mean(), stats.t.ppf(0.95, len(change) - 1) * change.std(ddof=1) / np.sqrt(len(change))
    signs = _signs(len(change), seed)
    p_changed = _p(np.abs(signs @ change), abs(change.sum()))
    p_lower = _p(signs @ (change + margin), (change + margin).sum())
    p_upper = _p(signs @ (margin - change), (margin - change).sum())
    return Paired(
        int(known.sum()),
        len(units),
        float(mean),
        float(mean - half),
        float(mean + half),
        p_changed,
        max(p_lower, p_upper),
    )


def _signs(count: int, seed: int) -> np.ndarray:
    """Rows of -1 and 1, the first all 1: as it was observed."""
    if count <= EXACT:
        return 1.0 - 2.0 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
    drawn = np.random.default_rng(seed).choice([-1.0, 1.0], (FLIPS, count))
    return np.vstack([np.ones(count), drawn])


def _p(flipped: np.ndarray, observed: float) -> float:
    return float((flipped >= observed - 1e-9).mean())
