"""Intervals of shares by resamples of subjects that count on nothing unseen: half a subject more stands at the end."""

import numpy as np
from scipy import special

from accord.statistics.resampling.bootstrap import OUTSIDE

HALF, STEPS = 0.5, 50
WEIGHTS = special.gammaincinv(HALF, (np.arange(STEPS) + 0.5) / STEPS)
"""What the half subject weighs in a resample: gamma distributed with shape 1/2, by its quantiles."""


def weights(subjects: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """What each subject weighs in a resample: (draws, subjects) independent standard exponentials (Rubin, 1981).

    Unlike `bootstrap.weights` no resample is without the few subjects that have hits.
    """
    return rng.standard_exponential((draws, subjects))


def rounded(weighed: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Whole numbers, up or down at random, whose mean is what each subject weighs: as `bootstrap.weights` has them."""
    return np.floor(weighed + rng.random(weighed.shape)).astype(int)


def interval(share: float, replicates: np.ndarray, whole: np.ndarray, sizes: np.ndarray) -> tuple[float, float]:
    """95% interval of a share of pairs; NaN of fewer than two subjects.

    replicates: (draws,) the share in each resample, NaN where there is none; whole: (draws,) what all pairs of a
    resample weigh; sizes: (m,) how many pairs each subject has. The bound above is the 97.5% quantile of shares of
    which half a subject more has hits alone, and as many pairs as others (root mean square); below likewise with one
    that has none. Resamples have only what came to pass: where few subjects have hits they are too much alike, and an
    interval of theirs alone is too narrow. Of subjects with a pair each, x hits of m, it has the quantiles of
    Beta(x + 1/2, m - x) above and Beta(x, m - x + 1/2) below; with a whole subject more it would be Clopper and
    Pearson's, and Gaffke's of others (`bounded_mean`), which hold in 95% or more.
    """
    sizes = sizes[sizes > 0].astype(float)
    known = ~np.isnan(replicates)
    if len(sizes) < 2 or np.isnan(share) or not known.any():
        return float("nan"), float("nan")
    hits = replicates[known] * whole[known]
    more = WEIGHTS * np.sqrt((sizes**2).mean())
    every = whole[known, np.newaxis] + more
    low = np.quantile(hits[:, np.newaxis] / every, OUTSIDE / 2)
    high = np.quantile((hits[:, np.newaxis] + more) / every, 1 - OUTSIDE / 2)
    return float(min(low, share)), float(max(high, share))
