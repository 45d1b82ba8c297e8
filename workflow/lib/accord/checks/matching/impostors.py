"""How often faces of two people are taken for one: what comparisons of a data set's own faces can tell of it.

Nearly all pairs of faces of two subjects are two people. The share of them at or above a cosine is the empirical rate
of false matches (FMR) there; the few that are one person under two ids make it too high, which is the safe side. Of n
comparisons without a false match, the rate is below 1 - 0.05^(1/n), about 3/n, with 95% confidence (Clopper and
Pearson 1934): a rate of 1e-6 takes three million comparisons. Comparisons that share a face are not independent, so
that the bound is for these faces, not for all that will come.
"""

from typing import NamedTuple

import numpy as np

STEP = 0.001
EDGES = np.round(np.arange(-1, 1 + STEP / 2, STEP), 3)
CONFIDENCE = 0.95


class Rate(NamedTuple):
    """The fields are those of the table FaceRates."""

    fmr: float
    threshold: float
    comparisons: int
    accepted: int
    upper: float
    resolved: bool


def histogram(cosines: np.ndarray) -> np.ndarray:
    """(2000,) counts of cosines in steps of 0.001 from -1 on; what rounding leaves outside goes to the ends."""
    places = np.floor((np.asarray(cosines, float) + 1) / STEP + 1e-6).astype(int)
    return np.bincount(np.clip(places, 0, len(EDGES) - 2), minlength=len(EDGES) - 1)


def upper_bound(accepted: int, comparisons: int) -> float:
    """Upper end of the one-sided 95% Clopper-Pearson interval of a share; 1 without comparisons."""
    from scipy.stats import beta

    if accepted >= comparisons:
        return 1.0
    return float(beta.ppf(CONFIDENCE, accepted + 1, comparisons - accepted))


def rate_of(counts: np.ndarray, fmr: float) -> Rate:
    """The lowest threshold, to 0.001, from which on the rate is below `fmr` with 95% confidence.

    counts: as `histogram` makes them, of cosines of faces of two people. Nothing is extrapolated: where even no false
    match would not show the rate, there is no threshold (NaN), and `upper` is what could be shown.
    """
    comparisons = int(counts.sum())
    above = np.append(np.cumsum(counts[::-1])[::-1], 0)
    low, high = 0, len(above) - 1
    best = upper_bound(0, comparisons)
    if best > fmr:
        return Rate(fmr, float("nan"), comparisons, 0, best, False)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if upper_bound(int(above[middle]), comparisons) <= fmr else (middle + 1, high)
    return Rate(fmr, float(EDGES[low]), comparisons, int(above[low]), upper_bound(int(above[low]), comparisons), True)
