"""The annotation that an item is about, as marks to be drawn over its picture: read from intake's tables when it is
shown, so that neither items nor the vault hold it."""

from pathlib import Path

import pandas as pd
import pyarrow
import pyarrow.parquet as pq

from accord.review.database.items import Item
from accord.review.drawn.drawings import BODY_POINTS, FACE_BOX, LANDMARKS, PERSON_BOX, SEGMENTS, Part, drawings, region
from accord.vocabularies import KEYPOINTS, text
from accord.vocabularies import SEGMENTS as PARTS

TABLES = ("people", "keypoints", "segments")
POINTS = (LANDMARKS, BODY_POINTS)
BOXES = {FACE_BOX: "Face", PERSON_BOX: "Person"}
OF_PERSON = (*BOXES, SEGMENTS)
"""What shows where somebody is."""


def marks(folder: Path, item: Item) -> list[dict]:
    """What is drawn of the item's annotation, as JSON: `number` and `name` of the keypoint, segment or box, whether it
    is `visible`, and its `polygon`, px of the upright image (of a point its place).

    folder: of the image's shard, in intake. Nothing where the annotation is not there, or is another one by now.
    """
    try:
        found = drawings(*(_rows(folder / f"{name}.parquet", item.image) for name in TABLES))
    except (OSError, pyarrow.ArrowException):
        return []  # it is being made anew: it is there again soon
    parts = next((parts for key, parts in found.items() if region(key, parts) == item.region), [])
    return [_mark(item.kind, part) for part in parts]


def people(folder: Path, image: str) -> list[dict]:
    """Everybody who is annotated in an image, as `marks`: numbered boxes of faces and persons, and, without names, the
    outlines of their parts; each says that it is of a `person`."""
    try:
        drawn = drawings(*(_rows(folder / f"{name}.parquet", image) for name in TABLES))
    except (OSError, pyarrow.ArrowException):
        return []
    numbers = {subject: number for number, subject in enumerate(sorted({key[1] for key in drawn}), 1)}
    shown = [(numbers[subject], kind, part) for (_, subject, kind), parts in drawn.items() for part in parts]
    return [_of_person(*row) for row in shown if row[1] in OF_PERSON]


def _of_person(number: int, kind: str, part: Part) -> dict:
    name = f"annotated {BOXES[kind].lower()} {number}" if kind in BOXES else ""
    mark = {"number": number, "name": name, "visible": True, "point": False, "polygon": list(part.polygon)}
    return {**mark, "person": True}


def _rows(file: Path, image: str) -> pd.DataFrame:
    return pq.read_table(file, filters=[("image", "=", image)], partitioning=None).to_pandas()


def _mark(kind: str, part: Part) -> dict:
    names = {SEGMENTS: PARTS, **dict.fromkeys(POINTS, KEYPOINTS)}.get(kind)
    return {
        "number": part.number,
        "name": text(names[part.number]) if names else BOXES[kind],
        "visible": part.visible,
        "point": kind in POINTS,
        "polygon": list(part.polygon),
    }
