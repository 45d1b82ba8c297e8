"""Value noise on a periodic lattice, and the two soft functions that paint with it."""

from typing import Any

import numpy as np

BLOCK = 16384  # points at once: what a cache holds


class ValueNoise:
    """Smooth periodic noise in [-1, 1] over three-dimensional points."""

    def __init__(self, rng: np.random.Generator, size: int = 48):
        self.size = size
        self.lattice = (rng.random((size, size, size), dtype=np.float32) * 2 - 1).ravel()

    def __call__(self, points, frequency: float) -> np.ndarray:
        """Noise at points (..., 3), with `frequency` lattice cells per decimetre."""
        points = np.asarray(points, np.float32)
        flat = points.reshape(-1, 3)
        out = np.empty(len(flat), np.float32)
        for start in range(0, len(flat), BLOCK):
            block = slice(start, start + BLOCK)
            out[block] = self._interpolated(flat[block].T * np.float32(frequency))
        return out.reshape(points.shape[:-1])

    def _interpolated(self, q: np.ndarray) -> np.ndarray:
        """The lattice between its eight nearest points, at coordinates (3, n) in cells."""
        size, floor = self.size, np.floor(q)
        t = q - floor
        tx, ty, tz = t * t * (3 - 2 * t)
        cell = floor.astype(np.int32) % size
        after = (cell + 1) % size
        (x0, y0, z0), (x1, y1, z1) = cell, after

        def along_z(row):
            near = self.lattice.take(row + z0)
            return near + (self.lattice.take(row + z1) - near) * tz

        def along_y(slab):
            near = along_z(slab + y0 * size)
            return near + (along_z(slab + y1 * size) - near) * ty

        near = along_y(x0 * (size * size))
        return near + (along_y(x1 * (size * size)) - near) * tx

    def fbm(self, points, frequency: float, octaves: int = 3) -> np.ndarray:
        """Fractal sum of octaves, each twice as fine and half as strong as the one before."""
        total: Any = sum(self(points, frequency * 2**k) / 2**k for k in range(octaves))
        return total


def smoothstep(start, stop, x):
    """0 at `start`, 1 at `stop`, with flat ends; `start` may lie above `stop`."""
    t = np.clip((x - start) / (stop - start), 0, 1)
    return t * t * (3 - 2 * t)


def gaussian(x, y, cx, cy, rx, ry):
    """An elliptic bell of height 1 around (cx, cy)."""
    return np.exp(-(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2))
