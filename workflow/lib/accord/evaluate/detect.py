"""Boxes of faces or of people that a detector finds in the downsampled pictures of a shard."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.evaluate.asking import answers, pictures, shown
from accord.evaluate.tables import Detections, Evaluated
from accord.models import loading
from accord.models.protocols import Boxes
from accord.release.tables import Derivatives, Faces, People


class Predictions(NamedTuple):
    """What the model found, and in whose favour or not it counts."""

    predictions: DataFrame[Detections]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives],
    people: DataFrame[People],
    files: Path,
    faces: DataFrame[Faces] | None = None,
    *,
    model: dict,
    weights: Folder,
) -> Predictions:
    """The boxes that a model finds; files: the bundle of `derivatives`; model: an entry of models.yaml as JSON.

    It is asked about everyone whose face (or person) box is annotated; one that reads crops, about those of whom there
    is one: then `faces` says where crops lie, and boxes are px of the downsampled picture all the same. Raises
    AccordError where the model can't be had.
    """
    detector = loading.load(model, weights, "detect")
    kind = shown.kind_of(model)
    wanted = pictures.of_kind(derivatives, kind)
    frames = shown.frames(faces, kind) if kind == "face_crop" else None
    found = []
    for some, images in pictures.stream(files, wanted, model["batch"]):
        boxes = answers.one_each(model, detector.detect(images), len(images))
        for row, answer in zip(some, boxes, strict=True):
            if frames is not None:
                answer = answer._replace(boxes=shown.in_whole(answer.boxes, frames[row.image, row.subject]))
            found += _records(model, row.image, answer)
    boxed = pictures.face_boxes(people) if model["task"] == "face_localization" else pictures.person_boxes(people)
    keys = ["image"] if frames is None else ["image", "subject"]
    who = boxed.merge(wanted[keys], on=keys)
    return Predictions(_ordered(rows(found, Detections)), answers.asked(model, who))


def _records(model: dict, image: str, answer: Boxes) -> Iterator[tuple]:
    answers.finite(model, answer.boxes, answer.scores)
    for box, score, label in zip(answer.boxes, answer.scores, answer.labels, strict=True):
        yield model["name"], image, *map(float, box), float(score), label


def _ordered(table: pd.DataFrame) -> pd.DataFrame:
    keys = ["image", "score", "x0", "y0", "x1", "y1"]
    return table.sort_values(keys, ascending=[True, False, True, True, True, True], kind="stable")
