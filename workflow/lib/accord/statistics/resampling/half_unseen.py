"""Intervals of shares by resamples of subjects that count on what they haven't seen: half a subject more at the end."""

import numpy as np
from scipy import special

from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling.bootstrap import OUTSIDE

HALF, STEPS = 0.5, 50
WEIGHTS = special.gammaincinv(HALF, (np.arange(STEPS) + 0.5) / STEPS)
"""What the half subject weighs in a resample: gamma distributed with shape 1/2, by its quantiles."""
EXTREME = 4
"""As so many subjects with hits counts the fear that another one has nothing but hits."""


def weights(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """What each subject weighs in a resample: (draws, subjects) independent standard exponentials (Rubin, 1981).

    Unlike `bootstrap.weights` no resample is without the few subjects that have hits.
    """
    return rng.standard_exponential((draws, subjects))


def of_pairs(
    owner: np.ndarray, is_hit: np.ndarray, weights: np.ndarray, replicates: np.ndarray | None = None
) -> tuple[float, float]:
    """95% interval of the share of pairs that are hits: `interval` of the pairs of the subjects `owner` (p,) int.

    weights: (draws, m). replicates: (draws,) the share in each resample, where what is a hit moves, too.
    """
    hits, sizes = (np.bincount(owner[some], minlength=weights.shape[1]) for some in (is_hit, slice(None)))
    whole = weights @ sizes
    share = float(is_hit.mean()) if len(is_hit) else float("nan")
    return interval(share, ratio(weights @ hits, whole) if replicates is None else replicates, whole, hits, sizes)


def interval(
    share: float,
    replicates: np.ndarray,
    whole: np.ndarray,
    hits: np.ndarray,
    sizes: np.ndarray,
    outside: float = OUTSIDE,
) -> tuple[float, float]:
    """95% interval of a share of pairs (of all but `outside`); NaN of fewer than two subjects.

    replicates: (draws,) the share in each resample of `weights`, NaN where there is none; whole: (draws,) what all
    pairs of a resample weigh; hits, sizes: (m,) of the pairs of each subject. A bound is a quantile of shares to which
    half a subject more is added, `unseen` says with which share of hits: so skewness is made up for, and the doubt that
    few subjects with hits leave. Of subjects with a pair each, x hits of m, the bound above is nearly a quantile of
    Beta(x + 1/2, m - x). Quantiles are wider than 2.5% and 97.5% by what Student's t and the factor
    sqrt((n + 1) / (n - 1)), which random weights take away, ask of n subjects (Hesterberg, 2015: expanded percentiles);
    subjects of unequal sizes count as the fewer equal ones that vary alike (Kish, 1965).
    """
    hits, sizes = hits[sizes > 0].astype(float), sizes[sizes > 0].astype(float)
    known = ~np.isnan(replicates)
    if len(sizes) < 2 or np.isnan(share) or not known.any():
        return float("nan"), float("nan")
    size = (sizes**3).sum() / (sizes**2).sum()
    level, more = _level(kish(sizes), outside), WEIGHTS * size
    seen, every = (replicates[known] * whole[known])[:, np.newaxis], whole[known, np.newaxis] + more
    high = unseen(share, hits, sizes)
    low = 1 - unseen(1 - share, sizes - hits, sizes)
    below, above = (np.quantile((seen + more * rate) / every, at) for rate, at in ((low, level), (high, 1 - level)))
    return float(min(below, share)), float(max(above, share))


def unseen(share: float, hits: np.ndarray, sizes: np.ndarray) -> float:
    """The share of hits of the half subject for the bound above: from `share` up to 1.

    A mean of two. Where all subjects are like those seen, half a subject at sum(e^3) / sum(e^2) above the mean, e what
    a subject has more hits than the mean, makes the bound right but for terms of 1 / n (Hall, 1988: the skewness of a
    studentised mean, less that of random weights). Where few subjects have hits, others may have nothing else: 1. The
    former counts as many times as subjects have hits (Kish's number of them), the latter `EXTREME` times.
    """
    excess = hits - share * sizes
    spread, with_hits = (excess**2).sum(), kish(hits)
    skewed = (excess**3).sum() / spread / ((sizes**3).sum() / (sizes**2).sum()) if spread > 0 else 0.0
    above = (with_hits * skewed + EXTREME * (1 - share)) / (with_hits + EXTREME)
    return float(np.clip(share + above, share, 1))


def kish(sizes: np.ndarray) -> float:
    """As how many equal parts unequal ones vary: (sum n)^2 / sum n^2 (Kish, 1965); 0 of nothing."""
    squares = (sizes.astype(float) ** 2).sum()
    return float(sizes.sum() ** 2 / squares) if squares > 0 else 0.0


def _level(subjects: float, outside: float) -> float:
    """The share of resamples below an interval of so many subjects, and above it."""
    subjects = max(subjects, 2.0)
    far = special.stdtrit(subjects - 1, outside / 2)
    return float(special.ndtr(np.sqrt((subjects + 1) / (subjects - 1)) * far))
