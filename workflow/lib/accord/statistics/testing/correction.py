"""Corrections of p-values for many tests."""

import numpy as np

from accord.statistics.testing.holm import holm

ALPHA = 0.05
"""The level: a corrected p-value under it is told as a difference."""


def corrected(p: np.ndarray, method: str) -> np.ndarray:
    """P-values corrected for all of `p` (m,) that there are, in the same order; NaN, of what wasn't tested, stays NaN.

    bonferroni and holm: the chance of any false rejection stays at the level; bh: the expected share of false ones
    among all rejections does (Benjamini and Hochberg, 1995). Raises ValueError of another method.
    """
    if method not in METHODS:
        raise ValueError(f"correction {method!r} is not one of {', '.join(METHODS)}")
    found = np.array(p, float)
    tested = ~np.isnan(found)
    found[tested] = _WAYS[method](found[tested])
    return found


def _bonferroni(p: np.ndarray) -> np.ndarray:
    return np.minimum(p * len(p), 1)


def _benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    order = np.argsort(-p, kind="stable")
    stepped = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    found = np.empty_like(p)
    found[order] = np.minimum(stepped, 1)
    return found


_WAYS = {"bonferroni": _bonferroni, "holm": holm, "bh": _benjamini_hochberg}
METHODS = tuple(_WAYS)
