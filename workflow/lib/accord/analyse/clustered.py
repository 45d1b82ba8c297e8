"""Intervals of shares of pairs that know that pairs share subjects."""

import numpy as np
from scipy import stats

from accord.analyse.rates import wilson


def interval(share: float, pairs: int, replicates: np.ndarray, subjects: int, *, units: int = 0) -> tuple[float, float]:
    """95% interval of a share of `pairs` pairs, from its bootstrap replicates by subject: (low, high).

    Wilson's interval of as many independent pairs as would spread like the replicates, with Student's quantile of the
    subjects (Fogliato, Patil and Perona, 2024: for error rates of 1:1 matching). Where the replicates don't spread,
    since all pairs are hits or none, of as many pairs as there are independent `units` (the subjects; for impostor
    pairs half of them). NaN of fewer than two subjects or no pair.
    """
    if subjects < 2 or not pairs or np.isnan(share):
        return float("nan"), float("nan")
    known = replicates[~np.isnan(replicates)]
    spread = known.var(ddof=1) * subjects / (subjects - 1) if len(known) > 1 else 0.0
    even = share * (1 - share)
    trials = min(even / spread, pairs) if spread > 0 and even > 0 else units or subjects
    return wilson(share * trials, trials, float(stats.t.ppf(0.975, subjects - 1)))
