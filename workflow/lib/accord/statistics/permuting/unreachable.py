"""Differences so large that no deal reaches them: told by a bound, so that nothing has to be dealt."""

import numpy as np
from scipy import sparse

CHANCE = 1e-6
"""That any of all deals reaches the data, where they aren't made."""

CLEAR = 8
"""No bound says so of sums that lie nearer, in standard deviations."""

STEPS = np.array([0.25, 0.5, 0.75, 1.0])
"""Shares of the best step of Chernoff's bound, if sums were normal and drawn with replacement, that are tried."""


def unreachable(
    groups: sparse.csr_array, scores: np.ndarray, strata: np.ndarray, alone: np.ndarray, least: float, deals: int
) -> bool:
    """Whether no weighed sum of a group's scores reaches `least` in any of so many deals, but for a chance of 1e-6.

    groups: (k, m) of 0 and 1; scores: (m,), adding up to 0 in each of the strata (m,); alone: (k,) 1 / the spread of
    sums, 0 of those that don't count. Sums drawn without replacement lie beyond a bound of Chernoff's for draws with
    replacement no more often (Hoeffding, 1963, theorem 4), of those in the group or of those outside: a stratum's
    smaller one is taken.
    """
    if least < CLEAR:
        return False
    at = sparse.csr_array((np.ones(len(strata)), (np.arange(len(strata)), strata)))
    inside, sizes, some = (groups @ at).toarray(), np.bincount(strata), np.flatnonzero(alone > 0)
    spread = np.minimum(inside, sizes - inside) @ (np.bincount(strata, scores**2) / sizes)
    least_likely = np.log(CHANCE / (2 * len(some) * deals))
    return all(
        _chance(rate * scores, strata, inside[group], sizes, np.abs(rate) * least / alone[group]) < least_likely
        for group in some
        for rate in (least / alone[group] / spread[group], -least / alone[group] / spread[group])
    )


def _chance(powers: np.ndarray, strata: np.ndarray, inside: np.ndarray, sizes: np.ndarray, reached: float) -> float:
    """The log of the smallest bound, of the steps, that a sum of powers (m,) reaches a number."""
    return min(
        np.minimum(
            inside * _log_means(step * powers, strata, sizes),
            (sizes - inside) * _log_means(-step * powers, strata, sizes),
        ).sum()
        - step * reached
        for step in STEPS
    )


def _log_means(powers: np.ndarray, strata: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(strata,): the log of the mean of e to the powers (m,)."""
    top = np.zeros(len(sizes))
    np.maximum.at(top, strata, powers)
    return top + np.log(np.bincount(strata, np.exp(powers - top[strata])) / sizes)
