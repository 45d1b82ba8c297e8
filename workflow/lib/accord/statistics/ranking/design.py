"""Which groups are compared, and whose scores: what tests of the same groups have in common, whatever the scores."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from accord.statistics.cohort import Cohort
from accord.statistics.distinct import distinct
from accord.statistics.permuting.exchangeable import Layout, Means, averaged, layout_of


class Ends(NamedTuple):
    """The numbers of the two groups of each comparison: arrays that broadcast together, (k, 1) and (1, k) of all pairs
    or (c,) and (c,)."""

    first: np.ndarray
    second: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(self.first.shape, self.second.shape)


def all_pairs(groups: int) -> Ends:
    """Each of so many groups against each."""
    every = np.arange(groups)
    return Ends(every[:, np.newaxis], every[np.newaxis])


@dataclass(frozen=True)
class Units:
    """m subjects in groups, each with a mean of its scores there.

    layout: which scores; member: (m, k) of 0 and 1.
    """

    layout: Layout
    member: sparse.csc_array

    @cached_property
    def strata(self) -> list[tuple[np.ndarray, sparse.csc_array]]:
        """The numbers of the units with equally many scores, and their groups."""
        every = [np.flatnonzero(self.layout.counts == count) for count in distinct(self.layout.counts)]
        return [(some, self.member[some]) for some in every]


@dataclass(frozen=True)
class Design:
    """n scores of subjects (n,) int in k groups, member (n, k) of 0 and 1, which are compared."""

    subjects: np.ndarray
    member: sparse.csc_array
    ends: Ends

    @cached_property
    def units(self) -> Units:
        """A unit per subject and group that the subject is in, of all its scores there."""
        row, unit = self._rows
        names, of, counts = np.unique(unit, return_inverse=True, return_counts=True)
        return self._of(Layout(names, row, of, counts))

    @cached_property
    def exchangeable(self) -> Units:
        """The same of as many scores as `exchangeable.levels` lets count."""
        row, unit = self._rows
        found = layout_of(unit)
        return self._of(found._replace(rows=row[found.rows]))

    @property
    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        row, group = sparse.coo_array(self.member).coords
        return row, self.subjects[row] * self.member.shape[1] + group

    def _of(self, layout: Layout) -> Units:
        k = self.member.shape[1]
        spots = (np.arange(len(layout.units)), layout.units % max(k, 1))
        member = sparse.csc_array((np.ones(len(layout.units)), spots), shape=(len(layout.units), k))
        return Units(layout, member)


@dataclass(frozen=True)
class Scored:
    """The scores (n,) of a design."""

    values: np.ndarray
    design: Design

    @cached_property
    def means(self) -> np.ndarray:
        """(m,): of `Design.units`."""
        layout = self.design.units.layout
        return np.bincount(layout.of, self.values[layout.rows]) / layout.counts

    @cached_property
    def exchangeable(self) -> Means:
        """The means of `Design.exchangeable`."""
        return averaged(self.values, self.design.exchangeable.layout)

    def of(self, values: np.ndarray) -> "Scored":
        """Other scores of the same design."""
        return replace(self, values=values)


def every_pair(cohort: Cohort) -> Scored:
    """All groups of a cohort, each against each."""
    return Scored(cohort.values, Design(cohort.units, cohort.member, all_pairs(len(cohort.groups))))
