"""Valleys: where a distribution of numbers falls apart into peaks."""

import numpy as np

BINS = 512
DEPTH = 0.8
"""In a valley the density is at most this share of that on the lower of the peaks beside it."""

SMALLEST = 0.1
"""A peak is a share of at least this of all values: a few that lie far out are none."""


def valleys(values: np.ndarray) -> np.ndarray:
    """(v,) float64, ascending: the numbers between the peaks of `values` (n,); none where there is one peak.

    Valleys of a Gaussian kernel density of Silverman's bandwidth, 0.9 min(deviation, IQR / 1.34) n^(-1/5) (1986,
    equation 3.31). Scores have no say in them, so that what is held fixed isn't chosen by its effect.
    """
    from scipy.ndimage import gaussian_filter1d
    from scipy.signal import find_peaks

    if len(values) < 2 or np.ptp(values) == 0:
        return np.zeros(0)
    ends = np.quantile(values, [0.01, 0.99])
    counts, edges = np.histogram(values, BINS, range=(ends[0], ends[1]) if ends[0] < ends[1] else None)
    density = gaussian_filter1d(counts.astype(float), max(1, _bandwidth(values) / (edges[1] - edges[0])))
    found, about = find_peaks(-density, prominence=0)
    bottom = density[found]
    deep = bottom <= DEPTH * (bottom + about["prominences"])
    deepest = np.argsort(-about["prominences"][deep], kind="stable")
    return _apart((edges[:-1] + edges[1:])[found[deep][deepest]] / 2, values)


def _bandwidth(values: np.ndarray) -> float:
    quarters = np.subtract(*np.quantile(values, [0.75, 0.25])) / 1.34
    deviation = values.std(ddof=1)
    return 0.9 * (min(deviation, quarters) if quarters > 0 else deviation) * len(values) ** -0.2


def _apart(cuts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Those of `cuts`, the deepest first, that leave a peak on either side."""
    kept = np.zeros(0)
    for cut in cuts:
        tried = np.sort(np.append(kept, cut))
        counts = np.bincount(np.searchsorted(tried, values), minlength=len(tried) + 1)
        if counts.min() >= SMALLEST * len(values):
            kept = tried
    return kept
