"""Corrections of p-values for many comparisons."""

import numpy as np

from accord.analyse.holm import holm


def bonferroni(p: np.ndarray) -> np.ndarray:
    """P-values times their number, at most 1."""
    return np.minimum(1, np.asarray(p, float) * len(p))


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """P-values corrected so that at most the level's share of rejections is false (Benjamini and Hochberg, 1995)."""
    p = np.asarray(p, float)
    order = np.argsort(p, kind="stable")[::-1]
    stepped = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1)
    return corrected


CORRECTIONS = {"Bonferroni": bonferroni, "Holm": holm, "Benjamini-Hochberg": benjamini_hochberg}
