"""How far points lie from a shape drawn as several polygons."""

from collections.abc import Iterable

import numpy as np


def distance_to_union(points: np.ndarray, polygons: Iterable[np.ndarray]) -> np.ndarray:
    """(n,) distances of (n, 2) points from the nearest of the polygons, each (m, 2); 0 inside; inf without any.

    In the unit of the coordinates. What is wound twice, or lies where an outline crosses itself, is
    inside, as in accord.imaging.masks.
    """
    nearest = np.full(len(points), np.inf)
    for polygon in polygons:
        away = np.where(_inside(points, polygon), 0.0, _to_edges(points, polygon))
        nearest = np.minimum(nearest, away)
    return nearest


def _inside(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Whether the polygon winds around each point: edges that cross a ray to its right, by their direction."""
    start, end = polygon, np.roll(polygon, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    turns = (end[:, 1] > y).astype(int) - (start[:, 1] > y)
    rise = np.where(start[:, 1] == end[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) * (end[:, 0] - start[:, 0]) / rise
    return np.where(x < crossing, turns, 0).sum(axis=1) != 0


def _to_edges(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    start, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    from_start = points[:, None, :] - start
    squared = (along**2).sum(axis=1)
    share = (from_start * along).sum(axis=2) / np.where(squared == 0, 1.0, squared)
    foot = start + np.clip(share, 0, 1)[:, :, None] * along
    return np.sqrt(((points[:, None, :] - foot) ** 2).sum(axis=2)).min(axis=1)
