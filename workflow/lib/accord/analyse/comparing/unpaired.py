"""Did something change where the rows of before and after aren't the same ones? By subjects, with a margin."""

from itertools import combinations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np
import scipy

from accord.statistics.distinct import coded, distinct
from accord.statistics.permuting.difference_tail import sum_p
from accord.statistics.permuting.exchangeable import comparable, means_of
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.bootstrap_limit import Draws

LEVELS = (0.05, 0.95)
DEALS, DUST = 10_000, 1e-9
LARGE = 2_000
"""Of more subjects who can be exchanged p-values are tails of all deals, by saddlepoint, no smaller than deals tell."""


class Apart(NamedTuple):
    """after - before: the difference of means, its 90% interval; p_changed and p_same as of `equivalence.Paired`."""

    mean: float
    low: float
    high: float
    p_changed: float
    p_same: float


NOTHING = Apart(*[float("nan")] * 5)


class Exchanged(NamedTuple):
    """What subjects who may be exchanged say, and how many may not: of them the p-values say nothing."""

    found: Apart
    silent: int


Rows = tuple[np.ndarray, np.ndarray]
"""Scores (n,), and whose they are (n,) int."""


def exchanged(before: Rows, after: Rows, margin: float, rng: np.random.Generator) -> Exchanged:
    """Compare scores of different subjects, each by the mean of theirs; whoever is on both sides counts on each.

    Permutation tests: who is before and who after is dealt anew (in all ways where those are fewer than 10,000) among
    subjects with as many scores (`exchangeable.means_of`), since means of others differ in distribution without any
    change. What is tested is the difference of means of such subjects, weighed over numbers of scores by how well each
    tells it; for equivalence two one-sided tests, after the margin is taken away. The mean is that of all subjects, and
    its interval Welch's, which holds for unequal spreads; p_changed is 1 where the tested difference has another sign.
    NaN with fewer than two on a side; p-values alone where no two subjects can be exchanged.
    """
    plain = [_means(*side) for side in (before, after)]
    if min(map(len, plain)) < 2:
        return Exchanged(NOTHING, 0)
    change, (low, high) = float(plain[1].mean() - plain[0].mean()), _welch(*plain)
    others = before[1].max() + 1
    each = means_of(np.append(before[0], after[0]), np.append(before[1], after[1] + others))
    later = each.units >= others
    told = comparable(later.astype(int), each.counts)
    silent = int((~told).sum())
    if not told.any():
        return Exchanged(Apart(change, low, high, float("nan"), float("nan")), silent)
    shifted = np.array([0, margin, -margin])[:, np.newaxis]
    values = (each.values + shifted * later)[:, told]
    way = _by_tails if told.sum() > LARGE else _by_deals
    apart, rise, fall = way(values, later[told], each.counts[told], each.deviation[told], rng)
    p_changed, p_same = min(1.0, 2 * min(rise[0], fall[0])), max(rise[1], fall[2])
    p_changed = 1.0 if apart * change < 0 else float(p_changed)
    return Exchanged(Apart(change, low, high, p_changed, float(p_same)), silent)


def overall(before: Rows, after: Rows, margin: float, drawn: np.ndarray | Draws) -> Apart:
    """Compare the means of all rows of before and after, some of which are the same: each (scores, subjects).

    subjects: int, one numbering for both; drawn: resamples (draws, subjects) of all of them, so that what is in both
    moves together: their standard error with Student's quantiles, of as many subjects as the smaller side has. NaN with
    fewer than two subjects on a side.
    """
    fewest = min(len(distinct(subjects)) for _, subjects in (before, after))
    if fewest < 2:
        return NOTHING
    means = [bootstrap.row_means(values[:, np.newaxis], subjects, drawn)[0] for values, subjects in (before, after)]
    apart = means[1] - means[0]
    change, error = float(after[0].mean() - before[0].mean()), float(np.nanstd(apart, ddof=1))
    half = float(scipy.stats.t.ppf(LEVELS[1], fewest - 1)) * error
    p_changed = min(1.0, 2 * _beyond(abs(change), error, fewest))
    p_same = _beyond(margin - abs(change), error, fewest)
    return Apart(change, change - half, change + half, p_changed, p_same)


def _means(values: np.ndarray, subjects: np.ndarray) -> np.ndarray:
    of = coded(subjects)[1]
    return np.bincount(of, values) / np.bincount(of)


def _beyond(distance: float, error: float, subjects: int) -> float:
    """The chance that Student's t is larger than a distance in standard errors."""
    if error < DUST:
        return 0.5 * (1 - np.sign(round(distance, 9)))
    return float(scipy.stats.t.sf(distance / error, subjects - 1))


Parts = tuple[float, np.ndarray, np.ndarray]
"""The difference of the first row of values; of each row the share of deals as large, and of those as small."""


def _by_deals(
    values: np.ndarray, later: np.ndarray, counts: np.ndarray, deviation: np.ndarray, rng: np.random.Generator
) -> Parts:
    apart = values @ _deals(later, counts, deviation, rng).T
    rise, fall = ((apart >= apart[:, :1] - DUST).mean(axis=1), (apart <= apart[:, :1] + DUST).mean(axis=1))
    return float(apart[0, 0]), rise, fall


def _by_tails(
    values: np.ndarray, later: np.ndarray, counts: np.ndarray, deviation: np.ndarray, rng: np.random.Generator
) -> Parts:
    """The same of very many subjects, without deals."""
    order = np.argsort(counts, kind="stable")
    strata, inside = coded(counts[order])[1], later[order]
    sizes, chosen = np.bincount(strata), np.bincount(strata, inside)
    told = chosen * (sizes - chosen) / sizes / np.bincount(strata, deviation[order] ** 2) * sizes
    scale = (told / told.sum() * sizes / chosen / (sizes - chosen))[strata]
    found = []
    for row in values[:, order]:
        scores = scale * (row - (np.bincount(strata, row) / sizes)[strata])
        apart = float(scores[inside].sum())
        found.append((apart, sum_p(scores, strata, inside, apart), sum_p(-scores, strata, inside, -apart)))
    apart, rise, fall = np.array(found).T
    return float(apart[0]), np.maximum(rise, 1 / DEALS), np.maximum(fall, 1 / DEALS)


def _deals(later: np.ndarray, counts: np.ndarray, deviation: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(deals, n): what each subject's mean is weighed by when who is `later` is dealt among subjects with as many
    scores; first as observed. Weights of those later add up to 1, of the others to -1."""
    strata = [np.flatnonzero(counts == count) for count in distinct(counts)]
    many = [(len(some), int(later[some].sum())) for some in strata]
    if prod(comb(*one) for one in many) <= DEALS:
        ways = [[list(chosen) for chosen in combinations(some, one[1])] for some, one in zip(strata, many, strict=True)]
        every = np.zeros((prod(map(len, ways)), len(later)), bool)
        for row, chosen in zip(every, product(*ways), strict=True):
            row[np.concatenate(chosen)] = True
        dealt = np.vstack([later, every[(every != later).any(axis=1)]])
    else:
        dealt = np.tile(later, (DEALS, 1))
        for some in strata:
            dealt[1:, some] = rng.permuted(dealt[1:, some], axis=1)
    told = np.array([s * (n - s) / n / deviation[some[0]] ** 2 for some, (n, s) in zip(strata, many, strict=True)])
    weights = np.empty(dealt.shape)
    for some, share, (n, s) in zip(strata, told / told.sum(), many, strict=True):
        weights[:, some] = np.where(dealt[:, some], share / s, -share / (n - s))
    return weights


def _welch(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    """90% interval of the difference of means (Welch, 1947)."""
    parts = [side.var(ddof=1) / len(side) for side in (before, after)]
    change, error = after.mean() - before.mean(), np.sqrt(sum(parts))
    if error == 0:
        return float(change), float(change)
    shares = [part**2 / (len(side) - 1) for part, side in zip(parts, (before, after), strict=True)]
    half = scipy.stats.t.ppf(LEVELS[1], sum(parts) ** 2 / sum(shares)) * error
    return float(change - half), float(change + half)
