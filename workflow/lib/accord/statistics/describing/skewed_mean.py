"""Intervals of means of scores without known ends: Student's t, turned for how skewed the scores are."""

import numpy as np
from scipy import special


def bounds(
    mean: np.ndarray, spread: np.ndarray, skewness: np.ndarray, subjects: np.ndarray, freedom: np.ndarray
) -> np.ndarray:
    """95% intervals of means of m `subjects`, of their standard deviation and skewness: each (k,) -> (k, 2).

    spread: sqrt(m) times the standard error of the mean; freedom: the degrees of freedom of that.
    Hall, On the removal of skewness by transformation, 1992: t + g t^2 / 3 + g^2 t^3 / 27 + g / 6 m, t the studentised
    mean / sqrt(m), has a symmetric distribution but for terms of 1 / m; here Student's. About as a
    studentised bootstrap has them, without draws.
    """
    reach = special.stdtrit(freedom, 0.975)
    ends = [spread * _turned(side * reach / np.sqrt(subjects), skewness, subjects) for side in (1, -1)]
    return np.column_stack([mean - ends[0], mean - ends[1]])


def skewness(second: np.ndarray, third: np.ndarray, subjects: np.ndarray) -> np.ndarray:
    """Of central moments (means of powers 2 and 3), with Fisher's correction for few subjects; 0 of fewer than 3."""
    safe = np.where(second > 0, second, 1)
    correction = np.sqrt(subjects * (subjects - 1)) / np.maximum(subjects - 2, 1)
    return np.where((second > 0) & (subjects > 2), third / safe**1.5 * correction, 0.0)


def _turned(y: np.ndarray, skewness: np.ndarray, subjects: np.ndarray) -> np.ndarray:
    """The t whose transform is y: of no skewness y itself."""
    straight = np.abs(skewness) < 1e-6
    g = np.where(straight, 1, skewness)
    return np.where(straight, y, 3 / g * (np.cbrt(1 + g * (y - g / (6 * subjects))) - 1))
