"""Intervals of means that reach far enough with few subjects: whole subjects are drawn again, beside one nobody saw."""

from functools import cache
from typing import NamedTuple

import numpy as np

from accord.statistics.cohort import Cohort
from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.bootstrap_limit import Draws

LEVEL = 0.025
WHOLE = 10
"""Where so many subjects tell of an end of the scores, the one that nobody saw there weighs as much as one of them,
with m of them sqrt(10 / m): then intervals cover in `benchmarks/coverage.py`."""

APART = 7919
DUST = 1e-12


class Unseen(NamedTuple):
    """The scores of a subject below and of one above all that were seen of a group, and how many images each weighs."""

    low: float
    high: float
    low_images: float
    high_images: float


def mean_intervals(cohort: Cohort, drawn: np.ndarray | Draws) -> np.ndarray:
    """95% intervals of each group's mean score: (k, 2), NaN for groups of fewer than two subjects.

    drawn: `bootstrap.weights` of the cohort's subjects. Each bound is a quantile of the means of what is drawn together
    with a subject beyond that end of what was seen (`unseen`), who weighs a random exponential of its images: a
    bootstrap with one observation more (Gaffke, 2005; Learned-Miller and Thomas, 2020), which for right/wrong scores of
    ten subjects with an image each comes near Clopper and Pearson's. Without it ten who are all right leave no doubt.
    """
    lows, highs = replicates(cohort, drawn)
    return np.array([_bounds(*ends) for ends in zip(lows, highs, strict=True)]).reshape(-1, 2)


def gap_interval(cohort: Cohort, drawn: np.ndarray | Draws) -> tuple[float, float]:
    """The 95% interval of the second group's mean less the first's; they may share subjects. NaN as `mean_intervals`.

    From the intervals of both, and how the means go together in the draws (Zou and Donner, 2008; of Wilson's intervals
    of independent rates it is Newcombe's).
    """
    totals, counts = bootstrap.sums(cohort, drawn)
    first, second = (_bounds(*ends) for ends in zip(*_beside_unseen(cohort, totals, counts), strict=True))
    means = cohort.values @ cohort.member / cohort.sizes
    together = np.nan_to_num(_correlation(*ratio(totals, counts)))
    gap = means[1] - means[0]
    down, up = (_length(means[1] - second[0], first[1] - means[0], together),
                _length(second[1] - means[1], means[0] - first[0], together))  # fmt: skip
    return float(gap - down), float(gap + up)


def ratio_intervals(cohort: Cohort, drawn: np.ndarray | Draws, whole: int) -> np.ndarray:
    """95% intervals of each group's mean / that of the group `whole`, of scores of 0 and more: (k, 2)."""
    lows, highs = replicates(cohort, drawn)
    found = [_bounds(ratio(low, highs[whole]), ratio(high, lows[whole])) for low, high in zip(lows, highs, strict=True)]
    return np.array(found).reshape(-1, 2)


def replicates(cohort: Cohort, drawn: np.ndarray | Draws) -> tuple[np.ndarray, np.ndarray]:
    """Each group's mean in each draw, with the unseen subject below and with the one above: each (k, draws).

    NaN where nobody of the group is drawn, and of groups of fewer than two subjects.
    """
    return _beside_unseen(cohort, *bootstrap.sums(cohort, drawn))


def _beside_unseen(cohort: Cohort, totals: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`replicates`, of each group's sums of scores and their numbers in each draw: each (k, draws)."""
    weight, lows, highs = _exponentials(totals.shape[1]), np.empty_like(totals), np.empty_like(totals)
    for group in range(len(cohort.groups)):
        end = unseen(cohort, group)
        times = np.roll(weight, APART * group)
        seen = np.where(counts[group] > 0, counts[group], np.nan)
        for found, score, images in ((lows, end.low, end.low_images), (highs, end.high, end.high_images)):
            found[group] = (totals[group] + images * times * score) / (seen + images * times)
    return lows, highs


def unseen(cohort: Cohort, group: int) -> Unseen:
    """The subjects beyond both ends of a group: NaN of fewer than two subjects.

    One lies beyond the outermost subject by 4 d (d / range)^3, d being its distance from the median subject: by half of
    d where both sides reach as far, much farther on a longer side; in [0, 1] if all scores of the cohort are. If all
    subjects of the group are equal, it has the lowest and the highest score there can be, or that the cohort has.
    """
    rows = cohort.rows(group)
    _, whose, images = np.unique(cohort.subjects[rows], return_inverse=True, return_counts=True)
    if len(images) < 2:
        return Unseen(*(float("nan"),) * 4)
    means = np.bincount(whose, cohort.values[rows]) / images
    low, middle, high = means.min(), np.median(means), means.max()
    shares = cohort.values.min() >= 0 and cohort.values.max() <= 1
    outer = (0.0, 1.0) if shares else (cohort.values.min(), cohort.values.max())
    if high - low < DUST:
        return Unseen(float(outer[0]), float(outer[1]), *(_weight(images, 0),) * 2)
    near = [int(half.sum()) for half in (means < (low + high) / 2, means > (low + high) / 2)]
    down, up = (4 * d**4 / (high - low) ** 3 for d in (middle - low, high - middle))
    ends = (max(low - down, 0.0), min(high + up, 1.0)) if shares else (low - down, high + up)
    return Unseen(float(ends[0]), float(ends[1]), *(_weight(images, some) for some in near))


def _weight(images: np.ndarray, near: int) -> float:
    """Images that the unseen subject weighs at an end of the scores: as many as others have (root mean square), by
    sqrt(10 / m) of m subjects with equal numbers that are worth as much (Kish, 1965).

    near: subjects in the outer half of the range. They tell how often such scores occur: of m two each are counted, but
    ten at least. Of right/wrong scores with an image each, upper bounds of rare rates then are Clopper and Pearson's,
    where sqrt(10 / subjects) would leave that of none in a thousand at a tenth of theirs.
    """
    squares = float((images.astype(float) ** 2).sum())
    subjects = float(images.sum()) ** 2 / squares
    telling = max(min(subjects, WHOLE), subjects * min(1, 2 * near / len(images)))
    return float(np.sqrt(squares / len(images)) * np.sqrt(WHOLE / telling))


@cache
def _exponentials(draws: int) -> np.ndarray:
    """The quantiles of the exponential distribution, (draws,), in a random order that is always the same."""
    made = -np.log((np.random.default_rng(draws).permutation(draws) + 0.5) / draws)
    made.flags.writeable = False
    return made


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Of two means over draws; NaN where one of them doesn't vary."""
    known = ~(np.isnan(first) | np.isnan(second))
    both = np.cov(first[known], second[known]) if known.sum() > 1 else np.zeros((2, 2))
    return float(ratio(both[0, 1], np.sqrt(both[0, 0] * both[1, 1])))


def _length(one: float, other: float, together: float) -> float:
    return np.sqrt(max(one**2 + other**2 - 2 * together * one * other, 0))


def _bounds(lows: np.ndarray, highs: np.ndarray) -> tuple[float, float]:
    known = ~(np.isnan(lows) | np.isnan(highs))
    if not known.any():
        return float("nan"), float("nan")
    return float(np.quantile(lows[known], LEVEL)), float(np.quantile(highs[known], 1 - LEVEL))
