"""Holm's correction for many tests."""

import numpy as np


def holm(p: np.ndarray) -> np.ndarray:
    """P-values corrected so that the chance of any false rejection stays at the level (Holm, 1979); same order."""
    p = np.asarray(p, float)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1)
    return corrected
