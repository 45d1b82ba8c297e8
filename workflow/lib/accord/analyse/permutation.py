"""Do groups differ between subjects? Subjects' scores are dealt out anew, and the largest difference is kept."""

import numpy as np
from scipy import sparse, stats

from accord.analyse.alike import kinds
from accord.analyse.dealer import dealer

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
    sizes = groups.sum(axis=0)
    observed = _largest(groups.T @ ranks[:, np.newaxis], sizes, len(ranks))[0] * (1 - DUST)
    if observed <= DUST:
        return 1.0
    deal = dealer(ranks, groups, strata, rng)
    dealt = extreme = 0
    while dealt < most:
        count = min(most - dealt, LARGEST, max(FIRST, dealt))
        reached = np.cumsum(_reaches(deal(count), sizes, len(ranks), observed)) + extreme
        if reached[-1] >= ENOUGH:
            return ENOUGH / (dealt + 1 + int(np.argmax(reached >= ENOUGH)))
        dealt, extreme = dealt + count, int(reached[-1])
    return (extreme + 1) / (most + 1)


def strata_of(member: sparse.csr_array) -> np.ndarray:
    """Subjects in exactly the same groups share a number: (m, k) -> (m,) int, numbered as subjects come."""
    of = kinds(sparse.csr_array(member > 0)).of
    first = np.unique(of, return_index=True)[1]
    return np.argsort(np.argsort(first))[of]


def _aligned(ranks: np.ndarray, strata: np.ndarray) -> np.ndarray:
    return ranks - (np.bincount(strata, ranks) / np.bincount(strata))[strata]


def _reaches(sums: np.ndarray, sizes: np.ndarray, subjects: int, observed: float) -> np.ndarray:
    """(deals,) bool: whether `_largest` is `observed` or more. It is worked out only where it can be.

    With z = sum / sqrt(n) of a group no difference between two exceeds the root of z1^2 + z2^2 (Cauchy and Schwarz),
    and none between a group and all others |sum| sqrt(1/n + 1/others).
    """
    squares, own = sums**2, sizes[:, np.newaxis]
    others = subjects - own
    alone = squares * (1 / own + np.divide(1, others, out=np.zeros(own.shape), where=others > 0))
    two = np.partition(squares / own, -2, axis=0)[-2:].sum(axis=0)
    possible = np.maximum(alone.max(axis=0), two) >= observed**2 * (1 - DUST)
    found = np.zeros(sums.shape[1], bool)
    found[possible] = _largest(sums[:, possible], sizes, subjects) >= observed
    return found


def _largest(sums: np.ndarray, sizes: np.ndarray, subjects: int) -> np.ndarray:
    """(k, deals) sums of ranks that add up to 0 over all subjects -> (deals,): the largest weighed difference between
    two groups' mean ranks, or between those of a group and of all other subjects."""
    means, others = sums / sizes[:, np.newaxis], subjects - sizes
    largest = np.zeros(sums.shape[1])
    for group in range(len(sizes)):
        scale = 1 / np.sqrt(1 / sizes[group] + 1 / sizes[group + 1 :])
        apart = np.abs(means[group + 1 :] - means[group]) * scale[:, np.newaxis]
        np.maximum(largest, apart.max(axis=0, initial=0), out=largest)
        if others[group]:
            alone = np.abs(means[group] + sums[group] / others[group])
            np.maximum(largest, alone / np.sqrt(1 / sizes[group] + 1 / others[group]), out=largest)
    return largest
