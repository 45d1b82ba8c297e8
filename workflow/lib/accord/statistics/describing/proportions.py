"""Intervals of rates (in finite populations, exact, of strata, of differences), and sizes of samples."""

from collections.abc import Callable, Sequence
from math import inf, nan, sqrt
from statistics import NormalDist
from typing import Any

Z95 = NormalDist().inv_cdf(0.975)
TAIL = 0.025 * (1 + 1e-9)
"""2.5%; a tail of just that much, as the computer reckons it, is refused, too."""

Interval = tuple[float, float]
UNKNOWN: Interval = (nan, nan)


def wilson(rate: float, trials: float, z: float = Z95) -> Interval:
    """Wilson's score interval of a rate seen in `trials` trials, which need not be a whole number (Wilson, 1927).

    NaN without trials; without width where trials are infinite: a census.
    """
    if not trials > 0:
        return UNKNOWN
    slack = z * z / trials
    centre = (rate + slack / 2) / (1 + slack)
    half = sqrt(rate * (1 - rate) * slack + slack * slack / 4) / (1 + slack)
    return (0.0 if rate == 0 else centre - half), (1.0 if rate == 1 else centre + half)


def effective(sampled: int, population: int) -> float:
    """The independent trials that are worth as much as a sample without replacement: n (N - 1) / (N - n).

    The variance of its rate is p (1 - p) / n x (N - n) / (N - 1) (hypergeometric); infinite for a census.
    """
    if population <= 1 or sampled >= population:
        return inf if sampled else 0.0
    return sampled * (population - 1) / (population - sampled)


def wilson_finite(hits: int, sampled: int, population: int) -> Interval:
    """Wilson's interval of the rate in a finite population from a sample without replacement: `effective` trials.

    Kept within what was seen: at least `hits` and at most all but sampled - hits of the population have it.
    """
    if not sampled:
        return UNKNOWN
    low, high = wilson(hits / sampled, effective(sampled, population))
    return max(low, hits / population), min(high, (population - sampled + hits) / population)


def exact_finite(hits: int, sampled: int, population: int) -> Interval:
    """The exact interval of the same rate: the counts R in the population that neither tail of the hypergeometric
    distribution refuses at 2.5%. It covers 95% or more, always (Wright, Exact confidence bounds when sampling from
    small finite universes, 1991)."""
    from scipy.stats import hypergeom

    if not sampled:
        return UNKNOWN
    least, most = hits, population - sampled + hits
    low = _first(least, most, lambda r: hypergeom.sf(hits - 1, population, r, sampled) > TAIL)
    high = _first(low, most, lambda r: r == most or hypergeom.cdf(hits, population, r + 1, sampled) <= TAIL)
    return low / population, high / population


def sample_size(rate: float, half_width: float, population: int | None = None) -> int:
    """The fewest to sample so that Wilson's interval (finite, where `population` is given) of an expected rate is at
    most 2 `half_width` wide. Raises ValueError where a rate is not in [0, 1] or a width not in (0, 1)."""
    if not (0 <= rate <= 1 and 0 < half_width < 1):
        raise ValueError("a rate lies between 0 and 1, a half width too and is more than 0")
    trials = _narrow(rate, half_width)
    if population is None:
        return trials
    return _first(1, population, lambda n: effective(n, population) >= trials)


def stratified(
    hits: Sequence[int], sampled: Sequence[int], populations: Sequence[int], *, finite: bool = True
) -> tuple[float, float, float]:
    """The rate in all strata together, weighed by their populations, and its 95% interval.

    Wilson's with as many trials as have the same variance: that of the strata's own rates, or, where it is larger (no
    hits in most), that of one rate for all. `finite`: samples were drawn without replacement, and populations end
    there. NaN where a stratum with people in it was not sampled.
    """
    parts = [part for part in zip(hits, sampled, populations, strict=True) if part[2]]
    if not parts or any(not n for _, n, _ in parts):
        return nan, nan, nan
    total = sum(size for *_, size in parts)
    shares = [(size / total, k / n, effective(n, size) if finite else n) for k, n, size in parts]
    rate = sum(weight * own for weight, own, _ in shares)
    low, high = wilson(rate, _trials(rate, shares))
    if not finite:
        return rate, low, high
    missed = sum(size - n for _, n, size in parts)
    return rate, max(low, sum(hits) / total), min(high, (missed + sum(hits)) / total)


def _trials(rate: float, shares: list[tuple[float, float, float]]) -> float:
    """Independent trials that give a rate the variance that strata (weight, rate, trials) give it."""
    spread = sum(weight**2 / trials for weight, _, trials in shares)
    own = sum(weight**2 * p * (1 - p) / trials for weight, p, trials in shares)
    variance = max(rate * (1 - rate) * spread, own)
    if variance:
        return rate * (1 - rate) / variance
    return 1 / spread if spread else inf


def allocation(sizes: Sequence[int], total: int, rates: Sequence[float] | None = None) -> list[int]:
    """How many to sample of each stratum: proportional to its size, or to size x sqrt(p (1 - p)) of expected rates
    (Neyman, 1934). At least two of each, or all there are, as far as `total` goes; never more than there are."""
    spreads = [1.0] * len(sizes) if rates is None else [sqrt(p * (1 - p)) for p in rates]
    weights = [size * spread for size, spread in zip(sizes, spreads, strict=True)]
    given, total = [0] * len(sizes), min(total, sum(sizes))
    while sum(given) < total:
        open_ = [h for h, size in enumerate(sizes) if given[h] < size]
        short = [h for h in open_ if given[h] < 2]
        # Sainte-Laguë's quotients: the stratum that is farthest behind its share comes next.
        given[max(short or open_, key=lambda h: (weights[h] / (2 * given[h] + 1), sizes[h] - given[h], -h))] += 1
    return given


def newcombe(hits: float, trials: float, other_hits: float, other_trials: float) -> Interval:
    """The interval of a difference of two independent rates, from Wilson's of each (Newcombe, 1998, method 10)."""
    if not (trials > 0 and other_trials > 0):
        return UNKNOWN
    p, q = hits / trials, other_hits / other_trials
    (low, high), (other_low, other_high) = wilson(p, trials), wilson(q, other_trials)
    return p - q - sqrt((p - low) ** 2 + (other_high - q) ** 2), p - q + sqrt((high - p) ** 2 + (q - other_low) ** 2)


def newcombe_paired(both: int, first: int, second: int, neither: int) -> Interval:
    """The interval of a difference of two rates of the same things: of all, `both` are hits of either rate, `first` and
    `second` of one alone (Newcombe, Improved confidence intervals for the difference between binomial proportions based
    on paired data, 1998, method 10)."""
    total = both + first + second + neither
    if not total:
        return UNKNOWN
    p, q = (both + first) / total, (both + second) / total
    (low, high), (other_low, other_high) = wilson(p, total), wilson(q, total)
    phi = _phi(both, first, second, neither)
    below, above = (p - low, other_high - q), (high - p, q - other_low)
    slack = [sqrt(max(a * a - 2 * phi * a * b + b * b, 0)) for a, b in (below, above)]
    return p - q - slack[0], p - q + slack[1]


def _phi(both: int, first: int, second: int, neither: int) -> float:
    """The correlation of two rates; where it is positive with the correction for continuity of method 10."""
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if not margins:
        return 0.0
    product = both * neither - first * second
    if product > 0:
        product = max(product - (both + first + second + neither) / 2, 0)
    return product / sqrt(margins)


def _narrow(rate: float, half_width: float) -> int:
    def enough(trials: int) -> bool:
        low, high = wilson(rate, trials)
        return high - low <= 2 * half_width

    most = 1
    while not enough(most):
        most *= 2
    return _first(1, most, enough)


def _first(low: int, high: int, holds: Callable[[int], Any]) -> int:
    """The first whole number of low ... high for which something holds that holds for all after it, too."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
