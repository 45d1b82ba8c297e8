"""Confidences of a service on a common scale: 0 where strangers lie, 1 where pictures of one person do."""

from typing import NamedTuple

import numpy as np

SEED = 42
"""Of the authors' tool."""
PARTED = 2.0
"""Ashman's D from which on two normal components are two (Ashman, Bird & Zepf, 1994)."""
MAD = 1.4826
"""Median absolute deviation -> standard deviation of a normal distribution."""
ABOVE = 2.5
"""Deviations above the low mode from which on a score within queries tells of the high mode."""
EQUAL = "half of its scores of pairs of two queries or more are equal, which `calibration: across` can't take"
"""As of a service that says 0 or 1 alone: their spread would be none."""
FEWEST = 10
"""Scores that a calibration needs."""


class Modes(NamedTuple):
    """Where scores of strangers and of one person lie, and how far those of strangers spread; `note`: why not."""

    low: float
    high: float
    deviation: float
    note: str = ""


def mixture(scores: np.ndarray) -> Modes:
    """The means of a mixture of two normal distributions of all scores (n,), as published.

    A mixture whose means are less than two deviations apart (Ashman's D) doesn't part: it is noted.
    """
    from sklearn.mixture import GaussianMixture

    if obstacle := _few(scores) or _equal(scores):
        return obstacle
    fitted = GaussianMixture(2, random_state=SEED).fit(np.asarray(scores, float)[:, np.newaxis])
    means, deviations = fitted.means_.ravel(), np.sqrt(fitted.covariances_.ravel())
    low, high = np.argsort(means)
    apart = (means[high] - means[low]) / np.sqrt((deviations**2).mean())
    note = "" if apart >= PARTED else f"the two modes of its scores are {apart:.1f} deviations apart, fewer than 2"
    return Modes(float(means[low]), float(means[high]), float(deviations[low]), note)


def across(within: np.ndarray, between: np.ndarray) -> Modes:
    """The modes told apart by whose the pairs are: strangers are pairs of two queries, which few own faces can't move.

    within: (n,) scores of pairs of one query; between: (m,) of pairs of two queries. Low: the median of `between`;
    deviation: its median absolute deviation; high: the median of the scores within that lie 2.5 deviations above it.
    """
    if obstacle := _few(between) or _equal(np.concatenate([within, between])):
        return obstacle
    low = float(np.median(between))
    deviation = MAD * float(np.median(np.abs(between - low)))
    if not deviation:
        return Modes(low, np.nan, deviation, EQUAL)
    own = within[within > low + ABOVE * deviation]
    if not len(own):
        return Modes(low, np.nan, deviation, "no score within a query lies above those of strangers")
    return Modes(low, float(np.median(own)), deviation)


def calibrated(scores: np.ndarray, modes: Modes, clipped: bool = True) -> np.ndarray:
    """(score - low) / (high - low); in [0, 1] where `clipped`, else at most 1: strangers then average 0."""
    moved = (scores - modes.low) / (modes.high - modes.low)
    return np.clip(moved, 0, 1) if clipped else np.minimum(moved, 1)


def _few(scores: np.ndarray) -> Modes | None:
    if len(scores) < FEWEST:
        return Modes(np.nan, np.nan, np.nan, f"{len(scores)} scores, fewer than the {FEWEST} of a calibration")
    return None


def _equal(scores: np.ndarray) -> Modes | None:
    return Modes(np.nan, np.nan, np.nan, "all its scores are equal") if np.ptp(scores) == 0 else None
