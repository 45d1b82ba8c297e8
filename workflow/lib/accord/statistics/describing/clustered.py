"""Intervals of shares of pairs that know that pairs share subjects."""

import numpy as np
import scipy

from accord.statistics.describing.proportions import wilson


def interval(
    share: float, pairs: int, replicates: np.ndarray, subjects: int, units: float, outside: float = 0.05
) -> tuple[float, float]:
    """95% interval of a share of `pairs` pairs (of all but `outside`), from its bootstrap replicates by subject.

    Wilson's interval of as many independent pairs as would spread like the replicates, with Student's quantile of the
    subjects (Fogliato, Patil and Perona, 2024: for error rates of 1:1 matching). Where the replicates don't spread,
    since all pairs are hits or none, of `units`. NaN of fewer than two subjects or no pair.
    """
    if subjects < 2 or not pairs or np.isnan(share):
        return float("nan"), float("nan")
    known = replicates[~np.isnan(replicates)]
    spread = known.var(ddof=1) * subjects / (subjects - 1) if len(known) > 1 else 0.0
    even = share * (1 - share)
    trials = min(even / spread, pairs) if spread > 0 and even > 0 else units
    return wilson(share, trials, float(scipy.stats.t.ppf(1 - outside / 2, subjects - 1)))
