"""Whether vectors are of length 1, as those who call their products cosines take them to be."""

import numpy as np

ROUNDED = 0.02
"""How far the square of the length may be from 1, for numbers that were rounded: of 8 bits it is 0.008 at most."""


def of_unit_length(squares: np.ndarray) -> np.ndarray:
    """Which of some squared lengths are 1."""
    return np.abs(squares - 1) <= ROUNDED
