"""Lugannani and Rice's formula for the tail of a sum (1980), which all saddlepoints here end in."""

import numpy as np
from scipy.special import ndtr


def tail(w: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The chance of as much and more, of each of any number of sums.

    w: the root of twice the exponent's height at the saddlepoint; v: the saddlepoint times the spread there, and the
    correction for what is held fixed. Where w is 0 there is none.
    """
    return ndtr(-w) + np.exp(-w * w / 2) / np.sqrt(2 * np.pi) * (1 / v - 1 / w)
