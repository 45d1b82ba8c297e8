"""Deals of ranks to very many subjects: groups' sums of ranks when subjects' scores are dealt out at random."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from accord.statistics.permuting.equal_rows import kinds

LARGE = 20_000
"""From so many subjects on, sums of ranks are drawn from their limit."""

SMALL_STRATUM, FEW = 1_000, 100
"""But not within strata of so few subjects; and so few subjects of a kind get single ranks."""

Deal = Callable[[int], np.ndarray]
"""Number of deals -> (k, deals) sums of ranks of the groups."""


def dealer(ranks: np.ndarray, groups: sparse.csr_array, strata: np.ndarray, rng: np.random.Generator) -> Deal:
    """Deals ranks (m,) among subjects of the same stratum; strata: (m,) int, ascending from 0; groups: (m, k) of 0
    and 1. Ranks of a stratum add up to 0.

    Exact in strata of at most 1,000. In larger ones subjects in the same groups together get a sum of ranks that is
    normal with its exact covariance (Hajek, 1960), or single ranks if they are at most 100.
    """
    found = kinds(sparse.hstack([groups, sparse.csr_array(strata[:, np.newaxis] + 1)], format="csr"))
    sizes, of = np.bincount(found.of), found.patterns[:, -1].astype(int) - 1
    parts = np.split(ranks, np.flatnonzero(np.diff(strata)) + 1)

    def deal(count: int) -> np.ndarray:
        sums = np.zeros((len(sizes), count))
        for stratum, part in enumerate(parts):
            inside = np.flatnonzero(of == stratum)
            way = _exact if len(part) <= SMALL_STRATUM else _limit
            sums[inside] = way(part, sizes[inside], count, rng)
        return found.patterns[:, :-1].T @ sums

    return deal


def _exact(ranks: np.ndarray, sizes: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """(kinds, count): sums of ranks of so many subjects of each kind, all ranks dealt out."""
    dealt = rng.permuted(np.tile(ranks, (count, 1)), axis=1)
    return np.add.reduceat(dealt, np.cumsum(sizes) - sizes, axis=1).T


def _limit(ranks: np.ndarray, sizes: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """The same from their limit: independent sums, from which what they come to together is taken away by size."""
    spread = np.sqrt((ranks**2).sum() / (len(ranks) - 1))
    sums = rng.normal(size=(len(sizes), count)) * (spread * np.sqrt(sizes))[:, np.newaxis]
    for kind in np.flatnonzero(sizes <= FEW):
        sums[kind] = ranks[rng.integers(len(ranks), size=(sizes[kind], count))].sum(axis=0)
    return sums - (sizes / len(ranks))[:, np.newaxis] * sums.sum(axis=0)
