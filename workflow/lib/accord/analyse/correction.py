"""Corrections of p-values for many tests."""

import numpy as np

from accord.analyse.holm import holm

METHODS = ("bonferroni", "holm", "bh")


def corrected(p: np.ndarray, method: str) -> np.ndarray:
    """P-values corrected for all of `p` (m,), in the same order.

    bonferroni and holm: the chance of any false rejection stays at the level; bh: the expected share of false ones
    among all rejections does (Benjamini and Hochberg, 1995). Raises ValueError of another method.
    """
    p = np.asarray(p, float)
    if method == "bonferroni":
        return np.minimum(p * len(p), 1)
    if method == "holm":
        return holm(p)
    if method == "bh":
        return _benjamini_hochberg(p)
    raise ValueError(f"correction {method!r} is none of {', '.join(METHODS)}")


def _benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    order = np.argsort(-p, kind="stable")
    stepped = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    found = np.empty_like(p)
    found[order] = np.minimum(stepped, 1)
    return found
