"""Scores with their groups: what a comparison of groups looks at."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse

from accord.engine import encoded

KEY = ["image", "subject"]
TEST = ["task", "model", "metric"]
PERSON = "person"


@dataclass(frozen=True)
class Cohort:
    """n scores of m subjects in k groups of one attribute.

    values: (n,) float64; subjects: (n,) int in 0 ... m - 1; member: (n, k) sparse float64 of 0 and 1; groups: k
    names, sorted. A score may be in several groups.
    """

    values: np.ndarray
    subjects: np.ndarray
    member: sparse.csc_array
    groups: tuple[str, ...]

    @cached_property
    def by_subject(self) -> sparse.csr_array:
        """(m, k): how many scores of each subject each group has."""
        return sparse.csr_array(self._of_subject @ self.member)

    @cached_property
    def sums(self) -> sparse.csr_array:
        """(m, k): the sum of each subject's scores in each group."""
        return sparse.csr_array(self._of_subject @ self.member.multiply(self.values[:, np.newaxis]))

    @cached_property
    def sizes(self) -> np.ndarray:
        """(k,): scores per group."""
        return self.member.sum(axis=0).astype(int)

    @cached_property
    def subject_counts(self) -> np.ndarray:
        """(k,): subjects per group."""
        found = self.by_subject
        return np.bincount(found.indices[found.data > 0], minlength=found.shape[1])

    @cached_property
    def subject_means(self) -> np.ndarray:
        """(m,): each subject's mean score."""
        return np.bincount(self.subjects, self.values) / self.counts

    @cached_property
    def counts(self) -> np.ndarray:
        """(m,): how many scores each subject has."""
        return np.bincount(self.subjects)

    @property
    def _of_subject(self) -> sparse.csr_array:
        n = len(self.values)
        return sparse.csr_array((np.ones(n), (self.subjects, np.arange(n))), shape=(self._m, n))

    @property
    def _m(self) -> int:
        return int(self.subjects.max(initial=-1)) + 1

    def rows(self, group: int) -> np.ndarray:
        """The rows of one group, ascending."""
        return np.sort(self.member.indices[self.member.indptr[group] : self.member.indptr[group + 1]])

    def only(self, groups: np.ndarray) -> "Cohort":
        """The same scores, with some of the groups (by number)."""
        return Cohort(self.values, self.subjects, self.member[:, groups], tuple(self.groups[g] for g in groups))


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
    they come changes nothing. Both may be `numbered`, together.
    """
    if PERSON not in scores or PERSON not in members:
        scores, members = numbered(scores, members)
    ordered = scores if scores[PERSON].is_monotonic_increasing else scores.sort_values(PERSON, ignore_index=True)
    column, names = pd.factorize(members["group"], sort=True)
    rows, of = matches(ordered[PERSON].to_numpy(), members[PERSON].to_numpy())
    member = sparse.csc_array((np.ones(len(rows)), (rows, column[of])), shape=(len(ordered), len(names)))
    subjects = pd.factorize(ordered["subject"], sort=True)[0]
    return Cohort(ordered["value"].to_numpy(float), subjects, member, tuple(names))


def matches(ordered: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of all equal pairs, in an ordered array of numbers and in another."""
    first, end = (np.searchsorted(ordered, wanted, side) for side in ("left", "right"))
    of = np.repeat(np.arange(len(wanted)), end - first)
    within = np.arange(len(of)) - np.repeat(np.cumsum(end - first) - (end - first), end - first)
    return first[of] + within, of
