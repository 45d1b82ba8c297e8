"""Which scores count as errors: the worst share of them, cut where scores differ."""

import numpy as np


def cut(values: np.ndarray, share: float) -> float:
    """The score up to which (and with which) scores are errors: the one whose share of rows is nearest to `share`.

    Of two equally near the lower. NaN where all scores are equal: there is nothing to cut. Of scores where lower is
    better take their negatives.
    """
    levels, counts = np.unique(values, return_counts=True)
    if len(levels) < 2:
        return float("nan")
    below = np.cumsum(counts)[:-1] / len(values)
    return float(levels[np.argmin(np.abs(below - share))])
