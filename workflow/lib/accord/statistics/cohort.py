"""Scores with their groups: what a comparison of groups looks at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse

from accord.engine import encoded
from accord.statistics.clusters import company, joined, joint

KEY = ["image", "subject"]
TEST = ["task", "model", "metric"]
PERSON = "person"


@dataclass(frozen=True)
class Cohort:
    """n scores of m units (subjects, or clusters of subjects who share images) in k groups of one attribute.

    values: (n,) float64; subjects: (n,) int, whose scores they are: so many people are in a group; member: (n, k)
    sparse float64 of 0 and 1; groups: k names, sorted; units: (n,) int in 0 ... m - 1, who is independent of others
    (`clusters.joined`); the subjects, if not given. company: (n,) int, `clusters.company`. A score may be in several
    groups.
    """

    values: np.ndarray
    subjects: np.ndarray
    member: sparse.csc_array
    groups: tuple[str, ...]
    clusters: np.ndarray | None = None
    company: np.ndarray | None = None

    @property
    def units(self) -> np.ndarray:
        """(n,): the unit of each score."""
        return self.subjects if self.clusters is None else self.clusters

    @cached_property
    def by_unit(self) -> sparse.csr_array:
        """(m, k): how many scores of each unit each group has."""
        return sparse.csr_array(_sums(self.units) @ self.member)

    @cached_property
    def by_subject(self) -> sparse.csr_array:
        """(s, k): how many scores of each subject each group has."""
        return self.by_unit if self.units is self.subjects else sparse.csr_array(_sums(self.subjects) @ self.member)

    @cached_property
    def people(self) -> np.ndarray:
        """(m,): how many subjects each unit is."""
        if self.units is self.subjects:
            return np.ones(len(self.counts), int)
        first = np.unique(self.subjects, return_index=True)[1]
        return np.bincount(self.units[first])

    @cached_property
    def sums(self) -> sparse.csr_array:
        """(m, k): the sum of each unit's scores in each group."""
        return sparse.csr_array(_sums(self.units) @ self.member.multiply(self.values[:, np.newaxis]))

    @cached_property
    def sizes(self) -> np.ndarray:
        """(k,): scores per group."""
        return self.member.sum(axis=0).astype(int)

    @cached_property
    def subject_counts(self) -> np.ndarray:
        """(k,): subjects per group."""
        return _filled(self.by_subject)

    @cached_property
    def unit_counts(self) -> np.ndarray:
        """(k,): units per group."""
        return _filled(self.by_unit)

    @cached_property
    def subject_means(self) -> np.ndarray:
        """(m,): each unit's mean score."""
        return np.bincount(self.units, self.values) / self.counts

    @cached_property
    def counts(self) -> np.ndarray:
        """(m,): how many scores each unit has."""
        return np.bincount(self.units)

    def rows(self, group: int) -> np.ndarray:
        """The rows of one group, ascending."""
        return np.sort(self.member.indices[self.member.indptr[group] : self.member.indptr[group + 1]])

    def only(self, groups: np.ndarray) -> "Cohort":
        """The same scores, with some of the groups (by number)."""
        return replace(self, member=self.member[:, groups], groups=tuple(self.groups[g] for g in groups))


def _sums(of: np.ndarray) -> sparse.csr_array:
    """What adds up the rows of each unit: of (n,) int in 0 ... m - 1 -> (m, n)."""
    n, m = len(of), int(of.max(initial=-1)) + 1
    return sparse.csr_array((np.ones(n), (of, np.arange(n))), shape=(m, n))


def _filled(counts: sparse.csr_array) -> np.ndarray:
    """How many cells above 0 each column has."""
    return np.bincount(counts.indices[counts.data > 0], minlength=counts.shape[1])


def numbered(*tables: pd.DataFrame) -> tuple[pd.DataFrame, ...]:
    """The tables (image, subject, ...), each with a column `person`: one number for an image and a subject, in order.

    What compares them often does it with numbers: to look up two texts takes several times as long. Tables that have
    the column stay as they are: they were numbered together.
    """
    if all(PERSON in of for of in tables):
        return tables
    images, subjects = ([of[name] for of in tables] for name in KEY)
    (each_image, _), (each_subject, many) = _codes(images), _codes(subjects)
    both = zip(tables, each_image, each_subject, strict=True)
    return tuple(of.assign(**{PERSON: image * np.int64(max(many, 1)) + subject}) for of, image, subject in both)


def _codes(parts: list[pd.Series]) -> tuple[list[np.ndarray], int]:
    """The numbers of the texts of several columns, in the order of the texts, and how many there are."""
    if any(isinstance(part.dtype, pd.CategoricalDtype) for part in parts):
        return encoded.numbers([part.astype("category") for part in parts])
    codes, names = pd.factorize(pd.concat(parts, ignore_index=True), sort=True)
    return np.split(codes, np.cumsum([len(part) for part in parts])[:-1]), len(names)


def tests(scores: pd.DataFrame) -> Iterator[tuple[tuple[str, str, str], pd.DataFrame]]:
    """(task, model, metric) and its defined scores, sorted by image and subject."""
    order = PERSON if PERSON in scores else KEY
    for key, some in scores.groupby(TEST, sort=True):
        yield key, some[some["value"].notna()].sort_values(order, ignore_index=True)


def cohort(scores: pd.DataFrame, members: pd.DataFrame) -> Cohort:
    """The scores (image, subject, value) of one test with the groups (image, subject, group) of one attribute.

    All groups of `members` are in it, also those without a score. Rows are put in order first: the order in which
    they come changes nothing. Both may be `numbered`, together. Subjects whose scores are of the same images are units
    together.
    """
    if PERSON not in scores or PERSON not in members:
        scores, members = numbered(scores, members)
    ordered = scores if scores[PERSON].is_monotonic_increasing else scores.sort_values(PERSON, ignore_index=True)
    column, names = pd.factorize(members["group"], sort=True)
    rows, of = matches(ordered[PERSON].to_numpy(), members[PERSON].to_numpy())
    member = sparse.csc_array((np.ones(len(rows)), (rows, column[of])), shape=(len(ordered), len(names)))
    subjects, units = numbered_people(ordered)
    together = None if units is subjects else company(pd.factorize(ordered["image"])[0], subjects)
    return Cohort(ordered["value"].to_numpy(float), subjects, member, tuple(names), units, together)


def numbered_people(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The subject of each row (image, subject), and its unit: the cluster that images join it to, else itself."""
    subjects = pd.factorize(rows["subject"], sort=True)[0]
    return subjects, joined(pd.factorize(rows["image"])[0], subjects)


def sharing(rows: pd.DataFrame) -> str:
    """That people of the rows (image, subject) count as fewer, since they share images; "" where none do."""
    return joint(unit_count(rows), rows["subject"].nunique())


def unit_count(rows: pd.DataFrame) -> int:
    """How many units the rows (image, subject) are of."""
    return int(numbered_people(rows)[1].max(initial=-1)) + 1


def matches(ordered: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of all equal pairs, in an ordered array of numbers and in another."""
    first, end = (np.searchsorted(ordered, wanted, side) for side in ("left", "right"))
    of = np.repeat(np.arange(len(wanted)), end - first)
    within = np.arange(len(of)) - np.repeat(np.cumsum(end - first) - (end - first), end - first)
    return first[of] + within, of
