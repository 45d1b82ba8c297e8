"""Do groups differ between subjects? Subjects' scores are dealt out anew, and the largest difference is kept."""

import numpy as np
from scipy import sparse
from scipy.special import ndtr

from accord.statistics.permuting.dealing import DUST, ENOUGH, LARGEST, Asked, by_dealing, by_limit, movable, observed
from accord.statistics.permuting.difference_tail import difference_p, farther
from accord.statistics.permuting.permutation_limit import LARGE
from accord.statistics.permuting.unreachable import unreachable
from accord.statistics.permuting.weighing import possible, weighing

FEW, LITTLE = 200, 10_000_000
"""Of fewer subjects, of which all deals are no more scores than this, all are dealt."""

AFFORDABLE = 100_000_000
"""Where all deals are no more scores than this, only those aren't made that no deal is likely to reach."""

FAR = 2.5
"""Where they are more, no more than 2,000 are made. A p that these leave open is told by the tail of sums, if the
difference is so many standard deviations."""


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
        asked.append(Asked(groups, weighed, observed(groups, scores, weighed)))
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
    return p | by_dealing(left, scores, strata, most, rng)


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
        return p | by_dealing(left, scores, strata, most, rng)
    deals: list[np.ndarray] = []
    if len(scores) < LARGE:
        p |= by_dealing(left, scores, strata, LARGEST, rng, deals)
    else:
        p |= {index: by_limit(scores, one, strata, LARGEST, rng) for index, one in left.items()}
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


def in_any(member: sparse.csr_array) -> np.ndarray:
    """(m,) bool: who is in any group."""
    return np.asarray((member > 0).sum(axis=1)).ravel() > 0
