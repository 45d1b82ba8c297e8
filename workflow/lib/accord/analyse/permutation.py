"""Do groups differ between subjects? Subjects' scores are dealt out anew, and the largest difference is kept."""

import numpy as np
from scipy import sparse, stats

from accord.analyse.alike import kinds
from accord.analyse.many import LARGE, dealer

ENOUGH = 20
"""After so many deals at least as extreme as the data a test stops (Besag and Clifford, 1991)."""

FIRST, LARGEST = 200, 2_000
DUST = 1e-9


def max_difference_p(
    values: np.ndarray, member: sparse.csr_array, strata: np.ndarray, most: int, rng: np.random.Generator
) -> float:
    """P-value of the largest difference between mean ranks of two groups, or of a group and all other subjects:
    corrected for all that are compared.

    values: (m,) one score per subject; member: (m, k) non-zero where a subject is in a group; strata: (m,) int.
    Scores are dealt among subjects of the same stratum only, and ranks are taken as distances from the stratum's
    mean rank: so differences between strata count for nothing. Subjects of no group take no part. A difference is
    weighed by 1 / sqrt(1/n1 + 1/n2). At most `most` deals. 1 with fewer than two groups.
    """
    return max_difference_ps(values, [member], strata, most, rng)[0]


def max_difference_ps(
    values: np.ndarray, members: list[sparse.csr_array], strata: np.ndarray, most: int, rng: np.random.Generator
) -> list[float]:
    """`max_difference_p` of several sets of groups, each deal serving all. All have the same subjects in any group.

    Of 20,000 subjects and more, sums of ranks are drawn from their limit instead, for each set its own.
    """
    inside = np.flatnonzero(in_any(members[0]))
    inside = inside[np.argsort(strata[inside], kind="stable")]
    if not len(inside):
        return [1.0] * len(members)
    strata = np.unique(strata[inside], return_inverse=True)[1]
    ranks = _aligned(stats.rankdata(values[inside]), strata)
    groups = [sparse.csr_array((member[inside] > 0).astype(float).T) for member in members]
    sizes, count = [some.sum(axis=1) for some in groups], len(ranks)
    observed = [_observed(some @ ranks, n, count) for some, n in zip(groups, sizes, strict=True)]
    if len(ranks) >= LARGE:
        return [_of_many(ranks, some, strata, top, most, rng) for some, top in zip(groups, observed, strict=True)]
    extreme = {index: 0 for index, largest in enumerate(observed) if largest > DUST}
    p, dealt = [1.0] * len(members), 0
    while extreme and dealt < most:
        deals = min(most - dealt, LARGEST, max(FIRST, dealt))
        order = np.ascontiguousarray(_deal(ranks, strata, deals, rng).T)
        for index, before in list(extreme.items()):
            found = _reaches(groups[index] @ order, sizes[index], count, observed[index])
            reached = np.cumsum(found) + before
            extreme[index] = int(reached[-1])
            if reached[-1] >= ENOUGH:
                p[index] = ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
                del extreme[index]
        dealt += deals
    for index, reached in extreme.items():
        p[index] = (reached + 1) / (most + 1)
    return p


def _observed(sums: np.ndarray, sizes: np.ndarray, count: int) -> float:
    """What deals have to reach: a little less than the data do, for dust; 0 where there is nothing to compare."""
    return float(_largest(sums[:, np.newaxis], sizes, count)[0]) * (1 - DUST) if len(sizes) > 1 else 0.0


def in_any(member: sparse.csr_array) -> np.ndarray:
    """(m,) bool: who is in any group."""
    return np.asarray((member > 0).sum(axis=1)).ravel() > 0


def strata_of(member: sparse.csr_array) -> np.ndarray:
    """Subjects in exactly the same groups share a number: (m, k) -> (m,) int, numbered as subjects come."""
    return kinds(sparse.csr_array(member > 0)).of


def _of_many(
    ranks: np.ndarray,
    groups: sparse.csr_array,
    strata: np.ndarray,
    top: float,
    most: int,
    rng: np.random.Generator,
) -> float:
    """The p-value of one set of groups; top: its largest difference."""
    if top <= DUST:
        return 1.0
    deal, sizes, extreme, dealt = dealer(ranks, sparse.csr_array(groups.T), strata, rng), groups.sum(axis=1), 0, 0
    while dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt))
        reached = np.cumsum(_largest(deal(count), sizes, len(ranks)) >= top) + extreme
        if reached[-1] >= ENOUGH:
            return ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
        dealt, extreme = dealt + count, int(reached[-1])
    return (extreme + 1) / (most + 1)


def _aligned(ranks: np.ndarray, strata: np.ndarray) -> np.ndarray:
    return ranks - (np.bincount(strata, ranks) / np.bincount(strata))[strata]


def _deal(ranks: np.ndarray, strata: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, m): the ranks in random order within each stratum; strata lie one behind the other."""
    parts = np.split(ranks, np.flatnonzero(np.diff(strata)) + 1)
    return np.hstack([rng.permuted(np.tile(part, (count, 1)), axis=1) for part in parts])


def _reaches(sums: np.ndarray, sizes: np.ndarray, count: int, observed: float) -> np.ndarray:
    """(deals,) bool: whether `_largest` is `observed` or more. It is worked out only where it can be.

    Let z = |sum| sqrt(1/n + 1/others) of a group, how far it and all others lie apart. No two groups lie further apart
    than the root of z1^2 + z2^2 (Cauchy and Schwarz), so none further than the largest z by the root of 2.
    """
    others = count - sizes
    weights = 1 / sizes + np.divide(1, others, out=np.zeros_like(sizes), where=others > 0)
    apart = (np.abs(sums) * np.sqrt(weights)[:, np.newaxis]).max(axis=0)
    possible = apart * np.sqrt(2) >= observed * (1 - DUST)
    found = np.zeros(sums.shape[1], bool)
    found[possible] = _largest(sums[:, possible], sizes, count) >= observed
    return found


def _largest(sums: np.ndarray, sizes: np.ndarray, count: int) -> np.ndarray:
    """(k, deals) sums of ranks of groups of `sizes` (k,) among `count` subjects whose ranks add up to 0 -> (deals,):
    the largest weighed difference between two groups' mean ranks, or between those of a group and all others."""
    means, others = sums / sizes[:, np.newaxis], count - sizes
    largest = np.zeros(sums.shape[1])
    for group in range(len(sizes)):
        scale = 1 / np.sqrt(1 / sizes[group] + 1 / sizes[group + 1 :])
        apart = np.abs(means[group + 1 :] - means[group]) * scale[:, np.newaxis]
        np.maximum(largest, apart.max(axis=0, initial=0), out=largest)
        if others[group]:
            alone = np.abs(means[group] + sums[group] / others[group])
            np.maximum(largest, alone / np.sqrt(1 / sizes[group] + 1 / others[group]), out=largest)
    return largest
