"""A family of tests: the groups of one attribute, compared in pairs by the scores of one model."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from accord.analyse.scoring.metrics import direction
from accord.engine.flag_types import one_of
from accord.statistics.cohort import Cohort
from accord.statistics.ranking.ranks import Pairwise, mann_whitney
from accord.statistics.testing.correction import ALPHA, METHODS, corrected

Correction = Annotated[str, one_of(*METHODS)]
"""Of p-values, for all pairs of a family."""


@dataclass(frozen=True)
class Pair:
    """Two groups that differ: numbers of the worse (by median, then mean, then rank sum) and the better one, and D.

    p: Mann-Whitney's; corrected: for all pairs.
    """

    worst: int
    best: int
    disparity: float
    p: float
    corrected: float
    effect: float


@dataclass(frozen=True)
class Family:
    """All pairs of those groups of an attribute that have enough subjects.

    corrected: (k, k) p-values corrected for all pairs; sign: -1 where lower scores are better.
    """

    test: tuple[str, ...]
    attribute: str
    cohort: Cohort
    tested: Pairwise
    medians: np.ndarray
    means: np.ndarray
    corrected: np.ndarray
    sign: int

    @property
    def pairs(self) -> int:
        k = len(self.cohort.groups)
        return k * (k - 1) // 2

    @property
    def smallest_p(self) -> float:
        """The smallest corrected p-value of all pairs."""
        return float(self.corrected[np.triu_indices(len(self.cohort.groups), 1)].min()) if self.pairs else float("nan")

    def significant(self) -> list[Pair]:
        """The pairs with corrected p < 0.05: largest D first, then smallest p, then by what sets them apart."""
        a, b = np.nonzero(np.triu(self.corrected < ALPHA, 1))
        return sorted((self.pair(*both) for both in zip(a.tolist(), b.tolist(), strict=True)), key=self._rank)

    def extremes(self) -> Pair:
        """The worst and the best of all groups, whether they differ significantly or not. Needs two groups."""
        order = sorted(range(len(self.cohort.groups)), key=self._badness)
        return self.pair(order[0], order[-1])

    def pair(self, a: int, b: int) -> Pair:
        """What the test says of two groups."""
        worst, best = sorted((a, b), key=self._badness)
        if self._badness(worst)[:2] == self._badness(best)[:2] and self.sign * self.tested.effect[worst, best] > 0:
            worst, best = best, worst
        drop = disparity(self.medians[worst], self.medians[best])
        p, corrected = (float(of[a, b]) for of in (self.tested.p, self.corrected))
        return Pair(worst, best, drop, p, corrected, self.sign * float(self.tested.effect[worst, best]))

    def _badness(self, group: int) -> tuple[float, float, int]:
        return self.sign * self.medians[group], self.sign * self.means[group], group

    def _rank(self, pair: Pair) -> tuple:
        apart = self.sign * (self.means[pair.best] - self.means[pair.worst])
        return -np.nan_to_num(pair.disparity), pair.p, pair.effect, -apart, pair.worst, pair.best


def family(
    test: tuple[str, ...],
    attribute: str,
    whole: Cohort,
    min_subjects: int,
    lower: Collection[str] = (),
    correction: str = "bonferroni",
) -> Family:
    """The family of tests of the groups with at least `min_subjects` subjects.

    test: task, model, metric, and what else names it; lower: metrics of which lower is better besides the known ones;
    correction: for all pairs, see `corrected`.
    """
    cohort = whole.only(np.flatnonzero(whole.subject_counts >= min_subjects))
    scores = [cohort.values[cohort.rows(g)] for g in range(len(cohort.groups))]
    medians, means = (np.array([f(s) for s in scores]) for f in (np.median, np.mean))
    tested = mann_whitney(cohort)
    adjusted = _adjusted(tested.p, correction)
    return Family(test, attribute, cohort, tested, medians, means, adjusted, direction(test[2], lower))


def _adjusted(p: np.ndarray, correction: str) -> np.ndarray:
    upper = np.triu_indices(len(p), 1)
    found = np.ones_like(p)
    found[upper] = corrected(p[upper], correction)
    return np.minimum(found, found.T)


def disparity(worst: float, best: float) -> float:
    """D = 1 - the lower / the higher of two medians, in [0, 1]; 0 where both are 0, NaN where one is negative.

    The worse group has the lower median, or, where lower scores are better, the higher one.
    """
    low, high = sorted((worst, best))
    if low < 0:
        return float("nan")
    return 1 - low / high if high > 0 else 0.0
