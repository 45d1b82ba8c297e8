"""Do some subjects score lower than others? The permutation distribution of a rank sum: counted, or by saddlepoint."""

from math import comb

import numpy as np
from scipy.special import ndtr

from accord.statistics.distinct import coded
from accord.statistics.permuting.exchangeable import comparable, standardised
from accord.statistics.permuting.saddlepoint import tail

FEW = 40
"""Up to so many subjects all deals are counted."""
CENTRE = 1e-2
"""So near to the mean of the distribution (in its spreads) the normal one is used, as the other divides by nothing."""


def lower_p(
    values: np.ndarray, inside: np.ndarray, strata: np.ndarray | None = None, deviation: np.ndarray | None = None
) -> float:
    """One-sided p-value that `inside` (n,) bool scores lower than the others: ranks of `values` dealt out at random.

    strata: (n,) int, among whose subjects ranks are dealt (without it among all); deviation: (n,) how much each value
    varies (`exchangeable.spread`), alike in a stratum: ranks are of values in their own spread (`standardised`), and
    weighed by 1 / deviation. Who is in a stratum with one side only says nothing. The share of deals with a rank sum
    as low: counted for up to 40 subjects, above by saddlepoint (`saddlepoint.tail`), within a few per cent of p, with
    ties and far out too, where deals at random would take millions; within a third where strata are of a handful each,
    a half where no deal is more extreme. 1 where either side is empty or all values are equal.
    """
    strata = np.zeros(len(values), int) if strata is None else strata
    deviation = np.ones(len(values)) if deviation is None else deviation
    kept = comparable(inside.astype(int), strata)
    if not kept.any():
        return 1.0
    of = coded(strata[kept])[1]
    ranks = _whole(standardised(values, deviation)[kept], deviation[kept], of)
    chosen, count = np.bincount(of, inside[kept]).astype(int), np.bincount(of)
    varies = np.bincount(of, ranks) > 0
    if not varies.any():
        return 1.0
    total = int(ranks[inside[kept]].sum())
    if len(ranks) <= FEW:
        return _counted([ranks[of == s] for s in np.flatnonzero(varies)], chosen[varies], total)
    mean = np.bincount(of, ranks) / count
    squares = np.bincount(of, (ranks - mean[of]) ** 2)
    apart, spread = float(chosen @ mean) - total, np.sqrt((chosen * (count - chosen) / (count - 1) / count) @ squares)
    span = _span(ranks, of)
    if apart - span / 2 < CENTRE * spread:
        return float(ndtr((span / 2 - apart) / spread))
    unit, moving = np.sqrt(squares.sum() / len(ranks)), varies[of]
    scores, dealt = ((mean[of] - ranks) / unit)[moving], coded(of[moving])[1]
    return tail(scores, dealt, chosen[varies], (apart - span / 2) / unit, span / unit)


def _whole(ranks: np.ndarray, deviation: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """Twice the ranks, weighed, as whole numbers above the lowest of the stratum: any such scores have an exact
    distribution, and whole ones can be counted."""
    made = (2 * ranks * deviation.max() / deviation).round().astype(int)
    lowest = np.full(strata.max() + 1, made.max())
    np.minimum.at(lowest, strata, made)
    return made - lowest[strata]


def _counted(parts: list[np.ndarray], chosen: np.ndarray, most: int) -> float:
    """The share of all choices of so many of the ranks of each stratum that add up to at most `most`."""
    share = np.ones(1)
    for ranks, count in zip(parts, chosen.tolist(), strict=True):
        share = np.convolve(share, _ways(ranks, count, most) / comb(len(ranks), count))[: most + 1]
    return float(share.sum())


def _ways(ranks: np.ndarray, chosen: int, most: int) -> np.ndarray:
    """(most + 1,): how many choices of `chosen` of the ranks (whole numbers) have each sum."""
    ways = np.zeros((chosen + 1, most + 1))  # of so many chosen, with this sum: below 2^53 for 40, so exact
    ways[0, 0] = 1
    for rank in ranks[ranks <= most]:
        ways[1:, rank:] += ways[:-1, : most + 1 - rank].copy()
    return ways[chosen]


def _span(ranks: np.ndarray, strata: np.ndarray) -> float:
    """How far apart sums can lie at least: the greatest common divisor of differences within strata."""
    order = np.lexsort((ranks, strata))
    same = strata[order][1:] == strata[order][:-1]
    return float(np.gcd.reduce(np.diff(ranks[order])[same]))
