"""Was all painted that was declared, and does nothing of the original show? By the declaration and the pixels alone.

This shares no code with what paints (accord.imaging.masks, accord.imaging.regions): masks are made by winding numbers
of their own, so that a fault of the painter's masks can't hide itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

CONTRAST = 4
"""Levels of a colour between pixels near each other from which on there is something to be recognised."""
NEXT, BLOCK = 3, 5
"""Px of the sides of squares in which all pixels are the original's: of the smaller one some are so by chance, of the
larger one none are."""
FEW = 4
"""So many equal pixels in all can be chance, however small a region."""
TILE, TILES = 48, 8
"""Px of the smallest tiles in which detail is compared, and how many of them fit along a region."""
LARGEST = 2048
"""Px of the longer side of what detail is compared in: more is scaled down."""
DETAIL = 2.0
"""Standard deviation, px, of the blur over which detail stands out."""


def filled(polygon: Sequence[float], shape: tuple[int, int]) -> np.ndarray:
    """Mask, bool (height, width), of the pixels whose centres a polygon x0, y0, x1, y1, ... px winds around."""
    x, y = np.asarray(polygon, float).reshape(-1, 2).T
    next_x, next_y = np.roll(x, -1), np.roll(y, -1)
    mask = np.zeros(shape, bool)
    first = max(0, int(np.floor(x.min())))
    last = max(first, min(shape[1], int(np.ceil(x.max())) + 1))
    columns = np.arange(first, last)
    for row in range(max(0, int(np.floor(y.min()))), min(shape[0], int(np.ceil(y.max())) + 1)):
        crossed = (y <= row) != (next_y <= row)
        run, rise = (next_x - x)[crossed], (next_y - y)[crossed]
        at = x[crossed] + (row - y[crossed]) / rise * run
        order = np.argsort(at)
        winding = np.concatenate([[0], np.cumsum(np.sign(rise[order]))])
        mask[row, first:last] = winding[np.searchsorted(at[order], columns, side="right")] != 0
    return mask


def bodies(segments: Iterable[Sequence[float]], shape: tuple[int, int]) -> np.ndarray:
    """Where subjects' segments are: bool (height, width)."""
    mask = np.zeros(shape, bool)
    for polygon in segments:
        mask |= filled(polygon, shape)
    return mask


def rimmed(mask: np.ndarray) -> np.ndarray:
    """The mask and two px around it: the painter's outlines of what stays may lie as far from these."""
    import cv2

    return cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0


def left(before: np.ndarray, after: np.ndarray, mask: np.ndarray) -> float:
    """Share, 0 to 1, of what can be recognised in a mask that is the original's still: pixels with all around them.

    before, after: uint8 (H, W, 3); mask: not empty. What was of one colour before tells nothing, painted or not.
    """
    before, after, mask = _around(before, after, mask)
    told = mask & (_contrast(before, NEXT) >= CONTRAST)
    same = int((told & _equal(before, after, NEXT)).sum())
    return same / int(told.sum()) if same > FEW else 0.0


def shows(before: np.ndarray, after: np.ndarray, mask: np.ndarray) -> float:
    """How much of the original is to be seen in a mask: 1 where a block of it is left, else the correlation of detail.

    That is the normalised cross-correlation of what stands out over a blur, of the whole mask or of the tile in which
    it is highest, so that a ghost is found however faint it is. It is about 0 for another picture, and 1 for the
    original. before, after: uint8 (H, W, 3); mask: not empty.
    """
    before, after, mask = _around(before, after, mask)
    if (mask & _equal(before, after, BLOCK) & (_contrast(before, BLOCK) >= CONTRAST)).any():
        return 1.0
    before, after, mask = _bounded(before, after, mask)
    one, other = _detail(before, mask), _detail(after, mask)
    return max(0.0, _correlation(one, other), _highest(one, other, mask))


def _around(before: np.ndarray, after: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The part of two pictures and a mask that the mask is in, and a block around it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    at = tuple(slice(max(0, found[0] - BLOCK), found[-1] + 1 + BLOCK) for found in (rows, columns))
    return before[at], after[at], mask[at]


def _bounded(before: np.ndarray, after: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two pictures and a mask at a size of LARGEST px at most."""
    import cv2

    times = LARGEST / max(mask.shape)
    if times >= 1:
        return before, after, mask
    size = [max(1, round(side * times)) for side in mask.shape[::-1]]
    small = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (before, after))
    return *small, cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0


def _equal(before: np.ndarray, after: np.ndarray, side: int) -> np.ndarray:
    """Where all of a square around a pixel is as it was, bit for bit."""
    import cv2

    same = (before == after).all(axis=2).astype(np.uint8)
    return cv2.erode(same, np.ones((side, side), np.uint8)) > 0


def _contrast(picture: np.ndarray, side: int) -> np.ndarray:
    """The largest difference of a colour in a square around each pixel."""
    import cv2

    square = np.ones((side, side), np.uint8)
    return (cv2.dilate(picture, square) - cv2.erode(picture, square)).max(axis=2)


def _detail(picture: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Luma over its blur, both of the mask alone; 0 outside."""
    import cv2

    inside = mask.astype(np.float32)
    luma = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) * inside
    blurred = cv2.GaussianBlur(luma, (0, 0), DETAIL) / np.maximum(cv2.GaussianBlur(inside, (0, 0), DETAIL), 1e-6)
    return (luma - blurred) * inside


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    norm = float(np.sqrt((one * one).sum(dtype=float) * (other * other).sum(dtype=float)))
    return float((one * other).sum(dtype=float) / norm) if norm > 1 else 0.0


def _highest(one: np.ndarray, other: np.ndarray, mask: np.ndarray) -> float:
    """The highest correlation of a tile that lies in the mask by half."""
    import cv2

    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    side = max(TILE, int(max(np.ptp(rows), np.ptp(columns))) // TILES)

    def sums(values: np.ndarray) -> np.ndarray:
        return cv2.boxFilter(values, cv2.CV_64F, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)

    norm = np.sqrt(np.maximum(sums(one * one) * sums(other * other), 0))
    told = (sums(mask.astype(np.float32)) >= side * side / 2) & (norm > side * side / 4)
    return float((sums(one * other)[told] / norm[told]).max(initial=0))
