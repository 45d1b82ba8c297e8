"""The tail of a sum of numbers whose signs are dealt out at random, of very many of them, by saddlepoint."""

import numpy as np
from scipy.special import ndtr

from accord.statistics.permuting import lugannani_rice

STEPS, CLOSE, CENTRE = 100, 1e-12, 1e-2


def flipped(numbers: np.ndarray, least: float) -> float:
    """P(sum of the numbers (n,), each with either sign at random, >= least): Lugannani and Rice (1980).

    Taken is half a step of the smallest number less, as sums of few different numbers move in steps.
    """
    sizes = np.abs(numbers)
    if least <= 0:
        return 1 - flipped(numbers, -least) if least < 0 else 0.5
    if least >= sizes.sum() * (1 - CLOSE):
        return 0.5 ** len(sizes)
    least = max(least - sizes.min(), 0.0)
    spread = float(np.sqrt((sizes**2).sum()))
    if least < CENTRE * spread:
        return float(ndtr(-least / spread))
    t = _point(sizes, least)
    w = np.sqrt(2 * (t * least - float(_log_cosh(t * sizes).sum())))
    v = t * np.sqrt((sizes**2 / np.cosh(np.minimum(t * sizes, 300)) ** 2).sum())
    return float(np.clip(lugannani_rice.tail(w, v), 0, 1))


def _point(sizes: np.ndarray, least: float) -> float:
    """Where the sum of sizes tanh(t sizes) is `least`: by Newton's steps, which only rise, as it bends down."""
    t = 0.0
    for _ in range(STEPS):
        tangent = np.tanh(t * sizes)
        step = (least - float(sizes @ tangent)) / float(sizes**2 @ (1 - tangent**2))
        t += step
        if step <= CLOSE * t:
            break
    return t


def _log_cosh(of: np.ndarray) -> np.ndarray:
    return of + np.log1p(np.exp(-2 * of)) - np.log(2)
