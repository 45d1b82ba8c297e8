"""Whether a fill keeps the outline of who stood there: edges that follow the hole's border, all in one direction."""

from __future__ import annotations

import numpy as np

from accord.imaging.regions import bounded

SIDES = 256, 128
"""Px of the longer side of the window in which sharp and soft outlines are looked for; more is scaled down."""
BLUR = 1.0
OUT, DEPTH, LEAST_DEPTH = 1.5, 0.12, 6.0
"""How far curves are followed: px outside of the border; inside, a share of the hole's longer side, and px at least."""
WIDTH = 3.0
FLOOR = 0.5
"""Colour levels a px that are added, so that a plain wall does not make an outline of nothing."""
STRAIGHT = 0.7
"""Length of the distance's gradient below which it has no direction: where curves meet."""
LEAST = 40
UNSEEN = 1.3


def score(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray) -> float:
    """How much stronger edges that follow a hole's border are than those across it: about 0 where there is no outline.

    pixels: uint8 (H, W, 3), filled; masks: bool (H, W). Curves that run along the border, at it and inside (level sets
    of the distance to it), are looked at. Whatever is there by chance is now brighter and now darker further in, so the
    median change across a curve is next to nothing; of what is left of a person, a shadow or a slab, all of it is
    darker, or all of it brighter. The score is that median, over the median change along the curve and FLOOR, of the
    curve and size (SIDES) where it is largest. Others (subjects, and what is still to be painted) do not count. 0 where
    no curve has LEAST pixels. UNSEEN is about the 97.5th percentile of the truth's scores on photographs
    (docs/inpainting.md).
    """
    if not hole.any():
        return 0.0
    sides = {min(side, max(hole.shape)) for side in SIDES}
    return max(_strongest(*bounded(side, pixels, hole, others)) for side in sides)


def _strongest(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray) -> float:
    """The score of the curve on which the outline is strongest."""
    if not hole.any():
        return 0.0
    longer = max(np.ptp(np.flatnonzero(hole.any(axis))) for axis in (0, 1)) + 1
    depth = max(LEAST_DEPTH, DEPTH * longer)
    distance, across, along = _changes(pixels, hole, others, depth)
    curves = ((distance >= start) & (distance < start + WIDTH) for start in np.arange(-OUT, depth - WIDTH + 1))
    return max((_followed(across[curve], along[curve]) for curve in curves), default=0.0)


def _followed(across: np.ndarray, along: np.ndarray) -> float:
    if len(across) < LEAST:
        return 0.0
    return float(abs(np.median(across)) / (np.median(np.abs(along)) + FLOOR))


def _changes(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray, depth: float) -> tuple[np.ndarray, ...]:
    """Of the pixels near the border: distance to it, px, inside positive, and change of luma inwards and along it."""
    import cv2

    distance = _inwards(hole)
    x, y = _gradient(cv2.GaussianBlur(distance, (0, 0), 2 * BLUR))
    length = np.maximum(np.hypot(x, y), 1e-6)
    luma = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    right, down = _gradient(cv2.GaussianBlur(luma, (0, 0), BLUR))
    seen = ~cv2.dilate(others.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    at = seen & (length > STRAIGHT) & (distance >= -OUT) & (distance < depth + WIDTH)
    return distance[at], ((right * x + down * y) / length)[at], ((down * x - right * y) / length)[at]


def _inwards(hole: np.ndarray) -> np.ndarray:
    import cv2

    inside, outside = (cv2.distanceTransform(m.astype(np.uint8), cv2.DIST_L2, 5) for m in (hole, ~hole))
    return inside - outside


def _gradient(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Change a px to the right, and downwards (Sobel)."""
    import cv2

    return cv2.Sobel(values, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(values, cv2.CV_32F, 0, 1, scale=1 / 8)
