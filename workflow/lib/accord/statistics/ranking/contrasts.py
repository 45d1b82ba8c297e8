"""Four ways to test whether two groups differ, for all pairs of groups at once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy
from scipy import special

from accord.statistics.cohort import Cohort
from accord.statistics.ranking.ranks import mann_whitney, stratified
from accord.statistics.ranking.subject_means import exchangeable, per_subject

DUST = 1e-18


class Contrast(NamedTuple):
    """For k groups, each (k, k), [a, b] of a against b: the two-sided p-value, which of them lies higher by what is
    tested (its sign), and by how much a mean or median does. The diagonal says nothing."""

    p: np.ndarray
    ahead: np.ndarray
    difference: np.ndarray


def image_ranks(cohort: Cohort) -> Contrast:
    """Mann-Whitney U over images, as FHIBE; the difference is that of means over images."""
    tested = mann_whitney(cohort)
    return Contrast(tested.p, np.sign(np.nan_to_num(tested.effect)), _apart(_means(cohort)))


def subject_ranks(cohort: Cohort) -> Contrast:
    """Mann-Whitney U over the means of subjects in each group, among those with as many scores (van Elteren). A subject
    of both groups counts in both, which makes the test careful."""
    each, means = exchangeable(cohort)
    tested = stratified(each, means.counts, means.deviation)
    return Contrast(tested.p, np.sign(np.nan_to_num(tested.effect)), _apart(_means(each)))


def subject_means(cohort: Cohort) -> Contrast:
    """Welch's t test of the means of subjects in each group. p is 1 where neither group varies and they are equal.
    Means of few and of many scores have one expectation, and Welch's test allows for unequal spreads."""
    means, variances, counts = _moments(per_subject(cohort))
    apart, error = _apart(means), variances / np.maximum(counts, 1)
    both = error[:, np.newaxis] + error
    spread = error**2 / np.maximum(counts - 1, 1)
    freedom = np.divide(both**2, spread[:, np.newaxis] + spread, out=np.ones_like(both), where=both > 0)
    return Contrast(_p(apart, both, lambda z: 2 * special.stdtr(freedom, -z)), np.sign(apart), apart)


def subject_medians(cohort: Cohort) -> Contrast:
    """Medians of subjects' means against their distribution-free standard errors (Price and Bonett, 2001).

    Means are taken as distances from the median of all with as many scores: medians of means of one score and of eight
    differ without any bias.
    """
    each, means = exchangeable(cohort)
    values = each.values - _middles(each.values, means.counts)
    found = np.array([_median(values[each.rows(group)]) for group in range(len(each.groups))]).reshape(-1, 2)
    apart, both = _apart(found[:, 0]), found[:, 1, np.newaxis] ** 2 + found[:, 1] ** 2
    return Contrast(_p(apart, both, lambda z: 2 * special.ndtr(-z)), np.sign(apart), apart)


TESTS: dict[str, Callable[[Cohort], Contrast]] = {
    "subject ranks": subject_ranks,
    "subject means": subject_means,
    "subject medians": subject_medians,
    "image ranks": image_ranks,
}


def _means(cohort: Cohort) -> np.ndarray:
    return cohort.values @ cohort.member / np.maximum(cohort.sizes, 1)


def _middles(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(n,): the median of the values with the same count, less that of all: 0 where all counts are the same."""
    made = np.zeros(len(values))
    for count in np.unique(counts):
        made[counts == count] = np.median(values[counts == count])
    return made - np.median(values) if len(values) else made


def _apart(figures: np.ndarray) -> np.ndarray:
    return figures[:, np.newaxis] - figures


def _p(apart: np.ndarray, variance: np.ndarray, tail: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """P-values of differences with their variances; where nothing varies 0 of any difference and 1 of none."""
    error = np.sqrt(variance)
    z = np.divide(np.abs(apart), error, out=np.where(np.abs(apart) < DUST**0.5, 0.0, np.inf), where=error > 0)
    return np.clip(tail(z), 0, 1)


def _moments(each: Cohort) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k,): means, variances and numbers of the rows of each group."""
    counts = each.sizes
    middle = each.values.mean() if len(each.values) else 0.0
    centred = each.values - middle
    means = centred @ each.member / np.maximum(counts, 1)
    squares = np.clip(centred**2 @ each.member - counts * means**2, 0, None)
    alike = squares < DUST * counts
    return means + middle, np.where(alike, 0, squares) / np.maximum(counts - 1, 1), counts


def _median(values: np.ndarray) -> tuple[float, float]:
    """The median and its standard error: half the distance of two order statistics over the normal quantile of the
    chance that the median lies between them."""
    n = len(values)
    if n < 2:
        return (float(values[0]) if n else float("nan")), float("nan")
    ordered, rank = np.sort(values), max(1, round((n + 1) / 2 - np.sqrt(n)))
    apart = 2 * scipy.stats.norm.isf(scipy.stats.binom.cdf(rank - 1, n, 0.5))
    error = (ordered[n - rank] - ordered[rank - 1]) / apart
    return float(np.median(values)), float(error)
