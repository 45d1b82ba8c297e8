"""Regions whose outlines can't be those of anything in the picture: nothing would be painted out there."""

from collections.abc import Iterator, Sequence

import numpy as np

from accord.imaging.masks import covers_any
from accord.intake.reading.annotations import Region

SHARES = "they look like shares of the picture's width and height (0 to 1); px are needed"


LONGEST = 100
"""What is longer than so many widths and heights of the picture is no outline, and takes long to fill."""


def faults(regions: Sequence[Region], width: int, height: int) -> list[str]:
    """A reason for each region that covers nothing of a picture, by its place in the list, from 1.

    width, height: px of the upright picture. A region may lie over the picture's edge.
    """
    found = ((number, _fault(region.polygon, width, height)) for number, region in enumerate(regions, 1))
    return list(_numbered(found, len(regions)))


def _numbered(found: Iterator[tuple[int, str]], total: int) -> Iterator[str]:
    for number, reason in found:
        if reason:
            yield f"region {number} of {total} {reason}"


def _fault(polygon: Sequence[float], width: int, height: int) -> str:
    """Why a polygon covers nothing of a picture; "" where it covers something."""
    points = np.asarray(polygon, float).reshape(-1, 2)
    low, high = points.min(axis=0), points.max(axis=0)
    if (high - low <= 1).all():
        is_share = low.min() >= 0 and high.max() <= 1
        return f"has all its points within one pixel{': ' + SHARES if is_share else ''}"
    if (high < 0).any() or low[0] >= width or low[1] >= height:
        return "lies off the image: coordinates are px of the upright image"
    if _length(points, width, height) > LONGEST * (width + height):
        return f"has an outline more than {LONGEST} times as long as the image is wide and high: draw its border once"
    if not covers_any(polygon, (height, width)):
        return "has no area in the image"
    return ""


def _length(points: np.ndarray, width: int, height: int) -> float:
    """Length of an outline, px, along rows and columns; what lies off the picture is left out."""
    inside = np.clip(points, 0, (width, height))
    return float(np.abs(inside - np.roll(inside, 1, axis=0)).sum())
