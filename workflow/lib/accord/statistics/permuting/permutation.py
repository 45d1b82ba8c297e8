"""Do groups differ between subjects? Subjects' scores are dealt out anew, and the largest difference is kept."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import ndtr

from accord.statistics.distinct import coded, distinct
from accord.statistics.permuting.difference_tail import difference_p, farther
from accord.statistics.permuting.permutation_limit import LARGE, dealer
from accord.statistics.permuting.unreachable import unreachable
from accord.statistics.permuting.weighing import Weighing, largest, possible, reaches, weighing

ENOUGH = 20
"""After so many deals at least as extreme as the data a test stops (Besag and Clifford, 1991)."""

FIRST, LARGEST = 200, 2_000
FEW, LITTLE = 200, 10_000_000
"""Of fewer subjects, of which all deals are no more scores than this, all are dealt."""

AFFORDABLE = 100_000_000
"""Where all deals are no more scores than this, only those aren't made that no deal is likely to reach."""

FAR = 2.5
"""Where they are more, no more than 2,000 are made. A p that these leave open is told by the tail of sums, if the
difference is so many standard deviations."""

DUST = 1e-9


class Asked(NamedTuple):
    """A set of groups (k, m) of 0 and 1, what their differences are weighed by, and the largest of the data."""

    groups: sparse.csr_array
    weighed: Weighing
    top: float


def max_difference_p(
    values: np.ndarray,
    member: sparse.csr_array,
    strata: np.ndarray,
    most: int,
    rng: np.random.Generator,
    deviation: np.ndarray | None = None,
) -> float:
    """P-value of the largest difference between two groups, or of a group and all other subjects: corrected for all
    that are compared.

    values: (m,) one score per subject; member: (m, k) non-zero where a subject is in a group; strata: (m,) int;
    deviation: (m,) how much each value varies (`exchangeable.spread`), alike in a stratum; without it all alike.
    Scores are dealt among subjects of the same stratum only, which is exact where these are exchangeable. What is
    dealt are distances from the stratum's mean, weighed by 1 / deviation^2: differences between strata count for
    nothing, and a subject counts by what its score tells. Differences are weighed by their spread over all deals, or
    by that of the groups' own subjects (`weighing`), so that they say nothing of how much groups vary. Subjects of no
    group take no part. At most `most` deals. 1 where nothing is to be compared.
    """
    return max_difference_ps(values, [member], strata, most, rng, deviation)[0]


def max_difference_ps(
    values: np.ndarray,
    members: list[sparse.csr_array],
    strata: np.ndarray,
    most: int,
    rng: np.random.Generator,
    deviation: np.ndarray | None = None,
) -> list[float]:
    """`max_difference_p` of several sets of groups, each deal serving all. All have the same subjects in any group.

    Of 200 subjects and more, and where deals were very many, what no deal is likely to reach by `difference_tail` gets
    the p that they would give, and isn't dealt for; other rare p-values are dealt for if that is affordable, else told
    by the tail. With fewer it is what no deal can reach (`unreachable`) that isn't dealt for.
    """
    deviation = np.ones(len(values)) if deviation is None else deviation
    moved, scores, strata = movable(values, strata, deviation, np.flatnonzero(in_any(members[0])))
    if not len(moved):
        return [1.0] * len(members)
    asked = []
    for member in members:
        groups = sparse.csr_array((member[moved] > 0).astype(float).T)
        weighed = weighing(groups, strata, scores, deviation[moved])
        asked.append(Asked(groups, weighed, _observed(groups, scores, weighed)))
    p, left = [1.0] * len(asked), {index: one for index, one in enumerate(asked) if one.top > DUST}
    few = most <= LARGEST or (len(scores) < FEW and most * len(scores) <= LITTLE)
    way = _by_deals if few else _by_tails
    for index, found in way(left, scores, strata, most, rng).items():
        p[index] = found
    return p


def _by_deals(
    asked: dict[int, Asked], scores: np.ndarray, strata: np.ndarray, most: int, rng: np.random.Generator
) -> dict[int, float]:
    """The p-values by deals alone."""
    p = {}
    for index, (groups, weighed, top) in asked.items():
        if unreachable(groups, scores, strata, weighed.alone, possible(top), most):
            p[index] = 1 / (most + 1)
    left = {index: one for index, one in asked.items() if index not in p}
    return p | _dealt(left, scores, strata, most, rng)


def _by_tails(
    asked: dict[int, Asked], scores: np.ndarray, strata: np.ndarray, most: int, rng: np.random.Generator
) -> dict[int, float]:
    """The p-values by deals: as many as are affordable, else 2,000 where 20 of them reach the data, and others by the
    tail, no smaller than `most` tell.

    Of 20,000 subjects and more, sums are drawn from their limit, for each set its own.
    """
    least, share = 1 / (most + 1), ENOUGH / LARGEST
    far = {index: one for index, one in asked.items() if one.top >= FAR}
    likely = {index: one for index, one in far.items() if _roughly(one) < share}
    p = {index: least for index, one in likely.items() if difference_p(scores, strata, *one, least / 2) <= least}
    left = {index: one for index, one in asked.items() if index not in p}
    if most * len(scores) <= AFFORDABLE:
        return p | _dealt(left, scores, strata, most, rng)
    deals: list[np.ndarray] = []
    if len(scores) < LARGE:
        p |= _dealt(left, scores, strata, LARGEST, rng, deals)
    else:
        p |= {index: _of_many(scores, one, strata, LARGEST, rng) for index, one in left.items()}
    for index, (groups, weighed, top) in left.items():
        if index in far and p[index] < share:
            further = top * farther(groups, weighed, deals, share) if deals else top
            tail = difference_p(scores, strata, groups, weighed, further, least / 2)
            p[index] = max(least, tail) if tail < share else p[index]
    return p


def _roughly(asked: Asked) -> float:
    """The p-value if all differences were normal and said different things: what isn't rare by this is dealt first."""
    groups = asked.groups.shape[0]
    return groups * (groups + 1) * float(ndtr(-asked.top))


def _dealt(
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
        order = np.ascontiguousarray(_deal(scores, strata, count, rng).T)
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


def in_any(member: sparse.csr_array) -> np.ndarray:
    """(m,) bool: who is in any group."""
    return np.asarray((member > 0).sum(axis=1)).ravel() > 0


def _observed(groups: sparse.csr_array, scores: np.ndarray, weighed: Weighing) -> float:
    """What deals have to reach: a little less than the data do, for dust; 0 where there is nothing to compare."""
    dealt = scores[:, np.newaxis]
    return float(largest(groups @ dealt, weighed, dealt)[0]) * (1 - DUST) if groups.shape[0] > 1 else 0.0


def _of_many(scores: np.ndarray, asked: Asked, strata: np.ndarray, most: int, rng: np.random.Generator) -> float:
    """The p-value of one set of groups, by deals from the limit."""
    groups, weighed, top = asked
    deal, extreme, dealt = dealer(scores, sparse.csr_array(groups.T), strata, rng), 0, 0
    while dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt))
        reached = np.cumsum(largest(deal(count), weighed) >= top) + extreme
        if reached[-1] >= ENOUGH:
            return ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
        dealt, extreme = dealt + count, int(reached[-1])
    return (extreme + 1) / (most + 1)


def _aligned(ranks: np.ndarray, strata: np.ndarray) -> np.ndarray:
    return ranks - (np.bincount(strata, ranks) / np.bincount(strata))[strata]


def _deal(scores: np.ndarray, strata: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
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
