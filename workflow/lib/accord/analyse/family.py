"""A family of tests: the groups of one attribute, compared in pairs by the scores of one model."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from accord.analyse.cohort import Cohort
from accord.analyse.metrics import direction
from accord.analyse.ranks import Pairwise, mann_whitney

ALPHA = 0.05


@dataclass(frozen=True)
class Pair:
    """Two groups that differ: numbers of the worse (lower median, then lower mean) and the better one, and D."""

    worst: int
    best: int
    disparity: float
    p: float
    effect: float


@dataclass(frozen=True)
class Family:
    """All pairs of those groups of an attribute that have enough subjects. sign: -1 where lower scores are better."""

    test: tuple[str, str, str]
    attribute: str
    cohort: Cohort
    tested: Pairwise
    medians: np.ndarray
    means: np.ndarray
    sign: int = 1

    @property
    def pairs(self) -> int:
        k = len(self.cohort.groups)
        return k * (k - 1) // 2

    @property
    def smallest_p(self) -> float:
        """The smallest p-value of all pairs, Bonferroni-corrected."""
        upper = self.tested.p[np.triu_indices(len(self.cohort.groups), 1)]
        return float(min(1, upper.min() * self.pairs)) if self.pairs else float("nan")

    def significant(self) -> list[Pair]:
        """The pairs with p < 0.05 / pairs: largest D first, then smallest p, then by name."""
        found = [self._pair(a, b) for a, b in zip(*np.triu_indices(len(self.cohort.groups), 1), strict=True)]
        kept = [pair for pair in found if pair.p < ALPHA / self.pairs]
        return sorted(kept, key=lambda pair: (-np.nan_to_num(pair.disparity), pair.p, pair.worst, pair.best))

    def _pair(self, a: int, b: int) -> Pair:
        worst, best = sorted((int(a), int(b)), key=self._badness)
        drop = disparity(self.medians[worst], self.medians[best])
        return Pair(worst, best, drop, float(self.tested.p[a, b]), self.sign * float(self.tested.effect[worst, best]))

    def _badness(self, group: int) -> tuple[float, float, int]:
        return self.sign * self.medians[group], self.sign * self.means[group], group


def family(
    test: tuple[str, str, str], attribute: str, whole: Cohort, min_subjects: int, lower: Collection[str] = ()
) -> Family:
    """The family of tests of the groups with at least `min_subjects` subjects.

    test: task, model, metric, and what else names it; lower: metrics of which lower is better besides the known ones.
    """
    cohort = whole.only(np.flatnonzero(whole.subject_counts >= min_subjects))
    scores = [cohort.values[cohort.rows(g)] for g in range(len(cohort.groups))]
    medians, means = (np.array([f(s) for s in scores]) for f in (np.median, np.mean))
    return Family(test, attribute, cohort, mann_whitney(cohort), medians, means, direction(test[2], lower))


def disparity(worst: float, best: float) -> float:
    """D = 1 - the lower / the higher of two medians, in [0, 1]; 0 where both are 0, NaN where one is negative.

    The worse group has the lower median, or, where lower scores are better, the higher one.
    """
    low, high = sorted((worst, best))
    if low < 0:
        return float("nan")
    return 1 - low / high if high > 0 else 0.0
