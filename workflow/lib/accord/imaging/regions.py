"""Where to paint: masks of regions without the subjects, and the window around each region that a model sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from accord.imaging.masks import rasterise

MARGIN = 0.03
BAYS = 0.12
CONTEXT = 1.8


class Window(NamedTuple):
    """A part of an image, px: rows top to bottom, columns left to right, ends excluded."""

    top: int
    bottom: int
    left: int
    right: int

    def of(self, array: np.ndarray) -> np.ndarray:
        """The view of an image or mask (H, W, ...) in this window."""
        return array[self.top : self.bottom, self.left : self.right]


def grown(mask: np.ndarray, pixels: float) -> np.ndarray:
    """The mask and all within that distance of it, px."""
    import cv2

    if not mask.any():
        return mask
    return mask | (cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE) <= pixels)


def region_mask(polygon: Sequence[float], shape: tuple[int, int]) -> np.ndarray:
    """A region's mask, its narrow bays closed, then grown by 2 px and MARGIN of its longer side.

    Annotators cut corners and edges are soft; and the outline of a neck or of legs should not be told by the fill.
    """
    points = np.asarray(polygon, float).reshape(-1, 2)
    longer = min(float(np.ptp(points, axis=0).max()) if len(points) else 0.0, max(shape))
    mask = rasterise([polygon], shape)
    return grown(_closed(mask, BAYS * longer), 2 + round(MARGIN * longer))


def _closed(mask: np.ndarray, pixels: float) -> np.ndarray:
    """The mask and its bays of up to twice that width, px, as if the picture went on beyond its edges."""
    beyond = int(np.ceil(pixels)) + 1
    wide = np.pad(mask, beyond, mode="edge")
    inside = (slice(beyond, -beyond),) * 2
    return ~grown(~grown(wide, pixels), pixels)[inside] | mask


def window_around(mask: np.ndarray, smallest: int) -> Window:
    """The window that holds a mask and its surroundings: CONTEXT times its longer side, `smallest` px at least.

    It is moved into the image, and cut only where the image is smaller. The mask must not be empty.
    """
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    longer = max(rows[-1] - rows[0], columns[-1] - columns[0]) + 1
    side = max(smallest, round(CONTEXT * longer))
    return Window(
        *_span(rows[0], rows[-1] + 1, side, mask.shape[0]), *_span(columns[0], columns[-1] + 1, side, mask.shape[1])
    )


def bounded(side: int, pixels: np.ndarray, *masks: np.ndarray) -> tuple[np.ndarray, ...]:
    """A picture, uint8 (H, W, 3), and masks, bool (H, W), scaled down until the longer side is no more than `side`."""
    import cv2

    times = side / max(pixels.shape[:2])
    if times >= 1:
        return pixels, *masks
    size = [max(1, round(length * times)) for length in pixels.shape[1::-1]]
    shares = (cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA) for mask in masks)
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), *(share > 0.5 for share in shares)


def _span(start: int, end: int, side: int, limit: int) -> tuple[int, int]:
    size = min(side, limit)
    first = min(max((start + end - size) // 2, 0), limit - size)
    return int(first), int(first + size)
