"""What subjects say of each group: one mean score per subject and group, and the moments of those means."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from accord.analyse.cohort import Cohort
from accord.analyse.ratios import ratio


@dataclass(frozen=True)
class Moments:
    """For k groups, each (k, k), [a, b] of the subjects that are in a and not in b: their number, the mean of their
    means in a, and the sum of the squares about it."""

    counts: np.ndarray
    means: np.ndarray
    squares: np.ndarray


def moments(cohort: Cohort) -> Moments:
    """Numbers, means and squares of each group's subjects without those of each other group; NaN of none."""
    inside = (cohort.by_subject > 0).toarray().astype(float)
    own = np.divide(cohort.sums.toarray(), cohort.by_subject.toarray(), out=np.zeros_like(inside), where=inside > 0)
    middle = cohort.values.mean() if len(cohort.values) else 0.0
    apart = (own - middle) * inside
    counts = inside.T @ (1 - inside)
    sums, squares = (part.T @ (1 - inside) for part in (apart, apart**2))
    means = ratio(sums, counts)
    return Moments(counts, means + middle, np.clip(squares - counts * np.nan_to_num(means) ** 2, 0, None))


def per_subject(cohort: Cohort) -> tuple[Cohort, np.ndarray]:
    """One row per subject and group that the subject is in: the mean of the subject's scores in it; their numbers."""
    counts, sums = sparse.coo_array(cohort.by_subject), sparse.csr_array(cohort.sums)
    subject, group = counts.coords
    values = np.asarray(sums[subject, group]).ravel() / counts.data
    spots = (np.arange(len(values)), group)
    member = sparse.csc_array((np.ones(len(values)), spots), shape=(len(values), len(cohort.groups)))
    return Cohort(values, subject, member, cohort.groups), counts.data.astype(int)
