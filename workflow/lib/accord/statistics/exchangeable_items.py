"""What is dealt to test groups: the mean score of each unit; and of people who are always in the same images, what
each has more than these have on average.

Scores of an image share what it is like, so that a cluster of people who are joined by images is one unit, exchanged
with others of as many people and scores. Within it nothing tells people apart who are in exactly the same images: they
exchange what sets them apart, which keeps the power of comparing people in the same light.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from accord.statistics.cohort import Cohort
from accord.statistics.distinct import coded, distinct
from accord.statistics.permuting.exchangeable import FINE, intraclass, joined, levels, means_of

LEAST_SPREAD = 0.1
"""Of people in company: so they count at most 1 / this^2 times as much as people alone with a score."""


class Items(NamedTuple):
    """Of m units, and behind them p people in company: values, strata and deviation as `max_difference_p` takes them,
    each (m + p,); people: (m + p,) how many each is; company: (p,) the subjects in company."""

    values: np.ndarray
    strata: np.ndarray
    deviation: np.ndarray
    people: np.ndarray
    company: np.ndarray

    def members(self, cohort: Cohort) -> sparse.csr_array:
        """(m + p, k): above 0 where a unit, or a person in company, has a score in a group of a cohort of these."""
        if not len(self.company):
            return cohort.by_unit
        return sparse.csr_array(sparse.vstack([cohort.by_unit, cohort.by_subject[self.company]]))


def items_of(cohort: Cohort, scores: np.ndarray, step: float = FINE) -> Items:
    """The items of the scores (n,) of a cohort; step: of numbers of scores, and of people, that count alike."""
    _, means, counts, deviation = means_of(scores, cohort.units, step)
    people = cohort.people
    if people.max(initial=1) == 1:
        return Items(means, counts, deviation, people, np.zeros(0, int))
    strata = joined(counts, levels(people, step))
    subjects, company = _company(cohort)
    if not len(subjects):
        return Items(means, strata, deviation, people, subjects)
    each = (np.bincount(cohort.subjects, scores) / np.bincount(cohort.subjects))[subjects]
    apart = each - (np.bincount(company, each) / np.bincount(company))[company]
    spread = max(_spread(apart, company, scores), LEAST_SPREAD) / _largest(scores, cohort.units, counts)
    return Items(
        np.append(means, apart),
        np.append(strata, strata.max() + 1 + company),
        np.append(deviation, np.full(len(subjects), spread)),
        np.append(people, np.ones(len(subjects), int)),
        subjects,
    )


def _company(cohort: Cohort) -> tuple[np.ndarray, np.ndarray]:
    """The subjects who are in company, ascending, and the number of each one's, from 0."""
    if cohort.company is None:
        return np.zeros(0, int), np.zeros(0, int)
    of = cohort.company[np.unique(cohort.subjects, return_index=True)[1]]
    subjects = np.flatnonzero((of >= 0) & (np.bincount(of + 1)[of + 1] > 1))
    return subjects, coded(of[subjects])[1]


def _spread(apart: np.ndarray, company: np.ndarray, scores: np.ndarray) -> float:
    """The standard deviation of people about their company, as a share of that of scores; 1 where these are equal."""
    whole, freedom = scores.var(), len(company) - len(distinct(company))
    return float(np.sqrt((apart**2).sum() / freedom / whole)) if whole > 0 else 1.0


def _largest(scores: np.ndarray, units: np.ndarray, counts: np.ndarray) -> float:
    """The largest standard deviation of a unit's mean, as a share of that of a single score (`exchangeable.spread`)."""
    alike = intraclass(scores, units)
    return float(np.sqrt(alike + (1 - alike) / counts.min()))
