"""What subjects say of each group: the moments of their mean scores in it."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from accord.statistics.cohort import Cohort
from accord.statistics.describing.ratios import ratio
from accord.statistics.distinct import distinct
from accord.statistics.permuting.exchangeable import levels


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
    inside = (cohort.by_unit > 0).toarray().astype(float)
    own = np.divide(cohort.sums.toarray(), cohort.by_unit.toarray(), out=np.zeros_like(inside), where=inside > 0)
    middle = cohort.values.mean() if len(cohort.values) else 0.0
    apart = (own - middle) * inside
    counts = inside.T @ (1 - inside)
    sums, squares = (part.T @ (1 - inside) for part in (apart, apart**2))
    means = ratio(sums, counts)
    centred = np.clip(squares - counts * np.nan_to_num(means) ** 2, 0, None)
    return Moments(counts, means + middle, centred, _alike(inside, cohort.by_unit))


def _alike(inside: np.ndarray, by_subject: sparse.csr_array) -> np.ndarray:
    scores = np.zeros(inside.shape, int)
    scores[by_subject.nonzero()] = levels(by_subject[by_subject.nonzero()].astype(int))
    found = np.zeros((inside.shape[1],) * 2)
    for count in distinct(scores[scores > 0]):
        rows = (scores == count).any(axis=1)
        some = (scores[rows] == count).T @ (1 - inside[rows])
        found += np.nan_to_num(ratio(some * some.T, some + some.T))
    return found
