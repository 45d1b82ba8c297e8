"""Scores dealt out anew among the subjects of each stratum, until enough deals are as extreme as the data."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from accord.statistics.distinct import coded, distinct
from accord.statistics.permuting.permutation_limit import dealer
from accord.statistics.permuting.weighing import Weighing, largest, reaches

ENOUGH = 20
"""After so many deals at least as extreme as the data a test stops (Besag and Clifford, 1991)."""

FIRST, LARGEST = 200, 2_000
"""So many deals are made at once, at first and later."""

DUST = 1e-9


class Asked(NamedTuple):
    """A set of groups (k, m) of 0 and 1, what their differences are weighed by, and the largest of the data."""

    groups: sparse.csr_array
    weighed: Weighing
    top: float


def movable(
    values: np.ndarray, strata: np.ndarray, deviation: np.ndarray, inside: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Those of the subjects `inside` (row numbers) whose scores can be dealt and are not all alike in their stratum, by
    stratum; what is dealt, adding up to 0 in each; and the strata, numbered from 0: each (movable,)."""
    of = coded(strata[inside])[1]
    weighed = values[inside] / deviation[inside] ** 2
    scores = _aligned(weighed, of)
    varies = np.bincount(of, np.abs(scores)) > DUST * np.bincount(of, np.abs(weighed))
    kept = np.flatnonzero(varies[of]) if len(of) else of
    kept = kept[np.argsort(of[kept], kind="stable")]
    return inside[kept], scores[kept], coded(of[kept])[1]


def observed(groups: sparse.csr_array, scores: np.ndarray, weighed: Weighing) -> float:
    """What deals have to reach: a little less than the data do, for dust; 0 where there is nothing to compare."""
    dealt = scores[:, np.newaxis]
    return float(largest(groups @ dealt, weighed, dealt)[0]) * (1 - DUST) if groups.shape[0] > 1 else 0.0


def by_dealing(
    asked: dict[int, Asked],
    scores: np.ndarray,
    strata: np.ndarray,
    most: int,
    rng: np.random.Generator,
    deals: list[np.ndarray] | None = None,
) -> dict[int, float]:
    """The p-values by at most so many deals, each serving all sets; `deals` gets these, (m, some) each."""
    p, dealt, extreme = {}, 0, dict.fromkeys(asked, 0)
    while extreme and dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt))
        order = np.ascontiguousarray(deal(scores, strata, count, rng).T)
        if deals is not None:
            deals.append(order)
        for index, before in list(extreme.items()):
            groups, weighed, top = asked[index]
            reached = np.cumsum(reaches(groups @ order, weighed, top, order)) + before
            extreme[index] = int(reached[-1])
            if reached[-1] >= ENOUGH:
                p[index] = ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
                del extreme[index]
        dealt += count
    return p | {index: (reached + 1) / (most + 1) for index, reached in extreme.items()}


def by_limit(scores: np.ndarray, asked: Asked, strata: np.ndarray, most: int, rng: np.random.Generator) -> float:
    """The p-value of one set of groups, by deals from the limit."""
    groups, weighed, top = asked
    deals, extreme, dealt = dealer(scores, sparse.csr_array(groups.T), strata, rng), 0, 0
    while dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt))
        reached = np.cumsum(largest(deals(count), weighed) >= top) + extreme
        if reached[-1] >= ENOUGH:
            return ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
        dealt, extreme = dealt + count, int(reached[-1])
    return (extreme + 1) / (most + 1)


def deal(scores: np.ndarray, strata: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, m): the scores in random order within each stratum; strata lie one behind the other.

    Strata of as many subjects are dealt together.
    """
    starts = np.flatnonzero(np.append(True, np.diff(strata) > 0))
    sizes = np.diff(np.append(starts, len(strata)))
    made = np.empty((count, len(scores)))
    for size in distinct(sizes):
        rows = starts[sizes == size][:, np.newaxis] + np.arange(size)
        made[:, rows] = rng.permuted(np.broadcast_to(scores[rows], (count, *rows.shape)), axis=2)
    return made


def _aligned(ranks: np.ndarray, strata: np.ndarray) -> np.ndarray:
    return ranks - (np.bincount(strata, ranks) / np.bincount(strata))[strata]
