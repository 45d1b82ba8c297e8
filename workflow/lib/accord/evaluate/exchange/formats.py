"""What the FHIBE Evaluation API's model_outputs.json holds of each task, and the rows of our tables that it stands for.

A task that joins adds one line to FORMATS. An entry is what the file says of one picture, an object whose values are
lists or null; `read` gives the rows of the task's table without their `model`, and raises ValueError, in words that
follow a picture's name, where the entry can't be right. `write` makes the entry of the rows of one picture.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord import vocabularies
from accord.engine.table import Table
from accord.evaluate.exchange import parts, values
from accord.evaluate.exchange.names import Picture
from accord.evaluate.tables.predictions import Detections, Embeddings, Masks, Poses
from accord.models import rle

ABSENT = -999.0
"""A coordinate that says that a keypoint is not predicted."""
LONGEST_VECTOR = 1 << 16
UNIT = 1e-6
COCO = vocabularies.COCO_KEYPOINTS
_NUMBERS = {vocabularies.text(label): number for number, label in enumerate(vocabularies.KEYPOINTS)}
NUMBERS = tuple(_NUMBERS[name] for name in COCO)
"""FHIBE's (BlazePose) number of each."""


class Format(NamedTuple):
    """How a task is exchanged: the kind of pictures, the table of its predictions, and from one to the other.

    `key`: the columns that order the table. `persons`: whether an entry lists answers for each annotated person.
    """

    kind: str
    table: type[Table]
    key: tuple[str, ...]
    persons: bool
    read: Callable[[dict[str, Any], Picture], Iterator[tuple]]
    write: Callable[[pd.DataFrame, Picture], dict[str, Any]]


def read_boxes(entry: dict[str, Any], picture: Picture, *, label: str) -> Iterator[tuple]:
    """Rows of Detections: `detections` [[x0, y0, x1, y1]] and `scores`; null or [] where nothing was found."""
    found, scores = values.found(entry, "bboxes")
    boxes = values.numbers(found, (len(found), 4), "boxes [x0, y0, x1, y1]")
    certain = values.scores(scores, len(found))
    if (boxes[:, 2:] < boxes[:, :2]).any():
        raise ValueError("has a box that ends before it starts: boxes are [x0, y0, x1, y1]")
    values.check_places(boxes)
    for box, score in zip(boxes.tolist(), certain.tolist(), strict=True):
        yield picture.image, *box, score, label


def write_boxes(rows: pd.DataFrame, picture: Picture) -> dict[str, Any]:
    """The entry of a picture's Detections."""
    return {"detections": rows[["x0", "y0", "x1", "y1"]].to_numpy().tolist(), "scores": rows["score"].tolist()}


def read_masks(entry: dict[str, Any], picture: Picture) -> Iterator[tuple]:
    """Rows of Masks: `detections`, run lengths or rows of true and false, and `scores`. Empty masks have no row."""
    found, scores = values.found(entry, "masks")
    certain = values.scores(scores, len(found))
    for value, score in zip(found, certain.tolist(), strict=True):
        counts, pixels = rle.checked(value, picture.height, picture.width)
        if pixels:
            yield picture.image, score, "person", picture.height, picture.width, counts


def write_masks(rows: pd.DataFrame, picture: Picture) -> dict[str, Any]:
    """The entry of a picture's Masks."""
    masks = [{"size": [row.height, row.width], "counts": row.counts} for row in rows.itertuples()]
    return {"detections": masks, "scores": rows["score"].tolist()}


def read_poses(entry: dict[str, Any], picture: Picture) -> Iterator[tuple]:
    """Rows of Poses: for each annotated person COCO's 17 keypoints [x, y] and their scores, in `detections` and
    `scores`. A keypoint at -999 or below is not predicted; without detections no keypoint of anybody is."""
    poses, scores = values.lists(entry, ("detections", "keypoints")), values.lists(entry, ("scores",))
    if not poses:
        return
    if len(poses) != len(picture.people):
        raise ValueError(f"has answers for {len(poses)} people, but {len(picture.people)} have a person box")
    points = values.numbers(poses, (len(poses), len(COCO), 2), f"{len(COCO)} keypoints [x, y] for each person")
    certain = values.scores_of_keypoints(scores, len(poses), len(COCO))
    predicted = np.all(points > ABSENT, axis=2)
    values.check_places(points[predicted])
    for person, subject in enumerate(picture.people):
        for coco in np.flatnonzero(predicted[person]):
            yield picture.image, subject, NUMBERS[coco], *points[person, coco].tolist(), float(certain[person, coco])


def write_poses(rows: pd.DataFrame, picture: Picture) -> dict[str, Any]:
    """The entry of a picture's Poses; keypoints that are not among COCO's 17 have no place in it."""
    points = np.full((len(picture.people), len(COCO), 2), ABSENT)
    scores = np.full((len(picture.people), len(COCO)), ABSENT)
    coco, person = {n: i for i, n in enumerate(NUMBERS)}, {subject: i for i, subject in enumerate(picture.people)}
    for row in rows[rows["keypoint"].isin(NUMBERS) & rows["subject"].isin(person)].itertuples():
        place = person[row.subject], coco[row.keypoint]
        points[place], scores[place] = (row.x, row.y), row.score
    return {"detections": points.tolist(), "scores": scores.tolist()}


def read_vector(entry: dict[str, Any], picture: Picture) -> Iterator[tuple]:
    """A row of Embeddings: the vector in `detections`, brought to length 1; null or [] where the model made none."""
    vector = values.lists(entry, ("detections", "embeddings"))
    if not vector:
        return
    if len(vector) > LONGEST_VECTOR:
        raise ValueError(f"has a vector of more than {LONGEST_VECTOR} numbers")
    precise = values.numbers(vector, (len(vector),), "a vector of numbers")
    largest = np.abs(precise).max()
    if largest == 0:
        raise ValueError("has a vector without a direction")
    # The largest number comes first, so that no square is too large.
    length = largest * float(np.linalg.norm(precise / largest))
    # A vector of length 1 stays as it is, so that what was exported comes back unchanged.
    unit = precise if abs(length - 1) < UNIT else precise / largest / (length / largest)
    yield picture.image, picture.subject, unit.astype(np.float32)


def write_vector(rows: pd.DataFrame, picture: Picture) -> dict[str, Any]:
    """The entry of a picture's Embeddings."""
    vectors = [np.asarray(vector, dtype=np.float64).tolist() for vector in rows["vector"]]
    return {"detections": vectors[0] if vectors else None}


def _boxes_of(label: str) -> Format:
    read = partial(read_boxes, label=label)
    return Format("downsampled", Detections, ("image", "-score", "x0", "y0", "x1", "y1"), False, read, write_boxes)


FORMATS = {
    "face_localization": _boxes_of("face"),
    "person_localization": _boxes_of("person"),
    "person_parsing": Format("downsampled", Masks, ("image", "-score", "counts"), False, read_masks, write_masks),
    "keypoint_estimation": Format(
        "downsampled", Poses, ("image", "subject", "keypoint"), True, read_poses, write_poses
    ),
    "body_parts_detection": Format(*parts.PARTS),
    "face_parsing": Format(*parts.LABELS),
    "face_verification": Format("face_aligned", Embeddings, ("image", "subject"), False, read_vector, write_vector),
}
