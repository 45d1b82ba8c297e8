"""Validation rate at a false accept rate, over ten folds, as FHIBE's public Evaluation API computes it."""

from typing import NamedTuple

import numpy as np

FOLDS = 10
GRID = np.arange(-1, 1, 0.001)
"""Thresholds of the distance (minus the cosine) that are tried."""


class Validation(NamedTuple):
    """rate: the mean over folds of the share of genuine pairs under the fold's threshold; deviation: their standard
    deviation; accepted: (n,) bool, which pairs lie under the threshold of the fold that they are in."""

    rate: float
    deviation: float
    accepted: np.ndarray


def validation(distance: np.ndarray, same: np.ndarray, far: float) -> Validation | None:
    """The validation rate of pairs, in the order in which they are folded; None where the API breaks off.

    distance: (n,) minus the cosine, NaN of what can't be compared, which is never accepted; same: (n,) bool, some
    true and some not. In each fold the threshold is interpolated on the others between the grid's places where their
    FAR changes; where that never reaches `far` it is 0. What a fold keeps of the grid is all that the next one tries:
    so does the API.
    """
    folds = min(len(distance), FOLDS)
    grid, rates, accepted = GRID, np.full(folds, np.nan), np.zeros(len(distance), bool)
    for fold, held in enumerate(np.array_split(np.arange(len(distance)), folds)):
        learnt = np.delete(np.arange(len(distance)), held)
        grid, threshold = _threshold(grid, distance[learnt][~same[learnt]], far)
        if grid is None:
            return None
        accepted[held] = distance[held] < threshold
        if same[held].any():
            rates[fold] = accepted[held][same[held]].mean()
    return Validation(float(np.nanmean(rates)), float(np.nanstd(rates)), accepted)


def _threshold(grid: np.ndarray, impostors: np.ndarray, far: float) -> tuple[np.ndarray | None, float]:
    """The grid that is left, and the threshold; no grid where places that are left over come to be looked up."""
    from scipy.interpolate import interp1d

    reached = np.zeros(len(GRID))
    if not len(impostors):
        return grid, 0.0
    reached[: len(grid)] = np.searchsorted(np.sort(impostors), grid, side="left") / len(impostors)
    if not reached.min() <= far <= reached.max():
        return grid, 0.0
    shares, places = np.unique(reached, return_index=True)
    if places.max() >= len(grid) or len(shares) < 2:
        return None, 0.0
    return grid[places], float(interp1d(shares, grid[places], kind="slinear")(far))
