"""Weighs differences between groups by how much they vary: over deals within strata, or by the groups' own subjects
where these vary more (a studentised permutation test).

A deal takes it that subjects vary alike in all groups. Where those of a small group vary more (its images of a subject
are more alike), differences that say nothing would look large. A statistic that is divided by the groups' own spread is
exact where subjects can be exchanged, and holds for large groups where they can't (Neuhaus, 1993; Janssen, 1997; Chung
and Romano, 2013; of ranks: Neubert and Brunner, 2007).
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

DUST = 1e-9
AT_ONCE = 10_000_000
"""Dealt scores that are in memory three times at once."""


class Weighing(NamedTuple):
    """For k groups: share (k,) 1 / what their subjects tell, 0 of nothing; alone (k,) 1 / the spread of a group's sum
    over all deals; apart (k, k) 1 / that of the difference of two groups' sums times `share`; own: see `Own`;
    covariance (k, k) of groups' sums over all deals."""

    share: np.ndarray
    alone: np.ndarray
    apart: np.ndarray
    own: "Own"
    covariance: np.ndarray


class Own(NamedTuple):
    """How k groups' own subjects vary about their mean: squares (k, m) @ scores^2 - shift (k,) * sums^2, as a share of
    what it is on average over deals. part: (k,), the share of a sum's variance that is the group's own subjects'."""

    part: np.ndarray
    squares: sparse.csr_array
    shift: np.ndarray


def weighing(groups: sparse.csr_array, strata: np.ndarray, scores: np.ndarray, deviation: np.ndarray) -> Weighing:
    """How sums of `scores` (m,) of the groups (k, m) of 0 and 1 are weighed; scores of a stratum add up to 0.

    strata: (m,) int, each of two subjects or more, in which scores are dealt; deviation: (m,) of a subject's score. A
    subject tells 1 / deviation^2, if its stratum has subjects in its group and outside; with one stratum a group's
    share is so 1 / its number. Spreads are the exact ones of all deals. That of two groups which share many subjects
    counts as at least (spread of one + of the other) / sqrt(2): no smaller than where they share none, so that
    differences of a few subjects don't outweigh all others.
    """
    sizes = np.bincount(strata)
    at = sparse.csr_array((np.ones(len(strata)), (np.arange(len(strata)), strata)))
    counts = (groups @ at).toarray()
    each = np.bincount(strata, scores**2) / (sizes * (sizes - 1))
    told = np.bincount(strata, deviation**-2.0) / sizes
    known = np.where((counts > 0) & (counts < sizes), counts, 0) @ told
    share = _inverse(known)
    of_sums = covariance_of(groups, strata, scores)
    variance = np.clip(np.diag(of_sums), 0, None)
    covariance = of_sums * (share[:, np.newaxis] * share)
    spread = np.sqrt(variance) * share
    between = spread[:, np.newaxis] ** 2 + spread**2 - 2 * covariance
    apart = np.sqrt(np.maximum(between, (spread[:, np.newaxis] + spread) ** 2 / 2))
    both = (known[:, np.newaxis] > 0) & (known > 0)
    own = _own(groups, strata, counts / sizes, each, told, variance)
    return Weighing(share, _inverse(spread * known), _inverse(np.where(both, apart, 0)), own, of_sums)


def covariance_of(groups: sparse.csr_array, strata: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """(k, k): of the sums of scores (m,) of the groups (k, m) over all deals; scores of a stratum add up to 0."""
    sizes = np.bincount(strata)
    at = sparse.csr_array((np.ones(len(strata)), (np.arange(len(strata)), strata)))
    counts = (groups @ at).toarray()
    each = np.bincount(strata, scores**2) / (sizes * (sizes - 1))
    return (groups.multiply((sizes * each)[strata]) @ groups.T).toarray() - (counts * each) @ counts.T


def _own(
    groups: sparse.csr_array,
    strata: np.ndarray,
    inside: np.ndarray,
    each: np.ndarray,
    told: np.ndarray,
    variance: np.ndarray,
) -> Own:
    """inside: (k, strata), the share of a stratum's subjects in a group; each, told: (strata,), the variance of a score
    over deals by the stratum's size, and what a subject tells; variance: (k,) of groups' sums over deals.

    A subject's score is in its group's sum with weight 1 - inside. Scores of a group that are higher by as much as its
    subjects tell move its sum by (1 - inside) times that: `shift` takes what this adds to the squares away.
    """
    sizes = np.bincount(strata)
    counts, outside = inside * sizes, 1 - inside
    part = (counts * outside**2) @ (sizes * each) * _inverse(variance)
    shift = (counts * outside**4) @ told**2 * _inverse((counts * outside**2) @ told) ** 2
    expected = (counts * outside**2) @ (each * (sizes - 1)) - shift * variance
    of = _inverse(np.where(expected > DUST * variance, expected, 0))
    squares = groups.multiply((outside**2 * of[:, np.newaxis])[:, strata])
    return Own(np.clip(part, DUST, 1)[:, np.newaxis], sparse.csr_array(squares), (shift * of)[:, np.newaxis])


def largest(sums: np.ndarray, weighed: Weighing, dealt: np.ndarray | None = None) -> np.ndarray:
    """(k, deals) sums of scores -> (deals,): the largest weighed difference between two groups, or between a group and
    all others. dealt: (m, deals) the scores themselves; without them all groups vary alike.

    Differences are divided by the larger of two spreads: that over all deals, and that of the groups' own subjects.
    """
    ratios = np.ones((len(sums), 1)) if dealt is None else _ratios(sums, dealt, weighed.own)
    means, part = sums * weighed.share[:, np.newaxis], weighed.own.part
    others = (1 - (1 - part) * ratios) / part
    found = (_alone(sums, weighed) / _wider(part * ratios + (1 - part) * others)).max(axis=0, initial=0)
    for group in range(len(sums) - 1):
        rest = slice(group + 1, None)
        mine = (weighed.share[group] * _inverse(weighed.share[rest] + weighed.share[group]))[:, np.newaxis]
        wider = _wider(mine * ratios[group] + (1 - mine) * ratios[rest])
        apart = np.abs(means[rest] - means[group]) * weighed.apart[group, rest, np.newaxis] / wider
        np.maximum(found, apart.max(axis=0), out=found)
    return found


def reaches(sums: np.ndarray, weighed: Weighing, observed: float, dealt: np.ndarray | None = None) -> np.ndarray:
    """(deals,) bool: whether `largest` is `observed` or more. It is worked out only where it can be."""
    likely = np.flatnonzero(_alone(sums, weighed).max(axis=0, initial=0) >= possible(observed))
    found = np.zeros(sums.shape[1], bool)
    step = max(1, AT_ONCE // max(len(sums if dealt is None else dealt), 1))
    for start in range(0, len(likely), step):
        some = likely[start : start + step]
        found[some] = largest(sums[:, some], weighed, None if dealt is None else dealt[:, some]) >= observed
    return found


def possible(largest: float) -> float:
    """What a group's weighed distance from all others must reach where `largest` does.

    Two groups lie no further apart than their distances from all others together, |z1| s1 + |z2| s2, weighed by at
    least (s1 + s2) / sqrt(2): so none further than the largest z by the root of 2. Own spreads make nothing larger.
    """
    return largest * (1 - DUST) / np.sqrt(2)


def _alone(sums: np.ndarray, weighed: Weighing) -> np.ndarray:
    return np.abs(sums) * weighed.alone[:, np.newaxis]


def _ratios(sums: np.ndarray, dealt: np.ndarray, own: Own) -> np.ndarray:
    """(k, deals): how much groups' own subjects vary in each deal, as a share of the average."""
    return own.squares @ dealt**2 - own.shift * sums**2


def _wider(variance: np.ndarray) -> np.ndarray:
    return np.sqrt(np.maximum(variance, 1))


def _inverse(of: np.ndarray) -> np.ndarray:
    return np.divide(1, of, out=np.zeros_like(of), where=of > 0)
