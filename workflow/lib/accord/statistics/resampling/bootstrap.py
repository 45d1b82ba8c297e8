"""Intervals that know that images of one subject are not independent: whole subjects are drawn again."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy
from scipy import sparse

from accord.statistics.cohort import Cohort
from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling import bootstrap_limit
from accord.statistics.resampling.bootstrap_limit import Draws, table

OUTSIDE = 0.05
LARGEST = 20_000_000
TOGETHER = 256
"""So many draws are summed at once: they stay in the processor's cache."""
AT_ONCE = 4_000_000
"""And no more than so many numbers of a table, whatever its size."""
FAR = 4
"""A median of a draw lies within so many times sqrt(sum of squares of subjects' rows) ranks of that of the data: eight
standard deviations, or more."""


def weights(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """How often each subject is drawn when as many are drawn with replacement: (draws, subjects) int."""
    return table(subjects, draws, rng) if subjects else np.zeros((draws, 0), int)


def resampled(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray | Draws:
    """`weights`, or `Draws` where that were more than 20 million numbers: the functions here take both."""
    if subjects * draws > LARGEST:
        return Draws(draws, subjects, int(rng.integers(2**63)))
    return weights(subjects, draws, rng)


def compact(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """`weights`, the same numbers, in an eighth of the memory where there are more than 20 million: uint8.

    Nobody is drawn 256 times: the chance is below 1e-500.
    """
    if subjects * draws <= LARGEST:
        return weights(subjects, draws, rng)
    return bootstrap_limit.compact(subjects, draws, rng)


def held(drawn: np.ndarray | Draws) -> np.ndarray:
    """The draws as a table, uint8 if it is large: for who looks at them more than once."""
    if isinstance(drawn, Draws):
        return bootstrap_limit.compact(drawn.subjects, drawn.draws, np.random.default_rng(drawn.seed))
    return drawn


def blocks(drawn: np.ndarray | Draws) -> Iterable[np.ndarray]:
    """The draws as tables, (some, subjects) of whole numbers."""
    if isinstance(drawn, Draws):
        return drawn.blocks()
    if drawn.size <= LARGEST:
        return [drawn]
    size = max(1, AT_ONCE // drawn.shape[1])
    return (drawn[start : start + size] for start in range(0, len(drawn), size))


@dataclass(frozen=True)
class Turned:
    """Draws as `columns` has them, made once for who sums them often."""

    shape: tuple[int, int]
    blocks: tuple[np.ndarray, ...]


def turned(drawn: np.ndarray | Draws) -> np.ndarray | Turned:
    """`held`, and where it is small `Turned`."""
    table = held(drawn)
    return Turned(table.shape, tuple(columns(table))) if table.size <= LARGEST else table


def columns(drawn: np.ndarray | Draws | Turned) -> Iterable[np.ndarray]:
    """The draws as tables that sums over subjects are multiplied by, (subjects, some) float64."""
    if isinstance(drawn, Turned):
        return drawn.blocks
    return (np.array(some.T, float, order="C") for some in blocks(drawn))


@cache
def quantile_levels(subjects: int) -> tuple[float, float]:
    """The quantiles of a bootstrap distribution that bound a 95% interval of `subjects` subjects.

    Wider than 2.5% and 97.5% by what Student's t and the factor sqrt(n / (n - 1)) ask of small samples: Hesterberg,
    What Teachers Should Know About the Bootstrap, 2015 (expanded percentile interval). Needs two subjects.
    """
    t = scipy.stats.t.ppf(OUTSIDE / 2, subjects - 1)
    low = float(scipy.stats.norm.cdf(np.sqrt(subjects / (subjects - 1)) * t))
    return low, 1 - low


def means(cohort: Cohort, drawn: np.ndarray | Draws) -> np.ndarray:
    """Each group's mean score in each draw of `weights`: (k, draws), NaN where nobody of the group is drawn."""
    return ratio(*sums(cohort, drawn))


def sums(cohort: Cohort, drawn: np.ndarray | Draws) -> tuple[np.ndarray, np.ndarray]:
    """Each group's sum of scores and their number in each draw of `weights`: each (k, draws) float64.

    Sums run in a fixed order: the same on any number of threads.
    """
    if isinstance(drawn, Draws):
        return bootstrap_limit.sums(cohort, drawn)
    of = [part.T.tocsr() for part in (cohort.sums, cohort.by_unit)]
    found = np.empty((2, len(cohort.groups), len(drawn)))
    size = min(TOGETHER, max(1, AT_ONCE // max(1, drawn.shape[1])))
    for start in range(0, len(drawn), size):
        times = np.array(drawn[start : start + size].T, float, order="C")
        for part, sums in zip(of, found, strict=True):
            sums[:, start : start + size] = part @ times
    return found[0], found[1]


def row_means(values: np.ndarray, subjects: np.ndarray, drawn: np.ndarray | Draws) -> np.ndarray:
    """The mean of each column of `values` (n, f) in each draw of `weights`: (f, draws), NaN where nobody is drawn.

    subjects: (n,) whose rows they are, as columns of `drawn`. Sums run in a fixed order.
    """
    n, m = len(subjects), drawn.shape[1]
    of = sparse.csr_array((np.ones(n), (subjects, np.arange(n))), shape=(m, n))
    sums, sizes = of @ values, of.sum(axis=1)
    totals = np.hstack([np.einsum("mf,dm->fd", sums, some.astype(float)) for some in blocks(drawn)])
    counts = np.hstack([np.einsum("m,dm->d", sizes, some.astype(float)) for some in blocks(drawn)])
    return ratio(totals, counts)


def medians(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The median of `values` (n,), each as many times as `times` (draws, n) int says: (draws,), NaN for nothing."""
    order = np.argsort(values, kind="stable")
    ordered, reached = values[order], np.cumsum(times[:, order], axis=1)
    total = reached[:, -1]
    lower, upper = ((reached > position[:, np.newaxis]).argmax(axis=1) for position in ((total - 1) // 2, total // 2))
    return np.where(total > 0, (ordered[lower] + ordered[upper]) / 2, np.nan)


def medians_of(values: np.ndarray, subjects: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """`medians(values, drawn[:, subjects])`, exactly, without a table of draws and rows.

    A draw's median has a rank near that of the data: rows far below it are counted by subject, and only those near it
    one by one. Where the median lies elsewhere after all, all rows are.
    """
    n, m = len(values), drawn.shape[1]
    if n * len(drawn) <= AT_ONCE:
        return medians(values, drawn[:, subjects])
    order, each = np.argsort(values, kind="stable"), np.bincount(subjects, minlength=m)
    ordered, whose, far = values[order], subjects[order], int(FAR * np.sqrt((each.astype(float) ** 2).sum())) + 1
    first, end = max(0, n // 2 - far), min(n, n // 2 + far)
    sides = np.column_stack([each, np.bincount(whose[:first], minlength=m)]).astype(float)
    found, size = [], max(1, AT_ONCE // max(m, end - first))
    for start in range(0, len(drawn), size):
        some = drawn[start : start + size]
        total, below = (some.astype(float) @ sides).astype(int).T
        reached = np.cumsum(some[:, whose[first:end]], axis=1, dtype=int) + below[:, np.newaxis]
        places = ((total - 1) // 2, total // 2)
        lower, upper = (ordered[first + (reached > place[:, np.newaxis]).argmax(axis=1)] for place in places)
        middle, beyond = (lower + upper) / 2, np.flatnonzero((below > places[0]) | (reached[:, -1] <= places[1]))
        for row in beyond:
            middle[row] = medians(ordered, some[[row]][:, whose])[0]
        found.append(middle)
    return np.concatenate(found)


def disparity_interval(cohort: Cohort, worst: int, best: int, drawn: np.ndarray | Draws) -> tuple[float, float]:
    """95% interval of D = 1 - median(worst) / median(best), which of the two is worse held fixed, clipped to [0, 1].

    Where lower scores are better exchange the two. Draws with a negative median, of which there is no D, don't count.
    """
    if isinstance(drawn, Draws):
        low, high = bootstrap_limit.medians(cohort, [worst, best], drawn)
    else:
        rows = map(cohort.rows, (worst, best))
        low, high = (medians_of(cohort.values[some], cohort.units[some], drawn) for some in rows)
    share = np.divide(low, high, out=np.ones_like(low), where=~(high <= 0))
    drops = np.where((low < 0) | (high < 0), np.nan, np.clip(1 - share, 0, 1))
    return interval(drops, int(cohort.unit_counts[[worst, best]].min()))


def interval(replicates: np.ndarray, subjects: int) -> tuple[float, float]:
    """95% interval of a figure from its bootstrap replicates; NaN of fewer than two subjects."""
    known = replicates[~np.isnan(replicates)]
    if subjects < 2 or not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, quantile_levels(subjects))
    return float(low), float(high)
