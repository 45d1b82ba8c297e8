"""Four ways to test whether two groups differ, for many pairs of groups at once."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import scipy
from scipy import sparse, special

from accord.statistics.distinct import distinct
from accord.statistics.ranking.design import Ends, Scored
from accord.statistics.ranking.ranks import compared, stratified

DUST = 1e-18


class Contrast(NamedTuple):
    """Of each comparison of a first group with a second, in the shape of their `Ends`, for all pairs (k, k): the
    two-sided p-value, which of them lies higher by what is tested (its sign), and by how much a mean or median does. Of
    a group against itself it says nothing."""

    p: np.ndarray
    ahead: np.ndarray
    difference: np.ndarray


def image_ranks(scored: Scored) -> Contrast:
    """Mann-Whitney U over images, as FHIBE; the difference is that of means over images."""
    design = scored.design
    tested = compared(scored.values, design.member, design.ends)
    means = scored.values @ design.member / np.maximum(design.member.sum(axis=0), 1)
    return Contrast(tested.p, np.sign(np.nan_to_num(tested.effect)), _apart(means, design.ends))


def subject_ranks(scored: Scored) -> Contrast:
    """Mann-Whitney U over the means of subjects in each group, among those with as many scores (van Elteren). A subject
    of both groups counts in both, which makes the test careful."""
    means, units, ends = scored.exchangeable, scored.design.exchangeable, scored.design.ends
    tested = stratified(means.values, units, means.deviation, ends)
    figures = means.values @ units.member / np.maximum(units.member.sum(axis=0), 1)
    return Contrast(tested.p, np.sign(np.nan_to_num(tested.effect)), _apart(figures, ends))


def subject_means(scored: Scored) -> Contrast:
    """Welch's t test of the means of subjects in each group. p is 1 where neither group varies and they are equal.
    Means of few and of many scores have one expectation, and Welch's test allows for unequal spreads."""
    first, second = ends = scored.design.ends
    means, variances, counts = _moments(scored.means, scored.design.units.member)
    apart, error = _apart(means, ends), variances / np.maximum(counts, 1)
    both = error[first] + error[second]
    spread = error**2 / np.maximum(counts - 1, 1)
    freedom = np.divide(both**2, spread[first] + spread[second], out=np.ones_like(both), where=both > 0)
    return Contrast(_p(apart, both, lambda z: 2 * special.stdtr(freedom, -z)), np.sign(apart), apart)


def subject_medians(scored: Scored) -> Contrast:
    """Medians of subjects' means against their distribution-free standard errors (Price and Bonett, 2001).

    Means are taken as distances from the median of all with as many scores: medians of means of one score and of eight
    differ without any bias.
    """
    means, member, (first, second) = scored.exchangeable, scored.design.exchangeable.member, scored.design.ends
    values = means.values - _middles(means.values, means.counts)
    sides = np.split(values[member.indices], member.indptr[1:-1])
    found = np.array([_median(some) for some in sides[: member.shape[1]]]).reshape(-1, 2)
    apart, variance = _apart(found[:, 0], scored.design.ends), found[:, 1] ** 2
    both = variance[first] + variance[second]
    return Contrast(_p(apart, both, lambda z: 2 * special.ndtr(-z)), np.sign(apart), apart)


TESTS: dict[str, Callable[[Scored], Contrast]] = {
    "subject ranks": subject_ranks,
    "subject means": subject_means,
    "subject medians": subject_medians,
    "image ranks": image_ranks,
}


def _middles(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(n,): the median of the values with the same count, less that of all: 0 where all counts are the same."""
    made = np.zeros(len(values))
    for count in distinct(counts):
        made[counts == count] = np.median(values[counts == count])
    return made - np.median(values) if len(values) else made


def _apart(figures: np.ndarray, ends: Ends) -> np.ndarray:
    return figures[ends.first] - figures[ends.second]


def _p(apart: np.ndarray, variance: np.ndarray, tail: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """P-values of differences with their variances; where nothing varies 0 of any difference and 1 of none."""
    error = np.sqrt(variance)
    z = np.divide(np.abs(apart), error, out=np.where(np.abs(apart) < DUST**0.5, 0.0, np.inf), where=error > 0)
    return np.clip(tail(z), 0, 1)


def _moments(values: np.ndarray, member: sparse.csc_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k,): means, variances and numbers of the values (m,) of each group (m, k)."""
    counts = member.sum(axis=0).astype(int)
    middle = values.mean() if len(values) else 0.0
    centred = values - middle
    means = centred @ member / np.maximum(counts, 1)
    squares = np.clip(centred**2 @ member - counts * means**2, 0, None)
    alike = squares < DUST * counts
    return means + middle, np.where(alike, 0, squares) / np.maximum(counts - 1, 1), counts


def _median(values: np.ndarray) -> tuple[float, float]:
    """The median and its standard error: half the distance of two order statistics over the normal quantile of the
    chance that the median lies between them."""
    n = len(values)
    if n < 2:
        return (float(values[0]) if n else float("nan")), float("nan")
    ordered, (rank, apart) = np.sort(values), _order_statistics(n)
    error = (ordered[n - rank] - ordered[rank - 1]) / apart
    return float(ordered[(n - 1) // 2] + ordered[n // 2]) / 2, float(error)


@cache
def _order_statistics(n: int) -> tuple[int, float]:
    """The lower one's rank of so many, and how many standard errors lie between the two."""
    rank = max(1, round((n + 1) / 2 - np.sqrt(n)))
    return rank, 2 * float(scipy.stats.norm.isf(scipy.stats.binom.cdf(rank - 1, n, 0.5)))
