"""Rates of verification: the threshold at a false accept rate, the true accept rate there, Wilson's interval."""

from fractions import Fraction

import numpy as np

from accord.checks import proportions
from accord.checks.proportions import Z95


def negatives_needed(far: float) -> int:
    """The fewest negative pairs that resolve a false accept rate: 1,000 for 0.001."""
    return -(-1 // Fraction(str(far)))


def threshold_at(negatives: np.ndarray, far: float) -> float:
    """The lowest score of a negative at which accepted negatives / negatives <= far.

    Accepted are scores at or above the threshold. Where no negative's score is high enough (ties at the top), just
    above the highest. Raises ValueError with fewer negatives than `negatives_needed`.
    """
    if len(negatives) < negatives_needed(far):
        raise ValueError(f"{len(negatives)} negatives can't resolve a false accept rate of {far}")
    descending = np.sort(np.asarray(negatives))[::-1]
    allowed = int(Fraction(str(far)) * len(descending))
    refused = descending[allowed] if allowed < len(descending) else -np.inf
    higher = descending[descending > refused]
    return float(higher[-1]) if len(higher) else float(np.nextafter(refused, np.inf))


def wilson(hits: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval of a proportion; (nan, nan) without trials (Wilson, 1927)."""
    if not trials:
        return float("nan"), float("nan")
    return proportions.wilson(hits / trials, trials, z)
