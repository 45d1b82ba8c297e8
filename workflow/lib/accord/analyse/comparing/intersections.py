"""Who is in which group, as numbers: of one attribute, and of intersections of several, one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import getitem

import numpy as np
import pandas as pd

from accord.analyse.tables.scores import Members
from accord.engine.table import empty
from accord.errors import AccordError, Problem
from accord.grouping import BETWEEN, KEY
from accord.statistics.cohort import PERSON
from accord.statistics.distinct import coded, distinct

LARGEST = 20_000_000
HINT = "list fewer attributes in analyse/crossed, or combine fewer of them"


@dataclass(frozen=True)
class Marks:
    """m pairs (row, group), each once, in the order of rows; k groups of one attribute or of an intersection.

    attributes: c names; rows, groups: (m,) int; codes: (k, c) int, which group of each attribute a group combines;
    labels: for each attribute its groups' names.
    """

    attributes: tuple[str, ...]
    rows: np.ndarray
    groups: np.ndarray
    codes: np.ndarray
    labels: tuple[tuple[str, ...], ...]

    @property
    def attribute(self) -> str:
        """`pronoun x age_group`."""
        return BETWEEN.join(self.attributes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """`0. She/her/hers x [18, 30)` of each group."""
        return tuple(BETWEEN.join(map(getitem, self.labels, code)) for code in self.codes.tolist())

    @cached_property
    def sizes(self) -> np.ndarray:
        """(k,): rows per group."""
        return np.bincount(self.groups, minlength=len(self.codes))

    def subject_counts(self, subjects: np.ndarray) -> np.ndarray:
        """(k,): subjects per group; subjects: (n,) int, whose each row is."""
        many = int(subjects.max(initial=0)) + 1
        pairs, k = self.groups * many + subjects[self.rows], len(self.codes)
        if k * many <= 2 * len(pairs):
            return (np.bincount(pairs, minlength=k * many).reshape(k, many) > 0).sum(axis=1)
        return np.bincount(distinct(pairs) // many, minlength=k)

    def only(self, kept: np.ndarray) -> "Marks":
        """The same with some of the groups (by number, ascending)."""
        number = np.full(len(self.codes), -1)
        number[kept] = np.arange(len(kept))
        left = number[self.groups] >= 0
        return Marks(self.attributes, self.rows[left], number[self.groups[left]], self.codes[kept], self.labels)


def people(rows: pd.DataFrame) -> pd.Index:
    """Who each row is of: its number where rows are `numbered`, else image and subject."""
    return pd.Index(rows[PERSON]) if PERSON in rows else pd.MultiIndex.from_frame(rows[KEY])


def single(keys: pd.Index, attribute: str, members: pd.DataFrame) -> Marks:
    """The groups of one attribute (image, subject, group) among the rows `keys` (as `people` has them); by name."""
    row = keys.get_indexer(people(members if keys.nlevels == 1 else members[[*KEY, "group"]]))
    group, names = pd.factorize(members["group"], sort=True)
    k = max(1, len(names))
    once = distinct(row[row >= 0] * k + group[row >= 0])
    return Marks((attribute,), once // k, once % k, np.arange(len(names))[:, np.newaxis], (tuple(map(str, names)),))


def cross(whole: Marks, part: Marks) -> Marks:
    """The intersection: a row is in the combinations of its groups on both sides, in each once.

    Raises AssertionError if a group were larger than one that it is a part of.
    """
    k, many = len(part.codes), int(max(whole.rows.max(initial=-1), part.rows.max(initial=-1))) + 1
    counts = np.bincount(part.rows, minlength=many)
    times = counts[whole.rows]
    start = np.repeat((np.cumsum(counts) - counts)[whole.rows] - (np.cumsum(times) - times), times)
    right = part.groups[start + np.arange(len(start))]
    found, groups = coded(np.repeat(whole.groups, times) * k + right)
    left, right = (found // k, found % k) if k else (found, found)
    codes = np.hstack([whole.codes[left], part.codes[right]])
    rows, labels = np.repeat(whole.rows, times), whole.labels + part.labels
    made = Marks(whole.attributes + part.attributes, rows, groups, codes, labels)
    assert (made.sizes <= whole.sizes[left]).all() and (made.sizes <= part.sizes[right]).all()
    return made


def crossings(singles: Sequence[Marks], most: int) -> Iterator[Marks]:
    """Each of `singles`, and all intersections of up to `most` of them, each right after what it starts with."""
    for index, one in enumerate(singles):
        yield from _deeper(one, singles[index + 1 :], most)


def intersections(single_ones: Sequence[pd.DataFrame], most: int) -> list[pd.DataFrame]:
    """The groups of all combinations of 2 ... `most` attributes, from the groups of each: tables like Members.

    One row per person and combination of their values: a person counts once in each group. Raises AccordError where
    that would be too many rows to hold.
    """
    keys = pd.MultiIndex.from_frame(pd.concat([empty(Members), *single_ones])[KEY].drop_duplicates().sort_values(KEY))
    singles = [single(keys, some["attribute"].iloc[0], some) for some in single_ones if len(some)]
    found, rows = [], 0
    for marks in crossings(singles, most):
        if len(marks.attributes) > 1:
            rows += len(marks.rows)
            must_fit(rows, most, len(singles))
            found.append(members(marks, keys))
    return found


def must_fit(rows: int, most: int, attributes: int) -> None:
    """Raises AccordError where there are more memberships of intersections than can be held."""
    if rows > LARGEST:
        what = f"intersections of up to {most} of {attributes} attributes have more than {LARGEST:,} memberships"
        raise AccordError(Problem("analyse/intersections", what, HINT))


def members(marks: Marks, keys: pd.MultiIndex) -> pd.DataFrame:
    """The groups as a table like Members; keys: (image, subject) of the rows."""
    made = keys[marks.rows].to_frame(index=False)
    groups = pd.Series(marks.names, dtype=str).take(marks.groups)
    return made.assign(attribute=marks.attribute, group=groups.to_numpy())


def _deeper(marks: Marks, others: Sequence[Marks], most: int) -> Iterator[Marks]:
    yield marks
    if most > 1:
        for index, other in enumerate(others):
            yield from _deeper(cross(marks, other), others[index + 1 :], most - 1)
