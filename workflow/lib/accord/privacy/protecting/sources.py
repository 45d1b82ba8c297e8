"""Where no piece of a picture may be copied from: everybody in it, by segments, by boxes and by detectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.checks.personal.bystanders import Known, likely_body, strangers
from accord.imaging.boxes import corners
from accord.imaging.masks import rasterise
from accord.models.detectors import Found
from accord.privacy.protecting.people import Person

SMALLEST_FACE = 0.01
"""Width of the smallest face that is looked for, as a share of the longer side."""


def barred(pixels: np.ndarray, people: Sequence[Person], regions: np.ndarray) -> np.ndarray:
    """Mask, bool (H, W), of all people in a picture, uint8 (H, W, 3): those annotated, those detected.

    Of whoever has a face's box alone, and of who is detected, the box of the likely body. `regions`: bool (H, W), what
    is painted out: nobody is looked for there.
    """
    shape = pixels.shape[:2]
    faces = [_sides(box) for person in people for box in person.faces]
    bodies = [body for person in people for body in _bodies(person, shape)]
    known = Known(np.reshape(faces, (-1, 4)), np.reshape(bodies, (-1, 4)), regions)
    others = [stranger.body for stranger in strangers(pixels, known, SMALLEST_FACE)]
    boxes = [_polygon(box) for box in (*faces, *bodies, *others)]
    return rasterise([*(polygon for person in people for polygon in person.segments), *boxes], shape)


def _bodies(person: Person, shape: tuple[int, int]) -> list[tuple[float, ...]]:
    if person.bodies:
        return [_sides(box) for box in person.bodies]
    return [likely_body(Found("face", 1.0, _sides(box)), shape) for box in person.faces]


def _sides(box: Sequence[float]) -> tuple[float, float, float, float]:
    """left, top, right, bottom of a box by its corners."""
    return (box[0], box[1], box[4], box[5])


def _polygon(box: tuple[float, ...]) -> list[float]:
    left, top, right, bottom = box
    return corners(left, top, right - left, bottom - top)
