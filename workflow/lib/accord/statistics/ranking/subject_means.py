"""What subjects say of each group: one mean score per subject and group, and the moments of those means."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from accord.statistics.cohort import Cohort
from accord.statistics.describing.ratios import ratio
from accord.statistics.permuting.exchangeable import Means, levels, means_of


@dataclass(frozen=True)
class Moments:
    """For k groups, each (k, k), [a, b] of the subjects that are in a and not in b: their number, the mean of their
    means in a, and the sum of the squares about it. alike: n1 n2 / (n1 + n2) of those on either side with equally many
    scores, summed over these numbers: what subjects who can be compared come to."""

    counts: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    alike: np.ndarray


def moments(cohort: Cohort) -> Moments:
    """Numbers, means and squares of each group's subjects without those of each other group; NaN of none."""
    inside = (cohort.by_subject > 0).toarray().astype(float)
    own = np.divide(cohort.sums.toarray(), cohort.by_subject.toarray(), out=np.zeros_like(inside), where=inside > 0)
    middle = cohort.values.mean() if len(cohort.values) else 0.0
    apart = (own - middle) * inside
    counts = inside.T @ (1 - inside)
    sums, squares = (part.T @ (1 - inside) for part in (apart, apart**2))
    means = ratio(sums, counts)
    centred = np.clip(squares - counts * np.nan_to_num(means) ** 2, 0, None)
    return Moments(counts, means + middle, centred, _alike(inside, cohort.by_subject))


def _alike(inside: np.ndarray, by_subject: sparse.csr_array) -> np.ndarray:
    scores = np.zeros(inside.shape, int)
    scores[by_subject.nonzero()] = levels(by_subject[by_subject.nonzero()].astype(int))
    found = np.zeros((inside.shape[1],) * 2)
    for count in np.unique(scores[scores > 0]):
        rows = (scores == count).any(axis=1)
        some = (scores[rows] == count).T @ (1 - inside[rows])
        found += np.nan_to_num(ratio(some * some.T, some + some.T))
    return found


def per_subject(cohort: Cohort) -> Cohort:
    """One row per subject and group that the subject is in: the mean of the subject's scores in it."""
    counts, sums = sparse.coo_array(cohort.by_subject), sparse.csr_array(cohort.sums)
    subject, group = counts.coords
    return _of_means(np.asarray(sums[subject, group]).ravel() / counts.data, subject, group, cohort.groups)


def exchangeable(cohort: Cohort) -> tuple[Cohort, Means]:
    """The same with the means as they may be exchanged, and those means."""
    row, group = sparse.coo_array(cohort.member).coords
    k = len(cohort.groups)
    each = means_of(cohort.values[row], cohort.subjects[row] * k + group)
    return _of_means(each.values, each.units // max(k, 1), each.units % max(k, 1), cohort.groups), each


def _of_means(values: np.ndarray, subject: np.ndarray, group: np.ndarray, groups: tuple[str, ...]) -> Cohort:
    spots = (np.arange(len(values)), group)
    member = sparse.csc_array((np.ones(len(values)), spots), shape=(len(values), len(groups)))
    return Cohort(values, subject, member, groups)
