"""Places on earth: how far apart they are, and how fast somebody must have travelled between them."""

import numpy as np
from numpy.typing import ArrayLike

EARTH_RADIUS = 6371.0088
"""km, the mean radius (IUGG)."""
SLACK_HOURS = 3.0
"""Added to every time between: time zones are up to three hours off the sun, and clocks are off by minutes."""
DEGREES_PER_HOUR = 15.0


def kilometres(
    latitude_a: ArrayLike, longitude_a: ArrayLike, latitude_b: ArrayLike, longitude_b: ArrayLike
) -> np.ndarray:
    """Great-circle distances, km, of places in degrees (haversine formula), elementwise."""
    a, b = np.radians(latitude_a), np.radians(latitude_b)
    east = np.radians(np.subtract(longitude_b, longitude_a))
    chord = np.sin((b - a) / 2) ** 2 + np.cos(a) * np.cos(b) * np.sin(east / 2) ** 2
    return 2 * EARTH_RADIUS * np.arcsin(np.sqrt(np.clip(chord, 0, 1)))


def slowest(distance: np.ndarray, hours: np.ndarray, degrees_east: np.ndarray) -> np.ndarray:
    """The least speed, km/h, that a journey of `distance` km took, `hours` apart by clocks without a time zone.

    A clock may show local time (then the journey of `degrees_east` took that much longer or shorter) or the time at
    home: whichever leaves more time counts, and `SLACK_HOURS` are added.
    """
    east = (np.asarray(degrees_east) + 180) % 360 - 180
    longest = np.maximum(np.abs(hours), np.abs(np.asarray(hours) - east / DEGREES_PER_HOUR))
    return np.asarray(distance) / (longest + SLACK_HOURS)
