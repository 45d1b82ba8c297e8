"""How far a place lies outside a country, by Natural Earth's borders (1:50m, public domain; LICENSE-borders.md)."""

from __future__ import annotations

from functools import cache

import numpy as np

from accord.engine import resources

BORDERS = resources.beside(__name__) / "borders.npz"
UNIT = 1 / 200
"""Degrees of a step in the file."""
KM_PER_DEGREE = 111.195
"""Of a great circle on a sphere of 6,371 km."""


def km_outside(latitude: float, longitude: float, country: int) -> float | None:
    """Km from a place, degrees, to a country (its number in ISO 3166 and UN M49); 0 in it, None for unknown countries.

    Borders are drawn to some 5 km, and without islets. Distances are those of a plane around the place, which is right
    to a percent within 500 km.
    """
    rings = _rings().get(country)
    if rings is None:
        return None
    point = np.array([longitude, latitude])
    if sum(_crossings(point, ring) for ring in rings) % 2:
        return 0.0
    return min(_distance(point, ring) for ring in rings)


def _crossings(point: np.ndarray, ring: np.ndarray) -> int:
    """How many edges of a ring a ray from the point to the east crosses."""
    start, end = ring[:-1], ring[1:]
    spans = (start[:, 1] > point[1]) != (end[:, 1] > point[1])
    start, end = start[spans], end[spans]
    at = start[:, 0] + (point[1] - start[:, 1]) / (end[:, 1] - start[:, 1]) * (end[:, 0] - start[:, 0])
    return int((at > point[0]).sum())


def _distance(point: np.ndarray, ring: np.ndarray) -> float:
    """Km from a point to the nearest edge of a ring, also across the date line."""
    away = ring - point
    away[:, 0] = (away[:, 0] + 180) % 360 - 180
    away *= np.array([np.cos(np.radians(point[1])), 1]) * KM_PER_DEGREE
    start, side = away[:-1], np.diff(away, axis=0)
    # An edge that jumps over the date line is none.
    side[np.abs(side[:, 0]) > 180 * KM_PER_DEGREE * np.cos(np.radians(point[1]))] = 0
    length = np.maximum((side**2).sum(1), 1e-12)
    along = np.clip(-(start * side).sum(1) / length, 0, 1)
    return float(np.sqrt(((start + along[:, None] * side) ** 2).sum(1).min()))


@cache
def _rings() -> dict[int, list[np.ndarray]]:
    """Country -> its closed rings, float (n, 2) of longitude and latitude, degrees."""
    with np.load(BORDERS) as file:
        points, ends, codes = np.cumsum(file["steps"], axis=0) * UNIT, file["ends"], file["codes"]
    found: dict[int, list[np.ndarray]] = {}
    for code, ring in zip(codes.tolist(), np.split(points, ends[:-1]), strict=True):
        found.setdefault(code, []).append(ring)
    return found
