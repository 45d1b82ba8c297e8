"""How much of a seam a fill leaves: what changes across the border of the hole, against what changes beside it."""

from __future__ import annotations

import numpy as np

REACH = 3
BAND = 24
GRAIN = 2.0
UNSEEN = 1.2
LEAST = 20


def score(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray) -> float:
    """Mean change across the border of a hole over that of the surroundings; about 1 where there is no seam to see.

    pixels: uint8 (H, W, 3), filled; masks: bool (H, W). A change is the mean absolute difference of two pixels that
    lie REACH px apart in a row or a column: across the border where one is in the hole and the other is not; of the
    surroundings where neither is and both lie within BAND px of the hole. GRAIN colour levels are added to both, so
    that a plain wall does not make a seam of nothing. Others (subjects, and what is still to be painted) and what is
    next to them count for neither: their outline is an edge of the scene. 0 where there are fewer than LEAST places to
    look at. A fill that scores UNSEEN or less can't be told by its border.
    """
    near, others = _within(BAND, hole), _within(REACH, others)
    across = around = np.zeros(0)
    for axis in (0, 1):
        here, there = _pair(axis)
        change = np.abs(pixels[there].astype(np.float32) - pixels[here]).mean(2)
        seen = ~(others[here] | others[there])
        crossing = hole[here] != hole[there]
        across = np.append(across, change[crossing & seen])
        around = np.append(around, change[near[here] & near[there] & ~(hole[here] | hole[there]) & seen])
    if min(len(across), len(around)) < LEAST:
        return 0.0
    return float((across.mean() + GRAIN) / (around.mean() + GRAIN))


def _within(distance: float, mask: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3) <= distance if mask.any() else mask


def _pair(axis: int) -> tuple[tuple, tuple]:
    first, second = slice(None, -REACH), slice(REACH, None)
    return ((first, slice(None)), (second, slice(None))) if axis == 0 else ((slice(None), first), (slice(None), second))
