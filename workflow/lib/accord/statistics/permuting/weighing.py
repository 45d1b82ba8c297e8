"""Weighs differences between groups by how much they vary when scores are dealt out within strata."""

from typing import NamedTuple

import numpy as np
from scipy import sparse


class Weighing(NamedTuple):
    """For k groups: share (k,) 1 / what their subjects tell, 0 of nothing; alone (k,) 1 / the spread of a group's sum
    over all deals; apart (k, k) 1 / that of the difference of two groups' sums times `share`."""

    share: np.ndarray
    alone: np.ndarray
    apart: np.ndarray


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
    covariance = (groups.multiply((sizes * each)[strata]) @ groups.T).toarray() - (counts * each) @ counts.T
    covariance *= share[:, np.newaxis] * share
    own = np.sqrt(np.clip(np.diag(covariance), 0, None))
    between = own[:, np.newaxis] ** 2 + own**2 - 2 * covariance
    apart = np.sqrt(np.maximum(between, (own[:, np.newaxis] + own) ** 2 / 2))
    both = (known[:, np.newaxis] > 0) & (known > 0)
    return Weighing(share, _inverse(own * known), _inverse(np.where(both, apart, 0)))


def largest(sums: np.ndarray, weighed: Weighing) -> np.ndarray:
    """(k, deals) sums of scores -> (deals,): the largest weighed difference between two groups, or between a group and
    all others."""
    means = sums * weighed.share[:, np.newaxis]
    found = _alone(sums, weighed)
    for group in range(len(sums) - 1):
        apart = np.abs(means[group + 1 :] - means[group]) * weighed.apart[group, group + 1 :, np.newaxis]
        np.maximum(found, apart.max(axis=0), out=found)
    return found


def reaches(sums: np.ndarray, weighed: Weighing, observed: float) -> np.ndarray:
    """(deals,) bool: whether `largest` is `observed` or more. It is worked out only where it can be.

    Two groups lie no further apart than their distances from all others together, |z1| s1 + |z2| s2, weighed by at
    least (s1 + s2) / sqrt(2): so none further than the largest z by the root of 2.
    """
    possible = _alone(sums, weighed) * np.sqrt(2) >= observed * (1 - 1e-9)
    found = np.zeros(sums.shape[1], bool)
    found[possible] = largest(sums[:, possible], weighed) >= observed
    return found


def _alone(sums: np.ndarray, weighed: Weighing) -> np.ndarray:
    return (np.abs(sums) * weighed.alone[:, np.newaxis]).max(axis=0, initial=0)


def _inverse(of: np.ndarray) -> np.ndarray:
    return np.divide(1, of, out=np.zeros_like(of), where=of > 0)
