"""Mann-Whitney U on every pair of groups at once: counts per level of the score, and matrix products."""

from dataclasses import dataclass

import numpy as np
import scipy
from scipy import sparse, special

from accord.statistics.cohort import Cohort

SMALL = 8
"""A pair with at most so many scores on one side, and no ties, gets an exact p-value (as in scipy's `auto`)."""


@dataclass(frozen=True)
class Pairwise:
    """For k groups, each (k, k), [a, b] of a against b: U of a, the two-sided p-value, the effect z of a.

    The diagonal says nothing.
    """

    u: np.ndarray
    p: np.ndarray
    effect: np.ndarray


def mann_whitney(cohort: Cohort) -> Pairwise:
    """Two-sided Mann-Whitney U of all pairs of groups: tie-corrected normal approximation with continuity correction.

    Exact for pairs with a side of at most 8 scores and no ties. effect = (U - n1 n2 / 2) / sqrt(n1 n2 (n1+n2+1) / 12).
    p is 1 where all scores of a pair are equal. Equal to scipy.stats.mannwhitneyu(a, b) for every pair.
    """
    u, n, ties = _counted(cohort.values, cohort.member)
    n1, n2 = n[:, np.newaxis], n[np.newaxis, :]
    p = _normal(u, n1, n2, ties)
    for a, b in zip(*np.nonzero(np.triu(_is_exact(n1, n2, ties), 1)), strict=True):
        p[a, b] = p[b, a] = _exact(cohort, a, b)
    spread = np.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
    effect = np.divide(u - n1 * n2 / 2, spread, out=np.full_like(u, np.nan), where=spread > 0)
    return Pairwise(u, p, effect)


def stratified(cohort: Cohort, strata: np.ndarray, deviation: np.ndarray) -> Pairwise:
    """Mann-Whitney U of all pairs of groups within strata of scores, (n,) int: van Elteren's test (1960).

    Each stratum's U counts 1 / (number of scores of the two + 1) and 1 / deviation (n,), alike in a stratum. Normal
    approximation; of a single stratum `mann_whitney`. u is the sum of the strata's; effect is the z of its test. p is 1
    and effect 0 of groups that share no stratum.
    """
    every = np.unique(strata)
    if len(every) < 2:
        return mann_whitney(cohort)
    shape = (len(cohort.groups),) * 2
    whole, apart, variance = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for stratum in every:
        rows = np.flatnonzero(strata == stratum)
        u, n, ties = _counted(cohort.values[rows], cohort.member[rows])
        n1, n2 = n[:, np.newaxis], n[np.newaxis, :]
        weight = 1 / ((n1 + n2 + 1) * deviation[rows[0]])
        whole += u
        apart += weight * (u - n1 * n2 / 2)
        variance += weight**2 * _variance(n1, n2, ties)
    z = np.divide(apart, np.sqrt(variance), out=np.zeros(shape), where=variance > 0)
    return Pairwise(whole, 2 * special.ndtr(-np.abs(z)), z)


def _counted(values: np.ndarray, member: sparse.csc_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U of all pairs (k, k), scores of each group (k,), and `_ties` of all pairs (k, k)."""
    levels, level = np.unique(values, return_inverse=True)
    at = sparse.csr_array((np.ones(len(level)), (np.arange(len(level)), level)), shape=(len(level), len(levels)))
    counts = sparse.csr_array(member.T @ at)
    n = counts.sum(axis=1)
    return counts @ _below(counts).T, n, _ties(counts, n[:, np.newaxis], n[np.newaxis, :])


def _below(counts: sparse.csr_array) -> np.ndarray:
    """(k, levels): how many scores of each group lie below each level, those at the level counting half."""
    dense = counts.toarray()
    return np.cumsum(dense, axis=1) - dense / 2


def _ties(counts: sparse.csr_array, n1: np.ndarray, n2: np.ndarray) -> np.ndarray:
    """(k, k): the sum of t^3 - t over the levels of each pair, t = a + b: cubes by the binomial theorem."""
    squares = counts.multiply(counts).tocsr()
    cubes = squares.multiply(counts).sum(axis=1)
    mixed = (squares @ counts.T).toarray()
    return cubes[:, np.newaxis] + cubes[np.newaxis, :] + 3 * (mixed + mixed.T) - n1 - n2


def _normal(u: np.ndarray, n1: np.ndarray, n2: np.ndarray, ties: np.ndarray) -> np.ndarray:
    spread = np.sqrt(_variance(n1, n2, ties))
    excess = np.abs(u - n1 * n2 / 2) - 0.5
    z = np.divide(excess, spread, out=np.full_like(u, -np.inf), where=spread > 0)
    return np.clip(2 * special.ndtr(-z), 0, 1)


def _variance(n1: np.ndarray, n2: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """(k, k): of U, corrected for ties."""
    total = n1 + n2
    share = np.divide(ties, total * (total - 1), out=np.zeros_like(ties), where=total > 1)
    return np.clip(n1 * n2 / 12 * (total + 1 - share), 0, None)


def _is_exact(n1: np.ndarray, n2: np.ndarray, ties: np.ndarray) -> np.ndarray:
    return (np.minimum(n1, n2) <= SMALL) & (np.minimum(n1, n2) > 0) & (ties == 0)


def _exact(cohort: Cohort, a: int, b: int) -> float:
    left, right = cohort.values[cohort.rows(a)], cohort.values[cohort.rows(b)]
    return float(scipy.stats.mannwhitneyu(left, right, method="exact").pvalue)
