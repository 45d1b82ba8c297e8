"""Gaps between groups within the strata of a feature, of many pairs: what each group's scores come to is kept."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from accord.analyse.explaining.fixed import SHARED, standardised
from accord.statistics.cohort import Cohort
from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling import bootstrap


class Side(NamedTuple):
    """A group: which subjects (strata, m) bool it has; sums and numbers of its scores in each draw, (strata, draws)."""

    subjects: np.ndarray
    sums: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True)
class StrataGaps:
    """A cohort's groups within strata (n,) int of a feature, of the rows where it is known (n,) bool.

    sign: 1 where higher scores are better, else -1; times: draws of subjects.
    """

    cohort: Cohort
    strata: np.ndarray
    known: np.ndarray
    sign: int
    times: np.ndarray | bootstrap.Turned
    _sides: dict[int, Side] = field(default_factory=dict)

    def gaps(self, ends: np.ndarray) -> np.ndarray:
        """(pairs,): better - worse of each (worse, better), weighed as both groups have strata; NaN where they share
        none."""
        counts, (worst, best) = self._counts, ends.T
        means = np.divide(self._sums, counts, out=np.zeros_like(counts), where=counts > 0)
        weights = np.where((counts[worst] > 0) & (counts[best] > 0), counts[worst] + counts[best], 0)
        apart = self.sign * (weights * (means[best] - means[worst])).sum(axis=1)
        return ratio(apart, weights.sum(axis=1))

    def is_reversed(self, worst: int, best: int, least: int) -> bool:
        """Whether the gap's 95% interval lies below 0, of groups that share enough: `fixed.why_not`."""
        ends = [worst, best]
        both = (self._counts[ends] > 0).all(axis=0)
        if (self._counts[ends][:, both].sum(axis=1) / self.cohort.sizes[ends]).min() < SHARED:
            return False
        low, high = map(self._side, ends)
        fewest = min(int(side.subjects[both].any(axis=0).sum()) for side in (low, high))
        if fewest < least:
            return False
        return bootstrap.interval(standardised(low[1:], high[1:]), fewest)[1] < 0

    @cached_property
    def _rows(self) -> np.ndarray:
        return np.flatnonzero(self.known)

    @cached_property
    def _counts(self) -> np.ndarray:
        """(k, strata)."""
        return self._summed(np.ones(len(self._rows)))

    @cached_property
    def _sums(self) -> np.ndarray:
        return self._summed(self.cohort.values[self._rows])

    def _summed(self, values: np.ndarray) -> np.ndarray:
        shape = (len(self.strata), int(self.strata.max()) + 1)
        of = sparse.csr_array((values, (self._rows, self.strata[self._rows])), shape=shape)
        return (self.cohort.member.T @ of).toarray()

    def _side(self, group: int) -> Side:
        if group not in self._sides:
            rows = self.cohort.rows(group)
            rows = rows[self.known[rows]]
            m, many = self.times.shape[1], self._counts.shape[1]
            spots = self.strata[rows] * m + self.cohort.units[rows]
            counts = np.bincount(spots, minlength=many * m)
            sums, there = np.bincount(spots, self.cohort.values[rows], minlength=many * m), np.flatnonzero(counts)
            starts = np.searchsorted(there, np.arange(many + 1) * m)
            parts = [
                sparse.csr_array((of[there], there % m, starts), shape=(many, m)) for of in (self.sign * sums, counts)
            ]
            made = [np.hstack([part @ some for some in bootstrap.columns(self.times)]) for part in parts]
            self._sides[group] = Side(counts.reshape(many, m) > 0, *made)
        return self._sides[group]
