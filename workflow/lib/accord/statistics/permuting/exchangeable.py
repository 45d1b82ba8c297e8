"""Which subjects may exchange their mean scores, and how means of unequal numbers are put on one scale."""

from typing import NamedTuple

import numpy as np
import scipy
from scipy import sparse

from accord.statistics.distinct import coded
from accord.statistics.permuting.equal_rows import kinds

DUST = 1e-12
"""Means that differ by no more than this share of themselves are equal: sums depend on their order so little."""

FINE, COARSE = 1.2, 2.0
"""Numbers of scores that are less than so many times a step count as that step: fine steps are 1, 2 ... 10, 12, 14, 16,
19, coarse ones 1, 2, 4, 8."""


class Means(NamedTuple):
    """Of m units (subjects) the number of each, ascending; the mean of its scores; of how many, as `levels` has it;
    and how much such a mean varies between subjects (`spread`): each (m,)."""

    units: np.ndarray
    values: np.ndarray
    counts: np.ndarray
    deviation: np.ndarray


class Layout(NamedTuple):
    """Which scores make which mean, whatever they are: units (m,), the rows (r,) that count, the unit of each (r,), and
    how many each has (m,)."""

    units: np.ndarray
    rows: np.ndarray
    of: np.ndarray
    counts: np.ndarray


def means_of(values: np.ndarray, units: np.ndarray, step: float = FINE) -> Means:
    """The means of the scores (n,) of each unit (n,) int, of some of its scores where it has more than its level."""
    return averaged(values, layout_of(units, step))


def layout_of(units: np.ndarray, step: float = FINE) -> Layout:
    """What `means_of` has in common for all scores of the same units."""
    names, of = coded(units)
    rows = np.flatnonzero(thinned(of, step))
    return Layout(names, rows, of[rows], np.bincount(of[rows]))


def averaged(values: np.ndarray, of: Layout) -> Means:
    """`means_of` of the scores (n,) of a layout."""
    some = values[of.rows]
    means = np.bincount(of.of, some) / of.counts
    return Means(of.units, means, of.counts, spread(of.counts, _intraclass(some, of.of, of.counts)))


def levels(counts: np.ndarray, step: float = FINE) -> np.ndarray:
    """Numbers of scores (m,), like ones made equal: the smallest of all that reach the same step.

    Else of subjects with dozens of scores (frames of a video) hardly two could be exchanged.
    """
    if not len(counts):
        return counts
    steps = [1]
    while steps[-1] <= counts.max():
        steps.append(max(steps[-1] + 1, int(steps[-1] * step)))
    reached = np.searchsorted(steps, counts, side="right")
    smallest = np.full(len(steps) + 1, counts.max())
    np.minimum.at(smallest, reached, counts)
    return smallest[reached]


def thinned(units: np.ndarray, step: float = FINE) -> np.ndarray:
    """(n,) bool: so many rows of each unit (n,), 0 ... m - 1, as its level is: drawn at random, the same each time.

    The mean of a part of a subject's scores is distributed as that of a subject who has no more, if the order of scores
    says nothing. That of all is not: of 11 scores all are right less often than of 10.
    """
    counts = np.bincount(units)
    wanted = levels(counts, step)
    if (wanted == counts).all():
        return np.ones(len(units), bool)
    order = np.lexsort((np.random.default_rng(0).random(len(units)), units))
    place = np.empty(len(units), int)
    place[order] = np.arange(len(units)) - np.repeat(np.cumsum(counts) - counts, counts)
    return place < wanted[units]


def intraclass(values: np.ndarray, subjects: np.ndarray) -> float:
    """How alike the scores (n,) of one subject are: the intraclass correlation, in [0, 1].

    From the one-way analysis of variance with unequal numbers (Donner, 1986). 1 where no subject has two scores, or
    all scores are equal: then nothing is known of it, and means of any number count alike.
    """
    of = coded(subjects)[1]
    return _intraclass(values, of, np.bincount(of))


def _intraclass(values: np.ndarray, of: np.ndarray, counts: np.ndarray) -> float:
    n, m = len(values), len(counts)
    if m < 2 or n == m:
        return 1.0
    means = np.bincount(of, values) / counts
    within = ((values - means[of]) ** 2).sum() / (n - m)
    between = (counts * (means - values.mean()) ** 2).sum() / (m - 1)
    common = max(0.0, (between - within) * (m - 1) / (n - (counts**2).sum() / n))
    return float(common / (common + within)) if common + within > 0 else 1.0


def spread(counts: np.ndarray, likeness: float) -> np.ndarray:
    """How much means of so many scores (m,) vary between subjects, as a share of the largest: (m,) in (0, 1].

    likeness: `intraclass`; the variance of a mean of k is likeness + (1 - likeness) / k of that of a single score.
    """
    deviation = np.sqrt(likeness + (1 - likeness) / np.maximum(counts, 1))
    return deviation / deviation.max(initial=0)


def joined(*labels: np.ndarray) -> np.ndarray:
    """The strata in which all labels are the same: each (m,) of whole numbers from 0 -> (m,) int from 0."""
    code = np.zeros(len(labels[0]), np.int64)
    for label in labels:
        code = coded(code * (int(label.max(initial=0)) + 1) + label)[1]
    return code


def strata_of(member: sparse.csr_array) -> np.ndarray:
    """Subjects in exactly the same groups share a number: (m, k) -> (m,) int, numbered as subjects come."""
    return kinds(sparse.csr_array(member > 0)).of


def comparable(groups: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """(m,) bool: whose stratum has a subject of other groups, too. groups, strata: (m,) int.

    Dealt within their stratum, the scores of all others say nothing of the groups.
    """
    both = np.unique(joined(strata, groups), return_index=True)[1]
    return np.bincount(strata[both], minlength=int(strata.max(initial=-1)) + 1)[strata] > 1


def standardised(values: np.ndarray, deviation: np.ndarray) -> np.ndarray:
    """Ranks (m,) of means as distances from the mean of all in their own spread: so the order among means of as many
    scores stays, and a ceiling that only single scores reach puts nobody first. Equal means get equal ranks."""
    same = snapped(values)
    return scipy.stats.rankdata((same - same.mean()) / deviation) if len(same) else same


def ranked(values: np.ndarray) -> np.ndarray:
    """Ranks (n,) of the scores of images among all, as shares: 0 ... 1. Equal scores get equal ranks.

    A subject's mean of these is, on average, the same where images score alike, however alike a subject's images are.
    The rank of a subject's mean is not: the means of images that are more alike lie further out.
    """
    return scipy.stats.rankdata(snapped(values)) / max(1, len(values))


def snapped(values: np.ndarray) -> np.ndarray:
    """The values, those that differ by nothing but dust made equal."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    new = np.append(True, np.diff(ordered) > DUST * np.maximum(np.abs(ordered[1:]), np.abs(ordered[:-1])))
    made = np.empty(len(values))
    made[order] = ordered[np.flatnonzero(new)[np.cumsum(new) - 1]] if len(values) else ordered
    return made
