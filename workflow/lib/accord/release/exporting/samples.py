"""The images of a release with what is said of them, as exports need them: one row of the table per person."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from accord.errors import AccordError, Collector
from accord.release.format import fhibe, literals, parsed
from accord.release.format.parsed import Row
from accord.text import cells
from accord.vocabularies import KEYPOINTS, SEGMENTS, text

OF_THE_IMAGE = (*fhibe.CAMERA, *fhibe.PLACE, *fhibe.OF_THE_IMAGE)
Values = dict[str, str | list[str] | float | None]


class Person(NamedTuple):
    """A person in an image, in px of the picture.

    boxes: x, y, width, height, None where unpublished. keypoints: name -> x, y, visible. segments: name, number,
    polygon x0, y0, x1, y1, ...
    """

    subject: str
    is_primary: bool
    age: int | None
    attributes: Values
    face_box: list[float] | None
    person_box: list[float] | None
    keypoints: dict[str, tuple[float, float, bool]]
    segments: list[tuple[str, int, list[float]]]


class Sample(NamedTuple):
    """An image: its random id, its picture (PNG), its size in px, what is said of it, and the people in it."""

    image: str
    picture: Path
    width: int
    height: int
    attributes: Values
    people: list[Person]

    def data(self) -> bytes:
        """The bytes of the picture."""
        return self.picture.read_bytes()


def read(release: Path) -> Iterator[Sample]:
    """The samples, sorted by image. Raises AccordError with all cells that can't be read."""
    problems = Collector()
    found: dict[str, list[Row]] = {}
    for row in cells.rows(release / fhibe.WHOLE_TABLE, literals.LONGEST):
        found.setdefault(row["image_id"], []).append(Row(row, problems))
    made = [_sample(release, rows, problems) for _, rows in sorted(found.items())]
    if problems:
        raise AccordError(problems)
    return iter(made)


def _sample(release: Path, rows: list[Row], problems: Collector) -> Sample:
    first = max(rows, key=Row.is_primary)
    path = PurePosixPath(first.cells["filepath"])
    if path.is_absolute() or ".." in path.parts or not path.is_relative_to(fhibe.RAW):
        problems.add(
            f"{fhibe.WHOLE_TABLE}, image {first.image}", "its path leads elsewhere", "don't trust this release"
        )
    width, height = (first.get(f"image_{side}", literals.integer, 0) or 0 for side in ("width", "height"))
    people = [_person(row) for row in sorted(rows, key=lambda row: (not row.is_primary(), row.subject))]
    return Sample(first.image, release / path, width, height, _values(first, OF_THE_IMAGE), people)


def _person(row: Row) -> Person:
    boxes = (row.get(column, literals.box, [None] * 4) for column in fhibe.BOXES)
    face, body = ([float(side) for side in box if side is not None] or None for box in boxes)
    points: list[tuple[int, float, float, bool]] = row.get("keypoints", literals.keypoints, [])
    found: list[tuple[int, int, np.ndarray]] = row.get("segments", literals.segments, [])
    return Person(
        row.subject,
        row.is_primary(),
        parsed.person(row)[3],
        _values(row, fhibe.BY_SUBJECT),
        face,
        body,
        {text(KEYPOINTS[number]): (x, y, seen) for number, x, y, seen in points},
        [(text(SEGMENTS[number]), which, polygon.tolist()) for number, which, polygon in found],
    )


def _values(row: Row, columns: tuple[str, ...]) -> Values:
    return {column: _value(row, column) for column in columns}


def _value(row: Row, column: str) -> Any:
    """A number, a list of labels, or a label; None where nothing is published."""
    if column in fhibe.CAMERA_NUMBERS:
        return row.get(column, literals.real, None)
    if column in fhibe.LISTS:
        return row.get(column, literals.labels, [])
    return row.cells.get(column) or None
