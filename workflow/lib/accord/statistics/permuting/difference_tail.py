"""P-values of the largest difference between groups that are told without dealing, where deals would rarely reach it.

Each difference, of a group to all others or of two groups, has its tail over deals from `dealt_sums`; that any is
reached is bounded by the sum of all less what the pairs that go together most have in common.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import ndtr, ndtri, owens_t

from accord.statistics.distinct import coded, distinct
from accord.statistics.permuting.dealt_sums import Levels, Sums, tails
from accord.statistics.permuting.weighing import Weighing, largest

DIFFERENT, BINS = 64, 32
"""Of more different scores in a stratum those that lie close together are made equal, in so many parts; their spread
is kept."""

AT_ONCE = 1 << 19
"""So many numbers of a table at once."""

SHARE = 1e-3
"""Tails that are so small a share of the largest one add in full."""

CENTRE = 0.05
"""So near to the mean, in standard deviations, a tail is that of the normal distribution."""

DUST = 1e-9


class Comparisons(NamedTuple):
    """c differences: by what sums of groups are weighed (c, k), kinds of subjects as in `Sums` (c, 4) and (c, s, 4),
    and what they must reach (c,)."""

    of: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    least: np.ndarray


def difference_p(
    scores: np.ndarray, strata: np.ndarray, groups: sparse.csr_array, weighed: Weighing, top: float, least: float
) -> float:
    """The chance that the largest weighed difference of deals within strata (m,) is `top` or more, or a bit above it;
    exact above `least`.

    groups: (k, m) of 0 and 1; scores: (m,), adding up to 0 in each stratum, which lie one behind the other. How much
    groups' own subjects vary makes differences of deals only smaller, and isn't looked at.
    """
    levels, gaps = levels_of(scores, strata)
    made = _comparisons(groups, strata, weighed, top)
    if not len(made.least):
        return 1.0
    both = Comparisons(*(np.concatenate([part, sign * part]) for part, sign in zip(made, (-1, -1, 1, 1), strict=True)))
    single = np.concatenate(
        [_tails(levels, both, some, gaps, least / len(both.least)) for some in _parts(both, levels)]
    )
    return _any(single, _alike(both.of, weighed.covariance))


def sum_p(scores: np.ndarray, strata: np.ndarray, inside: np.ndarray, least: float) -> float:
    """The chance that the sum of the scores (m,) of those `inside` (m,) bool is at least so large over deals within
    strata. 1 where scores don't differ."""
    varies = np.bincount(strata, np.abs(scores))[strata] > 0
    scores, inside = scores[varies], inside[varies]
    if least < 0 or not len(scores):
        return 1 - sum_p(-scores, strata[varies], inside, -least) if len(scores) else 1.0
    strata = coded(strata[varies])[1]
    levels, gaps = levels_of(scores, strata)
    chosen, sizes = np.bincount(strata, inside), np.bincount(strata)
    least = max(least - gaps.min() / 2, 0.0)
    spread = np.sqrt(chosen * (sizes - chosen) / (sizes - 1) / sizes @ np.bincount(strata, scores**2))
    if least < CENTRE * spread:
        return float(ndtr(-least / spread))
    counts = np.stack([chosen, sizes - chosen], axis=1)[np.newaxis]
    return float(tails(levels, Sums(np.array([[1.0, 0.0]]), counts, np.array([least])))[0])


def farther(groups: sparse.csr_array, weighed: Weighing, deals: Iterable[np.ndarray], share: float) -> float:
    """How many times as far the largest differences of a share of deals, each (m, deals), would lie if groups' own
    subjects didn't count. The larger a difference is, the more these count: of rarer ones they take as much away."""
    found = []
    for order in deals:
        sums = groups @ order
        found.append([largest(sums, weighed, order), largest(sums, weighed)])
    own, plain = np.quantile(np.hstack(found), 1 - share, axis=1)
    return float(plain / own)


def levels_of(scores: np.ndarray, strata: np.ndarray) -> tuple[Levels, np.ndarray]:
    """The scores by level, and the smallest step between two levels of each stratum, 0 where they are made equal."""
    parts, gaps = [], []
    for some in np.split(scores, np.flatnonzero(np.diff(strata)) + 1):
        low, span = some.min(), max(float(np.ptp(some)), DUST**2)
        code = np.round((some - low) / span / DUST).astype(np.int64)
        made = len(distinct(code)) > DIFFERENT
        if made:
            code = np.minimum((some - low) / span * BINS, BINS - 1).astype(np.int64)
        _, of = coded(-code)
        times = np.bincount(of)
        values = np.bincount(of, some) / times
        values *= np.sqrt((some**2).sum() / (times * values**2).sum())
        parts.append((values, times))
        gaps.append(0.0 if made else np.abs(np.diff(values)).min())
    starts = np.cumsum([0, *(len(values) for values, _ in parts[:-1])])
    values, times = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Levels(values, times, starts), np.array(gaps)


def _comparisons(groups: sparse.csr_array, strata: np.ndarray, weighed: Weighing, top: float) -> Comparisons:
    """Each group that counts against all others, and each two."""
    bounds = np.searchsorted(strata, np.arange(strata[-1] + 2))
    each, sizes = groups.toarray(), np.diff(bounds)
    together = np.stack([np.add.reduceat(one * each, bounds[:-1], axis=1) for one in each])
    inside = np.einsum("aas->as", together)
    one = np.flatnonzero(weighed.alone > 0)
    a, b = np.nonzero(np.triu(weighed.apart > 0, 1))
    share, none = weighed.share, np.zeros_like(inside[one])
    alone = np.stack([inside[one], none, none, sizes - inside[one]], axis=2)
    shared = together[a, b]
    apart = np.stack([inside[a] - shared, inside[b] - shared, shared, sizes - inside[a] - inside[b] + shared], axis=2)
    of = np.zeros((len(one) + len(a), len(share)))
    of[np.arange(len(one)), one] = 1
    of[len(one) + np.arange(len(a)), a], of[len(one) + np.arange(len(a)), b] = share[a], -share[b]
    weights = np.zeros((len(of), 4))
    weights[: len(one), 0] = 1
    weights[len(one) :] = np.column_stack([share[a], -share[b], share[a] - share[b], np.zeros(len(a))])
    least = top / np.append(weighed.alone[one], weighed.apart[a, b])
    return Comparisons(of, weights, np.concatenate([alone, apart]), least)


def _parts(made: Comparisons, levels: Levels) -> list[slice]:
    size = max(1, AT_ONCE // (16 * len(levels.values)))
    return [slice(start, start + size) for start in range(0, len(made.least), size)]


def _tails(levels: Levels, made: Comparisons, some: slice, gaps: np.ndarray, nothing: float) -> np.ndarray:
    """The tails of some comparisons, half a step of theirs lower, as sums of few different scores move in steps."""
    weights, counts = made.weights[some], made.counts[some]
    apart = np.abs(weights[:, :, np.newaxis] - weights[:, np.newaxis])
    used = counts.sum(axis=1) > 0
    possible = (used[:, :, np.newaxis] & used[:, np.newaxis]) & (apart > 0)
    step = np.where(possible, apart, np.inf).min(axis=(1, 2)) * gaps.min()
    kinds = np.flatnonzero(used.any(axis=0))
    return tails(levels, Sums(weights[:, kinds], counts[:, :, kinds], made.least[some] - step / 2), nothing)


def _alike(of: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """(c, c): how comparisons are correlated over deals."""
    made = of @ covariance @ of.T
    spread = np.sqrt(np.clip(np.diag(made), DUST**2 * np.abs(made).max(), None))
    return np.clip(made / np.outer(spread, spread), -1 + DUST, 1)


def _any(single: np.ndarray, alike: np.ndarray) -> float:
    """The chance that any is reached: of each, the largest first, its tail less what it shares with the one before it
    that it goes together with most, as if these were normal (Hunter, 1976; Worsley, 1982; Owen, 1956)."""
    order = np.argsort(-single, kind="stable")
    ordered, alike = single[order], alike[np.ix_(order, order)]
    if ordered[0] <= 0:
        return 0.0
    nearest = np.where(np.tri(len(ordered), k=-1, dtype=bool), alike, -1 + DUST).max(axis=1)
    z = -ndtri(np.clip(ordered, 1e-300, 0.5))
    alone = np.clip(2 * owens_t(z, np.sqrt((1 - nearest) / (1 + nearest))) / ndtr(-z), 0, 1)
    alone[(np.arange(len(z)) == 0) | (ordered < SHARE * ordered[0]) | (ordered > 0.5)] = 1
    return float(min(1.0, ordered @ alone))
