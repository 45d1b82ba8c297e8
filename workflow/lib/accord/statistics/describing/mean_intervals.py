"""Intervals of means, of their differences and ratios, whose subjects are the units that were drawn."""

import numpy as np

from accord.statistics.cohort import Cohort
from accord.statistics.describing import bounded_mean, skewed_mean
from accord.statistics.describing.bounded_mean import Subjects
from accord.statistics.describing.ratios import ratio
from accord.statistics.describing.unequal_subjects import errors

DUST = 1e-12
LEAST_WORTH = 2.0
"""Subjects with equally many images that a group has to be worth, for a standard deviation that says something."""


def mean_intervals(cohort: Cohort, bounded: bool) -> np.ndarray:
    """95% intervals of each group's mean score: (k, 2), NaN where `undefined` says why.

    bounded: whether scores can't leave [0, 1]. Then intervals are Gaffke's, of which no distribution is known where
    they don't hold (`bounded_mean`); else none can hold for all (Bahadur and Savage, 1956), and they allow for
    skewness (`skewed_mean`). Where all subjects of a group score the same and scores have no known ends, the lowest
    and the highest of the cohort stand for these. Raises ValueError of bounded scores outside [0, 1].
    """
    found = np.full((len(cohort.groups), 2), np.nan)
    known = np.flatnonzero(cohort.unit_counts >= 2)
    if not len(known):
        return found
    least, most = float(cohort.values.min()), float(cohort.values.max())
    if bounded and not (least >= -DUST and most <= 1 + DUST):
        raise ValueError(f"scores from {least:g} to {most:g}, where they can't leave 0 to 1")
    of = _subjects(cohort.only(known))
    found[known] = bounded_mean.bounds(of) if bounded else _unbounded(of, least, most)
    return np.clip(found, 0, 1) if bounded else found


def undefined(values: np.ndarray, subjects: np.ndarray, unit: str = "person") -> str:
    """Why a group's scores, (n,) with the subject, or other unit, of each, have a mean without an interval."""
    images = np.unique(subjects, return_counts=True)[1].astype(float)
    if len(images) < 2:
        return f"no interval: all images are of one {unit}"
    if images.sum() ** 2 / (images**2).sum() < LEAST_WORTH and np.ptp(values) > 0:
        return f"no interval: nearly all images are of one {unit}"
    return "no interval: all scores are equal, and nothing says between what ends they lie"


def gap_interval(cohort: Cohort, bounded: bool) -> tuple[float, float]:
    """The 95% interval of the second group's mean less the first's; they may share subjects. NaN as `mean_intervals`.

    From the intervals of both, and how the means go together over subjects (Zou and Donner, 2008; of Wilson's intervals
    of independent rates it is Newcombe's).
    """
    return gap_within(cohort, mean_intervals(cohort, bounded))


def gap_within(cohort: Cohort, intervals: np.ndarray) -> tuple[float, float]:
    """`gap_interval` of two groups whose intervals (2, 2) are known."""
    first, second = intervals
    means = _means(cohort)
    together = _correlation(cohort, means, 0, 1)
    gap = means[1] - means[0]
    down = _length(means[1] - second[0], first[1] - means[0], together)
    up = _length(second[1] - means[1], means[0] - first[0], together)
    return float(gap - down), float(gap + up)


def ratio_intervals(cohort: Cohort, whole: int) -> np.ndarray:
    """95% intervals of each group's mean / that of the group `whole`, of scores from 0 to 1: (k, 2).

    NaN as `mean_intervals`, and above where the mean of `whole` may be 0.
    """
    means, intervals = _means(cohort), mean_intervals(cohort, bounded=True)
    return np.array([
        ratio_interval(mean, means[whole], of, intervals[whole], _correlation(cohort, means, group, whole))
        for group, (mean, of) in enumerate(zip(means, intervals, strict=True))
    ]).reshape(-1, 2)  # fmt: skip


def ratio_interval(
    first: float, second: float, of_first: np.ndarray, of_second: np.ndarray, together: float = 0.0
) -> tuple[float, float]:
    """The 95% interval of first / second, neither below 0, from theirs: (low, high) each.

    together: their correlation. High is NaN where the second may be 0. Donner and Zou (2012); Newcombe (2016), MOVER-R.
    """
    (below, above), (least, most) = of_first, of_second
    lower = first * second - together * (first - below) * (most - second)
    upper = first * second - together * (above - first) * (second - least)
    down = np.sqrt(max(lower**2 - below * most * (2 * first - below) * (2 * second - most), 0))
    up = np.sqrt(max(upper**2 - above * least * (2 * first - above) * (2 * second - least), 0))
    # The lower bound's formula by its conjugate, which never divides by nothing.
    low = below * (2 * first - below) / (lower + down) if below > 0 else 0.0
    return float(low), float((upper + up) / (least * (2 * second - least))) if least > 0 else np.nan


def _subjects(cohort: Cohort) -> Subjects:
    """The subjects of all groups, none of which is empty."""
    group, row = np.repeat(np.arange(len(cohort.groups)), np.diff(cohort.member.indptr)), cohort.member.indices
    pairs = group * (int(cohort.units.max()) + 1) + cohort.units[row]
    _, first, pair = np.unique(pairs, return_index=True, return_inverse=True)
    total, images, of = np.bincount(pair, cohort.values[row]), np.bincount(pair).astype(float), group[first]
    order = np.lexsort((total, images, of))
    total, images, of = total[order], images[order], of[order]
    new = np.r_[True, (np.diff(total) != 0) | (np.diff(images) != 0) | (np.diff(of) != 0)]
    at = np.flatnonzero(new)
    times = np.diff(np.r_[at, len(new)]).astype(float)
    return Subjects(total[at], images[at], times, np.searchsorted(of[at], np.arange(len(cohort.groups))), of[at])


def _unbounded(of: Subjects, least: float, most: float) -> np.ndarray:
    """Intervals of scores of which `least` and `most` are known of no more than that they occur."""
    count, images = of.sums(np.ones(len(of.group))), of.sums(of.images)
    mean = of.sums(of.total) / images
    apart = (of.total - of.images * mean[of.group]) * (count / images)[of.group]
    second, third = (of.sums(apart**power) / count for power in (2, 3))
    few = _worth(of) < LEAST_WORTH
    error, freedom = errors(of, mean)
    spread = error * np.sqrt(count)
    found = skewed_mean.bounds(mean, spread, skewed_mean.skewness(second, third, count), count, freedom)
    found[few] = np.nan
    alike = spread <= DUST * max(abs(least), abs(most))
    if alike.any():
        found[alike] = _of_equal(of, least, most)[alike]
    return found


def _of_equal(of: Subjects, least: float, most: float) -> np.ndarray:
    """Intervals of groups whose subjects all score the same; NaN where all of the cohort do."""
    if most <= least:
        return np.full((len(of.starts), 2), np.nan)
    scaled = of._replace(total=(of.total - least * of.images) / (most - least))
    return least + (most - least) * bounded_mean.bounds(scaled)


def _worth(of: Subjects) -> np.ndarray:
    """How many subjects with equally many images the subjects of each group are worth (Kish, 1965)."""
    return of.sums(of.images) ** 2 / of.sums(of.images**2)


def _means(cohort: Cohort) -> np.ndarray:
    return ratio(cohort.values @ cohort.member, cohort.sizes)


def _correlation(cohort: Cohort, means: np.ndarray, one: int, other: int) -> float:
    """Of two groups' means, by what each subject adds to both; 0 where one of them doesn't vary."""
    first, second = (
        (cohort.sums[:, [group]] - cohort.by_unit[:, [group]] * means[group]).toarray().ravel()
        for group in (one, other)
    )
    spread = np.sqrt(first @ first) * np.sqrt(second @ second)
    return float(np.clip(first @ second / spread, -1, 1)) if spread > 0 else 0.0


def _length(one: float, other: float, together: float) -> float:
    return np.sqrt(max(one**2 + other**2 - 2 * together * one * other, 0))
