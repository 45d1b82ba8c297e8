"""Polygons as masks: what lies inside an outline, however it is wound and wherever it crosses itself."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

CELLS = 1 << 22
"""Cells, or crossings of edges and rows, that are held at once."""
GRID = 256


def rasterise(polygons: Iterable[Sequence[float]], shape: tuple[int, int]) -> np.ndarray:
    """Mask, bool (height, width), of polygons x0, y0, x1, y1, ... in px; what lies outside the image is cut.

    Filled by the non-zero rule, outlines included: what is wound twice, or lies where an outline crosses itself, is
    inside.
    """
    import cv2

    mask = np.zeros(shape, np.uint8)
    for polygon in polygons:
        corners = _corners(polygon)
        cv2.polylines(mask, [np.clip(corners, -10_000, 100_000).astype(np.int32)], isClosed=True, color=1)
        for top, left, wound in _bands(corners, shape):
            mask[top : top + wound.shape[0], left : left + wound.shape[1]] |= wound
    return mask.view(bool)


def covers_any(polygon: Sequence[float], shape: tuple[int, int]) -> bool:
    """Whether a pixel of the image (height, width) lies inside a polygon, by the same rule, outlines left out."""
    return any(wound.any() for _, _, wound in _bands(_corners(polygon), shape))


def filled_area(polygon: Sequence[float]) -> float:
    """Area, in cells of a grid of whole numbers, that a polygon fills by the same rule, wherever it lies."""
    corners = _corners(polygon)
    placed = corners - corners.min(axis=0)
    width, height = placed.max(axis=0) + 1
    return float(sum(wound.sum() for _, _, wound in _bands(placed, (int(height), int(width)))))


def covered(polygon: Sequence[float], others: Iterable[Sequence[float]]) -> float:
    """Share of a polygon's area, 0 to 1, that the union of the others covers; each x0, y0, x1, y1, ...

    Counted on a grid of at most GRID cells along the longer side, so that it costs the same at any size. A polygon
    without area counts as one cell at its place.
    """
    points = np.asarray(polygon, float).reshape(-1, 2)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (GRID - 1) / max(float((high - low).max()), 1.0)
    width, height = np.ceil((high - low) * scale).astype(int) + 1

    def drawn(shapes: Iterable[Sequence[float]]) -> np.ndarray:
        placed = [(np.asarray(shape, float).reshape(-1, 2) - low) * scale for shape in shapes]
        return rasterise([corners.ravel() for corners in placed], (height, width))

    own = drawn([polygon])
    return float((own & drawn(others)).sum() / own.sum())


def _corners(polygon: Sequence[float]) -> np.ndarray:
    return np.round(np.asarray(polygon, float).reshape(-1, 2)).astype(np.int64)


def _bands(corners: np.ndarray, shape: tuple[int, int]) -> Iterator[tuple[int, int, np.ndarray]]:
    """Top, left and mask of each part of the image around a polygon: where its winding number is not zero."""
    if not len(corners):
        return
    left, top = np.maximum(corners.min(axis=0), 0)
    right, bottom = np.minimum(corners.max(axis=0) + 1, shape[::-1])
    if left >= right or top >= bottom:
        return
    placed = corners - (left, 0)
    height = max(1, CELLS // int(max(right - left, len(corners))))
    for first in range(int(top), int(bottom), height):
        yield first, int(left), _wound(placed, first, min(first + height, int(bottom)), int(right - left))


def _wound(corners: np.ndarray, top: int, bottom: int, width: int) -> np.ndarray:
    """Where the winding number of a polygon is not zero: bool (bottom - top, width), of rows from `top`."""
    start, end = corners, np.roll(corners, -1, axis=0)
    low = np.clip(np.minimum(start[:, 1], end[:, 1]), top, bottom)
    count = np.clip(np.maximum(start[:, 1], end[:, 1]), top, bottom) - low
    edge = np.repeat(np.arange(len(corners)), count)
    row = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + low[edge]
    (x, y), (run, rise) = start[edge].T, (end - start)[edge].T
    column = np.clip(np.ceil(x + (row - y) * run / rise), 0, width).astype(np.int64)
    turns = np.bincount((row - top) * (width + 1) + column, np.sign(rise), (bottom - top) * (width + 1))
    return turns.reshape(-1, width + 1)[:, :width].cumsum(axis=1) != 0
