"""The people of an image as annotators drew them: segments of their parts, and boxes of face and whole body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.imaging.boxes import corners, iou
from accord.intake.tables import FACE, PERSON

Polygon = Sequence[float]
OUTLINED = 0.5
"""IoU of a person's box with the box around their segments from which on the segments show where the body ends."""


class Person(NamedTuple):
    """Somebody in an image: polygons x0, y0, x1, y1, ... px; `faces` and `bodies` hold a box each, or none."""

    segments: list[Polygon]
    faces: list[Polygon]
    bodies: list[Polygon]

    def is_outlined(self) -> bool:
        """Whether segments outline all of the person, so that their box tells nothing more of where they are."""
        if not self.segments or not self.bodies:
            return bool(self.segments)
        return float(iou(_extent(self.segments), _extent(self.bodies))) >= OUTLINED

    def outline(self) -> list[Polygon]:
        """What is known to be theirs: segments and the face's box."""
        return [*self.segments, *self.faces]


def by_image(people: pd.DataFrame, segments: pd.DataFrame) -> dict[str, list[Person]]:
    """Image -> its people in the order of their ids; tables People and Segments of the same images."""
    polygons = segments.groupby(["image", "subject"])["polygon"].agg(list).to_dict()
    boxes = {(row.image, row.subject): (_box(row, FACE), _box(row, PERSON)) for row in people.itertuples()}
    people_of: dict[str, list[Person]] = {}
    for key in sorted({*polygons, *boxes}):
        people_of.setdefault(key[0], []).append(Person(polygons.get(key, []), *boxes.get(key, ([], []))))
    return people_of


def outlines(people: Sequence[Person]) -> list[Polygon]:
    """The outlines of all people."""
    return [polygon for person in people for polygon in person.outline()]


def bodies_without_outline(people: Sequence[Person]) -> list[Polygon]:
    """The boxes of those whose segments don't show where they end."""
    return [box for person in people if not person.is_outlined() for box in person.bodies]


def _box(row: Any, columns: list[str]) -> list[Polygon]:
    """The corners of a box of a row of People; none where it is missing, empty or no number."""
    x, y, width, height = (float(getattr(row, column)) for column in columns)
    is_there = np.isfinite([x, y, width, height]).all() and width > 0 and height > 0
    return [corners(x, y, width, height)] if is_there else []


def _extent(polygons: Sequence[Polygon]) -> np.ndarray:
    """left, top, right, bottom around polygons."""
    points = np.concatenate([np.reshape(polygon, (-1, 2)) for polygon in polygons]).astype(float)
    return np.concatenate([points.min(axis=0), points.max(axis=0)])
