"""How far points lie from a shape drawn as several polygons."""

from collections.abc import Iterable

import numpy as np


def distance_to_union(points: np.ndarray, polygons: Iterable[np.ndarray]) -> np.ndarray:
    """(n,) distances of (n, 2) points from the nearest of the polygons, each (m, 2); 0 inside; inf without any.

    In the unit of the coordinates. A polygon that crosses itself is filled by the even-odd rule.
    """
    nearest = np.full(len(points), np.inf)
    for polygon in polygons:
        away = np.where(_inside(points, polygon), 0.0, _to_edges(points, polygon))
        nearest = np.minimum(nearest, away)
    return nearest


def _inside(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Whether a ray to the right of each point crosses an odd number of edges."""
    start, end = polygon, np.roll(polygon, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(start[:, 1] == end[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) * (end[:, 0] - start[:, 0]) / rise
    return ((x < crossing) & spans).sum(axis=1) % 2 == 1


def _to_edges(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    start, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    from_start = points[:, None, :] - start
    squared = (along**2).sum(axis=1)
    share = (from_start * along).sum(axis=2) / np.where(squared == 0, 1.0, squared)
    foot = start + np.clip(share, 0, 1)[:, :, None] * along
    return np.sqrt(((points[:, None, :] - foot) ** 2).sum(axis=2)).min(axis=1)
