"""A family of tests: the groups of one attribute, compared in pairs by the scores of one model."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from accord.analyse.scoring.metrics import direction, is_bounded
from accord.engine.flag_types import one_of
from accord.statistics.cohort import Cohort
from accord.statistics.describing.mean_intervals import gap_interval
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

    @cached_property
    def is_binary(self) -> bool:
        """Whether all scores are 0 or 1: then groups differ in their means, and medians say nothing more."""
        return bool(np.isin(self.cohort.values, (0, 1)).all())

    @property
    def smallest_p(self) -> float:
        """The smallest corrected p-value of all pairs."""
        return float(self.corrected[np.triu_indices(len(self.cohort.groups), 1)].min()) if self.pairs else float("nan")

    def significant(self) -> list[Pair]:
        """The pairs with corrected p < 0.05: the largest `size` first, then the smallest p, then the clearest."""
        a, b = np.nonzero(np.triu(self.corrected < ALPHA, 1))
        return sorted((self.pair(*both) for both in zip(a.tolist(), b.tolist(), strict=True)), key=self._rank)

    def extremes(self) -> Pair:
        """The groups with the worst and the best mean, whether they differ significantly or not. Needs two groups.

        D isn't defined where medians say the contrary of the means.
        """
        means, medians = self.sign * self.means, self.sign * self.medians
        order = np.lexsort((medians, means))
        worst, best = int(order[0]), int(order[-1])
        drop = self.disparity(worst, best) if medians[worst] <= medians[best] else float("nan")
        return self.compared(worst, best, drop)

    def pair(self, a: int, b: int) -> Pair:
        """What the test says of two groups."""
        worst, best = sorted((a, b), key=self._badness)
        if self._badness(worst)[:2] == self._badness(best)[:2] and self.sign * self.tested.effect[worst, best] > 0:
            worst, best = best, worst
        return self.compared(worst, best, self.disparity(worst, best))

    def compared(self, worst: int, best: int, drop: float) -> Pair:
        """The test of two groups of which it is known which is worse, and their D."""
        p, corrected = (float(of[worst, best]) for of in (self.tested.p, self.corrected))
        return Pair(worst, best, drop, p, corrected, self.sign * float(self.tested.effect[worst, best]))

    def disparity(self, worst: int, best: int) -> float:
        """D of two groups; NaN where scores are 0 and 1, whose medians say nothing that means don't."""
        return float("nan") if self.is_binary else disparity(self.medians[worst], self.medians[best])

    def difference(self, pair: Pair) -> float:
        """By how much the mean of the better group is better."""
        return self.sign * float(self.means[pair.best] - self.means[pair.worst])

    def size(self, pair: Pair) -> float:
        """How large a difference is: D, 0 where it isn't defined; of scores 0 and 1 the difference of means."""
        return self.difference(pair) if self.is_binary else float(np.nan_to_num(pair.disparity))

    def side(self, group: int, name: str) -> dict[str, float | str | int]:
        """The figures of a group, `worst` or `best`, as tables have them: no median of scores 0 and 1."""
        median = float("nan") if self.is_binary else self.medians[group]
        told = {"": self.cohort.groups[group], "_median": median, "_mean": self.means[group]}
        return {name + of: figure for of, figure in told.items()} | {
            f"{name}_subjects": int(self.cohort.subject_counts[group])
        }

    def difference_interval(self, pair: Pair) -> tuple[float, float]:
        """The 95% interval of `difference`."""
        both = self.cohort.only(np.array([pair.worst, pair.best][:: self.sign]))
        return gap_interval(both, is_bounded(self.test[2], self.cohort.values))

    def _badness(self, group: int) -> tuple[float, float, int]:
        return self.sign * self.medians[group], self.sign * self.means[group], group

    def _rank(self, pair: Pair) -> tuple:
        return -self.size(pair), pair.p, pair.effect, -self.difference(pair), pair.worst, pair.best


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
