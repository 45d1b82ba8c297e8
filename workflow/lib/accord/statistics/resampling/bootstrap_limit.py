"""Draws of so many subjects that no table of them would fit: what they come to, drawn from its distribution."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.statistics.cohort import Cohort
from accord.statistics.permuting.equal_rows import kinds

FEW = 100
"""Sums of so few subjects are drawn one by one; of more they are as good as normal."""

AT_ONCE = 20_000_000
CACHED = 1 << 15
"""So many draws are counted at once: the counts stay in the processor's cache."""


@dataclass(frozen=True)
class Draws:
    """`draws` times as many of `subjects` drawn with replacement as there are, of which only results are made."""

    draws: int
    subjects: int
    seed: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.draws, self.subjects

    def blocks(self) -> Iterator[np.ndarray]:
        """The draws themselves, some at a time: (some, subjects) int; the same each time."""
        rng, size = np.random.default_rng(self.seed), max(1, AT_ONCE // self.subjects)
        for start in range(0, self.draws, size):
            yield table(self.subjects, min(size, self.draws - start), rng)


def table(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """How often each subject is drawn: (draws, subjects) int."""
    counted, some = np.empty((draws, subjects), int), max(1, CACHED // subjects)
    for start in range(0, draws, some):
        part = counted[start : start + some]
        drawn = rng.integers(subjects, size=part.shape) + subjects * np.arange(len(part))[:, np.newaxis]
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
    return counted


def compact(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """`table`, the same numbers, as uint8 and without ever being larger. Raises OverflowError of larger numbers."""
    made, size = np.empty((draws, subjects), np.uint8), max(1, AT_ONCE // subjects)
    for start in range(0, draws, size):
        part = table(subjects, min(size, draws - start), rng)
        if part.max(initial=0) > np.iinfo(np.uint8).max:
            raise OverflowError("a subject is drawn more than 255 times")
        made[start : start + size] = part
    return made


def sums(cohort: Cohort, drawn: Draws) -> tuple[np.ndarray, np.ndarray]:
    """Each group's sum of scores and their number in each draw: each (k, draws).

    Subjects with as many scores in the same groups are of one kind. How many of each kind are drawn is multinomial;
    the sums of that many subjects of a kind are drawn one by one if it has at most 100, else from their normal limit.
    """
    rng, found = np.random.default_rng(drawn.seed), kinds(cohort.by_unit)
    order, sizes = np.argsort(found.of, kind="stable"), np.bincount(found.of)
    times = rng.multinomial(drawn.subjects, sizes / drawn.subjects, size=drawn.draws)
    counts, totals = times @ found.patterns, np.zeros((drawn.draws, len(cohort.groups)))
    for kind, rows in enumerate(np.split(order, np.cumsum(sizes)[:-1])):
        inside = np.flatnonzero(found.patterns[kind])
        if len(inside):
            totals[:, inside] += drawn_sums(cohort.sums[rows][:, inside].toarray(), times[:, kind], rng)
    return totals.T, counts.T.astype(float)


def medians(cohort: Cohort, groups: list[int], drawn: Draws) -> np.ndarray:
    """The medians of some groups in each draw: (groups, draws).

    By their normal limit (Bahadur, 1966): the share of scores up to the median varies about it as it does between
    draws of subjects, and the median moves to where half is again.
    """
    rng, moved, sorted_values = np.random.default_rng(drawn.seed), [], []
    for group in groups:
        rows = cohort.rows(group)
        values = cohort.values[rows]
        below = (values <= np.median(values)).astype(float)
        subjects = cohort.units[rows]
        moved.append(np.bincount(subjects, below - below.mean(), minlength=drawn.subjects) / len(rows))
        sorted_values.append(np.sort(values))
    spread = np.array([[np.dot(one, other) for other in moved] for one in moved])
    shares = 0.5 + _normal(spread, drawn.draws, rng)
    at = [
        np.clip(np.ceil(s * len(v)).astype(int) - 1, 0, len(v) - 1)
        for s, v in zip(shares.T, sorted_values, strict=True)
    ]
    return np.array([v[a] for v, a in zip(sorted_values, at, strict=True)])


def drawn_sums(values: np.ndarray, times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(draws, c): the sums of so many rows of `values` (n, c), drawn with replacement; times: (draws,)."""
    n = len(values)
    if n <= FEW:
        return _one_by_one(values, times, rng)
    centre = values.mean(axis=0)
    apart = values - centre
    return times[:, np.newaxis] * centre + np.sqrt(times)[:, np.newaxis] * _normal(apart.T @ apart / n, len(times), rng)


def _one_by_one(values: np.ndarray, times: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """As `drawn_sums`, of no more than FEW rows. Who is drawn is counted, which is faster than to draw the counts."""
    n, made = len(values), np.empty((len(times), values.shape[1]))
    some = max(1, CACHED // n)
    for start in range(0, len(times), some):
        part = times[start : start + some]
        drawn = np.repeat(np.arange(len(part)) * n, part)
        drawn += rng.integers(n, size=len(drawn), dtype=np.uint8)
        made[start : start + some] = np.bincount(drawn, minlength=len(part) * n).reshape(-1, n) @ values
    return made


def _normal(covariance: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """(draws, c) normal numbers with a covariance (c, c)."""
    return rng.normal(size=(draws, len(covariance))) @ root(covariance)


def root(covariance: np.ndarray) -> np.ndarray:
    """The symmetric root of a covariance (c, c): it gives independent normal numbers (..., c) this covariance."""
    sizes, axes = np.linalg.eigh(covariance)
    return (axes * np.sqrt(np.clip(sizes, 0, None))) @ axes.T
