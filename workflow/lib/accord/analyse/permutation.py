"""Do groups differ between subjects? Subjects' scores are dealt out anew, and the largest difference is kept."""

import numpy as np
from scipy import sparse, stats

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
    inside = np.flatnonzero(np.asarray((member > 0).sum(axis=1)).ravel())
    inside = inside[np.argsort(strata[inside], kind="stable")]
    groups = sparse.csr_array(member[inside] > 0).astype(float)
    if groups.shape[1] < 2 or not len(inside):
        return 1.0
    strata = np.unique(strata[inside], return_inverse=True)[1]
    ranks = _aligned(stats.rankdata(values[inside]), strata)
    observed = _largest(ranks[np.newaxis], groups)[0] * (1 - DUST)
    if observed <= DUST:
        return 1.0
    dealt = extreme = 0
    while dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt))
        reached = np.cumsum(_reaches(_deal(ranks, strata, count, rng), groups, observed)) + extreme
        if reached[-1] >= ENOUGH:
            return ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
        dealt, extreme = dealt + count, int(reached[-1])
    return (extreme + 1) / (most + 1)


def strata_of(member: sparse.csr_array) -> np.ndarray:
    """Subjects in exactly the same groups share a number: (m, k) -> (m,) int, numbered as subjects come."""
    _, first, found = np.unique((member > 0).toarray(), axis=0, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[found.ravel()]


def _aligned(ranks: np.ndarray, strata: np.ndarray) -> np.ndarray:
    return ranks - (np.bincount(strata, ranks) / np.bincount(strata))[strata]


def _deal(ranks: np.ndarray, strata: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, m): the ranks in random order within each stratum; strata lie one behind the other."""
    parts = np.split(ranks, np.flatnonzero(np.diff(strata)) + 1)
    return np.hstack([rng.permuted(np.tile(part, (count, 1)), axis=1) for part in parts])


def _reaches(ranks: np.ndarray, groups: sparse.csr_array, observed: float) -> np.ndarray:
    """(deals,) bool: whether `_largest` is `observed` or more. It is worked out only where it can be.

    With z = sum / sqrt(n) of a group no difference between two exceeds the root of z1^2 + z2^2 (Cauchy and Schwarz),
    and none between a group and all others |sum| sqrt(1/n + 1/others).
    """
    sizes = groups.sum(axis=0)[:, np.newaxis]
    others = len(ranks.T) - sizes
    squares = (groups.T @ ranks.T) ** 2
    alone = squares * (1 / sizes + np.divide(1, others, out=np.zeros_like(sizes), where=others > 0))
    two = np.partition(squares / sizes, -2, axis=0)[-2:].sum(axis=0)
    possible = np.maximum(alone.max(axis=0), two) >= observed**2 * (1 - DUST)
    found = np.zeros(len(ranks), bool)
    found[possible] = _largest(ranks[possible], groups) >= observed
    return found


def _largest(ranks: np.ndarray, groups: sparse.csr_array) -> np.ndarray:
    """(deals, m) ranks that add up to 0 -> (deals,): the largest weighed difference between two groups' mean ranks,
    or between those of a group and of all other subjects."""
    sizes = groups.sum(axis=0)
    sums = groups.T @ ranks.T
    means, others = sums / sizes[:, np.newaxis], len(ranks.T) - sizes
    largest = np.zeros(len(ranks))
    for group in range(len(sizes)):
        scale = 1 / np.sqrt(1 / sizes[group] + 1 / sizes[group + 1 :])
        apart = np.abs(means[group + 1 :] - means[group]) * scale[:, np.newaxis]
        np.maximum(largest, apart.max(axis=0, initial=0), out=largest)
        if others[group]:
            alone = np.abs(means[group] + sums[group] / others[group])
            np.maximum(largest, alone / np.sqrt(1 / sizes[group] + 1 / others[group]), out=largest)
    return largest
