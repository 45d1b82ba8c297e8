"""Shares of counts and means of sums, of which some have nothing to be taken of."""

import numpy as np


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, element by element, broadcast: float64; NaN where `whole` is not above 0."""
    shape = np.broadcast_shapes(np.shape(part), np.shape(whole))
    return np.divide(part, whole, out=np.full(shape, np.nan), where=np.broadcast_to(np.asarray(whole) > 0, shape))
