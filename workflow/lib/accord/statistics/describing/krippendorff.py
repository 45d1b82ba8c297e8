"""Krippendorff's alpha: agreement of any number of people on any number of units, some of them missing.

alpha = 1 - D_o / D_e, observed over expected disagreement, from the coincidences of values: each pair of values of a
unit of m values counts 1 / (m - 1) (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011).
"""

from collections.abc import Sequence

import numpy as np

NOMINAL, ORDINAL = "nominal", "ordinal"


def coincidences(units: Sequence[Sequence[int]], values: int) -> np.ndarray:
    """How often values 0 ... values - 1 meet in each unit: (units, values, values). A unit of one value has none."""
    found = np.zeros((len(units), values, values))
    for place, unit in enumerate(units):
        if len(unit) > 1:
            found[place] = pairs(np.bincount(unit, minlength=values))
    return found


def pairs(counts: np.ndarray) -> np.ndarray:
    """How often values meet in a unit that has each so often, two or more in all: (values,) -> (values, values)."""
    return (np.outer(counts, counts) - np.diag(counts)) / (counts.sum() - 1)


def alpha(met: np.ndarray, level: str = NOMINAL) -> np.ndarray:
    """Alpha of coincidences (..., values, values): (...). NaN where nothing meets or all values are the same.

    level: nominal (values differ or don't), or ordinal (they differ by how many values lie between them).
    """
    totals = met.sum(axis=-1)
    n = totals.sum(axis=-1)
    apart = _distances(totals, level)
    observed = (met * apart).sum(axis=(-2, -1))
    expected = (totals[..., :, np.newaxis] * totals[..., np.newaxis, :] * apart).sum(axis=(-2, -1))
    chance = np.divide(expected, n - 1, out=np.zeros_like(expected), where=n > 1)
    return 1 - np.divide(observed, chance, out=np.full_like(expected, np.nan), where=chance > 0)


def _distances(totals: np.ndarray, level: str) -> np.ndarray:
    """Squared distances of all pairs of values; ordinal ones depend on how often the values between occur."""
    if level == NOMINAL:
        return np.broadcast_to(1 - np.eye(totals.shape[-1]), (*totals.shape, totals.shape[-1]))
    middle = np.cumsum(totals, axis=-1) - totals / 2
    return (middle[..., :, np.newaxis] - middle[..., np.newaxis, :]) ** 2
