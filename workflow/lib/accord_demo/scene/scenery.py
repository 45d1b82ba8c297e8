"""What a setting offers: things in the background, light from everywhere, one key light, a sky."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from accord_demo.scene.part import Part


@dataclass(frozen=True)
class Scenery:
    """A room or a street, in world coordinates: decimetres, y up, the camera looks along -z."""

    parts: list[Part]
    environment: Callable  # directions (n, 3) -> radiance (n, 3)
    key_direction: np.ndarray  # towards the light
    key_colour: np.ndarray
    key_softness: int  # taps of the shadow's filter
    light: str
    back: float  # z behind which nothing may be put
    sky: Callable | None = None


def random_colour(rng, low: float = 0.15, high: float = 0.8) -> np.ndarray:
    """A dull colour, linear RGB."""
    display = np.clip(rng.uniform(low, high) + rng.normal(0, 0.06, 3), 0, 1)
    return np.where(display <= 0.04045, display / 12.92, ((display + 0.055) / 1.055) ** 2.4)


def sphere_directions(n: int) -> np.ndarray:
    """Directions (n, 3) spread evenly over the sphere (Fibonacci lattice)."""
    i = np.arange(n) + 0.5
    polar, around = np.arccos(1 - 2 * i / n), np.pi * (1 + 5**0.5) * i
    return np.stack([np.cos(around) * np.sin(polar), np.cos(polar), np.sin(around) * np.sin(polar)], 1)
