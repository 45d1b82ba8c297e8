"""Rates of verification: the threshold at a false accept rate, the true accept rate there, Wilson's interval."""

from fractions import Fraction

import numpy as np

from accord.statistics.describing import proportions
from accord.statistics.describing.proportions import Z95


def negatives_needed(far: float) -> int:
    """The fewest impostor pairs that resolve a false accept rate: 1,000 for 0.001."""
    return -(-1 // Fraction(str(far)))


def threshold_at(negatives: np.ndarray, far: float) -> float:
    """The score at and above which a share `far` of all negatives would be accepted, by those that were seen.

    The quantile at position far * n + 1/2 of the falling scores, on the line between the two beside it (Hazen, 1914).
    The score of the last negative that FAR allows accepts a share that is right on average, yet TAR falls faster with
    less FAR than it climbs with more: so TAR there leans low, by 0.1 with 1,500 negatives and a FAR of 0.001. Here it
    leans by less than 0.01 from 1 / FAR negatives on (`benchmarks/far.py`). Equal scores are accepted or refused
    together: where FAR doesn't allow all of them the threshold lies above, at the top just above the highest. Raises
    ValueError with fewer negatives than `negatives_needed`.
    """
    if len(negatives) < negatives_needed(far):
        raise ValueError(f"{len(negatives)} negatives can't resolve a false accept rate of {far}")
    count = len(negatives)
    place = np.array([position(count, far)])
    return float(thresholds_at(np.sort(-np.asarray(negatives, float)), np.arange(1, count + 1), place)[0])


def position(negatives: np.ndarray | int, far: float) -> np.ndarray | float:
    """far * negatives + 1/2, correctly rounded: int64 (n,) -> float64 (n,)."""
    exact = Fraction(str(far))
    return (2 * exact.numerator * negatives + exact.denominator) / (2 * exact.denominator)


def thresholds_at(rising: np.ndarray, reached: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The thresholds at positions `places` (f,) among negatives: (f,).

    rising: (n,) scores times -1, sorted, the head of them; reached: (n,) int, how many negatives there are up to each
    (a score may stand for none or several). A position beyond the last has the lowest score.
    """
    first = np.searchsorted(reached, np.minimum(places, reached[-1] - 0.5), side="right")
    refused = rising[first]
    start, end = (np.searchsorted(rising, refused, side=side) for side in ("left", "right"))
    accepted = np.where(start > 0, reached[start - 1], 0)
    above = rising[np.searchsorted(reached, np.maximum(accepted, 1))]
    share = np.minimum((places - accepted) / (reached[end - 1] - accepted), 1)
    between = above + share * np.subtract(refused, above, out=np.zeros(len(places)), where=np.isfinite(refused))
    return -np.where(accepted > 0, between, np.nextafter(refused, -np.inf))


def wilson(hits: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval of a proportion; (nan, nan) without trials (Wilson, 1927)."""
    if not trials:
        return float("nan"), float("nan")
    return proportions.wilson(hits / trials, trials, z)
