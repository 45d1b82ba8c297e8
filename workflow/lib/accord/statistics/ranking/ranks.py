"""Mann-Whitney U on many pairs of groups at once: counts per level of the score, and products of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy
from scipy import sparse, special

from accord.statistics.cohort import Cohort
from accord.statistics.distinct import coded
from accord.statistics.ranking.design import Ends, Units, all_pairs

SMALL = 8
"""A pair with at most so many scores on one side, and no ties, gets an exact p-value (as in scipy's `auto`)."""


@dataclass(frozen=True)
class Pairwise:
    """Of each comparison of a group with another, in the shape of their `Ends`, for all pairs (k, k): U of the first,
    the two-sided p-value, the effect z of the first.

    Of a group against itself it says nothing.
    """

    u: np.ndarray
    p: np.ndarray
    effect: np.ndarray


def mann_whitney(cohort: Cohort) -> Pairwise:
    """`compared` of all pairs of groups."""
    return compared(cohort.values, cohort.member, all_pairs(len(cohort.groups)))


def compared(values: np.ndarray, member: sparse.csc_array, ends: Ends) -> Pairwise:
    """Two-sided Mann-Whitney U of values (n,) of groups (n, k): tie-corrected normal approximation with continuity
    correction.

    Exact for pairs with a side of at most 8 scores and no ties. effect = (U - n1 n2 / 2) / sqrt(n1 n2 (n1+n2+1) / 12).
    p is 1 where all scores of a pair are equal. Equal to scipy.stats.mannwhitneyu(a, b) for every pair.
    """
    u, n1, n2, ties = _counted(values, member, ends)
    p = _normal(u, n1, n2, ties)
    for spot, exact in _exact(values, member, ends, _is_exact(n1, n2, ties)):
        p[spot] = exact
    spread = np.sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
    effect = np.divide(u - n1 * n2 / 2, spread, out=np.full_like(u, np.nan), where=spread > 0)
    return Pairwise(u, p, effect)


def stratified(values: np.ndarray, units: Units, deviation: np.ndarray, ends: Ends) -> Pairwise:
    """Mann-Whitney U of units' values (m,) within those of equally many scores: van Elteren's test (1960).

    Each stratum's U counts 1 / (number of scores of the two + 1) and 1 / deviation (m,), alike in a stratum. Normal
    approximation; of a single stratum `compared`. u is the sum of the strata's; effect is the z of its test. p is 1
    and effect 0 of groups that share no stratum.
    """
    if len(units.strata) < 2:
        return compared(values, units.member, ends)
    whole, apart, variance = (np.zeros(ends.shape) for _ in range(3))
    for rows, member in units.strata:
        u, n1, n2, ties = _counted(values[rows], member, ends)
        weight = 1 / ((n1 + n2 + 1) * deviation[rows[0]])
        whole += u
        apart += weight * (u - n1 * n2 / 2)
        variance += weight**2 * _variance(n1, n2, ties)
    z = np.divide(apart, np.sqrt(variance), out=np.zeros(ends.shape), where=variance > 0)
    return Pairwise(whole, 2 * special.ndtr(-np.abs(z)), z)


def _counted(values: np.ndarray, member: sparse.csc_array, ends: Ends) -> tuple[np.ndarray, ...]:
    """U, the numbers of scores on either side, and `_ties` of each comparison."""
    levels, level = coded(values)
    group = np.repeat(np.arange(member.shape[1]), np.diff(member.indptr))
    shape = (member.shape[1], len(levels))
    counts = sparse.csr_array((member.data, (group, level[member.indices])), shape=shape)
    n = counts.sum(axis=1)
    n1, n2 = n[ends.first], n[ends.second]
    dense = counts.toarray()
    below = np.cumsum(dense, axis=1) - dense / 2
    if len(ends.shape) == 2:
        return counts @ below.T, n1, n2, _ties(counts, n1, n2)
    first, second = dense[ends.first], dense[ends.second]
    mixed = np.einsum("cl,cl->c", first, first * second) + np.einsum("cl,cl->c", second, first * second)
    cubes = np.einsum("kl,kl->k", dense * dense, dense)
    ties = cubes[ends.first] + cubes[ends.second] + 3 * mixed - n1 - n2
    return np.einsum("cl,cl->c", first, below[ends.second]), n1, n2, ties


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


def _exact(
    values: np.ndarray, member: sparse.csc_array, ends: Ends, wanted: np.ndarray
) -> Iterator[tuple[tuple, float]]:
    """Where a comparison is wanted (bool, as `ends`), and its exact p-value, each pair's worked out once."""
    known: dict[tuple[int, int], float] = {}
    first, second = np.broadcast_arrays(*ends)
    for spot in zip(*np.nonzero(wanted & (first != second)), strict=True):
        a, b = pair = (min(first[spot], second[spot]), max(first[spot], second[spot]))
        if pair not in known:
            sides = (values[member.indices[member.indptr[g] : member.indptr[g + 1]]] for g in (a, b))
            known[pair] = float(scipy.stats.mannwhitneyu(*sides, method="exact").pvalue)
        yield spot, known[pair]
