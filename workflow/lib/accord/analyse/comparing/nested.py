"""Intersections against their parts: which does worse than each group that it lies in?"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from accord.analyse.comparing.intersections import Marks
from accord.grouping import BETWEEN
from accord.statistics.permuting.exchangeable import comparable, means_of
from accord.statistics.ranking.rank_sum import lower_p
from accord.statistics.testing.correction import ALPHA

Codes = tuple[tuple[int, int], ...]
"""A group: (number of an attribute, number of its group) of each attribute that it combines."""


class Nested(NamedTuple):
    """An intersection: its rows, and those of the part with the worst mean, each as bits (`np.packbits`): all tests'
    are held until p-values are corrected."""

    attribute: str
    group: str
    parts: int
    rows: np.ndarray
    part_attribute: str
    worst_part: str
    part_rows: np.ndarray


class Parts:
    """The rows and means of groups of one and more attributes, worked out when they are asked for.

    singles: the attributes; values: (n,) scores, higher is better; subjects: (n,) int; least: subjects of a side.
    """

    def __init__(self, singles: list[Marks], values: np.ndarray, subjects: np.ndarray, least: int):
        self.values, self.subjects, self.least = values, subjects, least
        self.number = {marks.attribute: index for index, marks in enumerate(singles)}
        self.singles = singles
        self.masks = [_masks(marks, len(values)) for marks in singles]
        self.means: dict[Codes, float] = {}

    def codes(self, marks: Marks, group: int) -> Codes:
        return tuple((self.number[a], int(c)) for a, c in zip(marks.attributes, marks.codes[group], strict=True))

    def rows(self, codes: Codes) -> np.ndarray:
        """(n,) bool: who is in all of the groups."""
        return np.logical_and.reduce([self.masks[attribute][group] for attribute, group in codes])

    def mean(self, codes: Codes) -> float:
        if codes not in self.means:
            self.means[codes] = float(self.values[self.rows(codes)].mean())
        return self.means[codes]

    def named(self, codes: Codes) -> tuple[str, str]:
        """The names of the attributes and of the group."""
        made = [(self.singles[a].attribute, self.singles[a].labels[0][g]) for a, g in codes]
        attributes, groups = zip(*made, strict=True)
        return BETWEEN.join(attributes), BETWEEN.join(groups)

    def p(self, inner: np.ndarray, part: np.ndarray) -> float:
        """One-sided p-value that subjects in `inner` do worse than those of the part outside it, each by their mean.

        Means are dealt among subjects with as many scores in the part. Subjects of both say nothing and are left out.
        NaN where fewer than `least` are left on a side, or none of one side has as many scores as one of the other.
        """
        many = int(self.subjects.max(initial=0)) + 1
        inside = np.bincount(self.subjects[inner], minlength=many)
        whole = np.bincount(self.subjects[part], minlength=many)
        kept = (whole > 0) & ((inside == 0) | (inside == whole))
        rows = part & kept[self.subjects]
        units, means, counts, deviation = means_of(self.values[rows], self.subjects[rows])
        within = inside[units] > 0
        if min(within.sum(), (~within).sum()) < self.least or not comparable(within.astype(int), counts).any():
            return float("nan")
        return lower_p(means, within, counts, deviation)


def nested(marks: Marks, parts: Parts) -> Iterator[tuple[float, Nested | None]]:
    """p of each group of an intersection (all have enough subjects) against its parts; with p < 0.05 also what it is.

    p is the largest over the parts: it does worse than all of them only if it does worse than each. The part with the
    worst mean is tried first, and no more once one leaves p at 0.05 or more.
    """
    for group in range(len(marks.codes)):
        codes = parts.codes(marks, group)
        inner, mean = parts.rows(codes), parts.mean(codes)
        others = [part for count in range(1, len(codes)) for part in combinations(codes, count)]
        others.sort(key=lambda part: (parts.mean(part), part))
        p = 1.0 if mean >= parts.mean(others[0]) else 0.0
        for part in others:
            if not p < ALPHA:
                break
            p = float(np.maximum(p, parts.p(inner, parts.rows(part))))
        if not p < ALPHA:
            yield p, None
            continue
        told, part = parts.named(others[0]), parts.rows(others[0])
        yield p, Nested(marks.attribute, marks.names[group], len(codes), np.packbits(inner), *told, np.packbits(part))


def _masks(marks: Marks, n: int) -> np.ndarray:
    made = np.zeros((len(marks.codes), n), bool)
    made[marks.groups, marks.rows] = True
    return made
