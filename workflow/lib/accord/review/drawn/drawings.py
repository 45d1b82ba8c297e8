"""What annotators drew, by type: each drawing of one person in one image is a unit that people can be asked about."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from accord.imaging.boxes import corners
from accord.intake.tables import FACE, PERSON
from accord.shards import opaque_id

FACE_BOX, PERSON_BOX, LANDMARKS, BODY_POINTS, SEGMENTS = ANNOTATIONS = (
    "face_box", "person_box", "landmarks", "keypoints", "segments",
)  # fmt: skip
"""Types of annotation: boxes, the keypoints of a face, those of a body, and the outlines of a person's parts."""
BODY_FROM = 11
"""BlazePose's keypoints 0 to 10 are landmarks of the face, those from 11 on the body's."""
BOXES = {FACE_BOX: FACE, PERSON_BOX: PERSON}


class Part(NamedTuple):
    """A point, an outline or a box of a drawing. `number`: of the keypoint or segment, else 0; `visible`: of a
    keypoint; `polygon`: x0, y0, ... px of the upright image, of a keypoint its place, of a box its corners."""

    number: int
    visible: bool
    polygon: tuple[float, ...]


Key = tuple[str, str, str]
"""image, subject, type"""


def region(key: Key, parts: Sequence[Part]) -> str:
    """What names a drawing in an item: its type, and a digest of whose it is and of all of its coordinates to 0.01 px:
    another drawing has another name, and is asked about anew."""
    said = [f"{part.number} {part.visible:d} {' '.join(f'{at:.2f}' for at in part.polygon)}" for part in parts]
    return f"{key[2]}/{opaque_id('annotation', *key, *said)}"


def drawings(people: pd.DataFrame, keypoints: pd.DataFrame, segments: pd.DataFrame) -> dict[Key, list[Part]]:
    """The parts of each drawing, in the order of their numbers; tables as intake makes them."""
    found: dict[Key, list[Part]] = {}
    for key, part in (*_boxes(people), *_points(keypoints), *_outlines(segments)):
        found.setdefault(key, []).append(part)
    return found


def _boxes(people: pd.DataFrame) -> Iterator[tuple[Key, Part]]:
    for kind, columns in BOXES.items():
        rows = people.dropna(subset=columns)[["image", "subject", *columns]]
        for image, subject, *box in rows.itertuples(index=False):
            yield (image, subject, kind), Part(0, True, tuple(corners(*box)))


def _points(keypoints: pd.DataFrame) -> Iterator[tuple[Key, Part]]:
    for row in keypoints.sort_values(["image", "subject", "keypoint"]).itertuples():
        kind = BODY_POINTS if row.keypoint >= BODY_FROM else LANDMARKS
        yield (row.image, row.subject, kind), Part(int(row.keypoint), bool(row.visible), (float(row.x), float(row.y)))


def _outlines(segments: pd.DataFrame) -> Iterator[tuple[Key, Part]]:
    for row in segments.sort_values(["image", "subject", "segment", "num"]).itertuples():
        yield (row.image, row.subject, SEGMENTS), Part(int(row.segment), True, tuple(map(float, row.polygon)))
