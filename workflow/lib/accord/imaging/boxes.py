"""Boxes: their overlap, from x0, y0, x1, y1, px; their corners."""

import numpy as np
from numpy.typing import ArrayLike


def iou(left: ArrayLike, right: ArrayLike) -> np.ndarray:
    """Intersection over union of boxes, one by one: (..., 4) each, broadcast -> (...); 0 where the union is empty."""
    left, right = np.asarray(left, float), np.asarray(right, float)
    sides = np.minimum(left[..., 2:], right[..., 2:]) - np.maximum(left[..., :2], right[..., :2])
    shared = np.clip(sides, 0, None).prod(axis=-1)
    union = _area(left) + _area(right) - shared
    return np.divide(shared, union, out=np.zeros(np.shape(union)), where=union > 0)


def corners(x: float, y: float, width: float, height: float) -> list[float]:
    """x, y of the four corners of a box, one after the other."""
    return [x, y, x + width, y, x + width, y + height, x, y + height]


def _area(boxes: np.ndarray) -> np.ndarray:
    return np.clip(boxes[..., 2:] - boxes[..., :2], 0, None).prod(axis=-1)
