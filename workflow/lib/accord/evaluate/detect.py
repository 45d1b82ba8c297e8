"""Boxes of faces or of people that a detector finds in the downsampled pictures of a shard."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.evaluate.asking import answers, pictures, questions, shown
from accord.evaluate.asking.preparing import whole
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.predictions import Detections, Evaluated
from accord.models.protocols import Boxes
from accord.release.tables import Derivatives, Faces, People

ORDER = ("image", "score", "x0", "y0", "x1", "y1")


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
    return Predictions(*questions.answered(question(model, Given(weights, derivatives, people, faces)), files))


def question(model: dict, given: Given) -> Question:
    """What a detector is asked; see `run`."""
    kind = shown.kind_of(model)
    wanted = pictures.of_kind(given.derivatives, kind)
    crops = given.faces if kind == "face_crop" else None
    frames = None if crops is None else shown.frames(crops, kind)

    def ask(detector: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        for row, answer in zip(some, answers.one_each(model, detector.detect(images), len(images)), strict=True):
            yield from _records(model, row.image, answer if frames is None else _in_whole(answer, frames, row))

    boxed = pictures.face_boxes if model["task"] == "face_localization" else pictures.person_boxes
    about = boxed(given.people).merge(wanted[["image"] if frames is None else ["image", "subject"]])
    reads = () if crops is None else (crops[crops["kind"] == kind],)
    return Question(model, Detections, ORDER, wanted, about, loader(model, given), ask, reads, prepare=whole)


def _in_whole(answer: Boxes, frames: Mapping[tuple[str, str], np.ndarray], row: Any) -> Boxes:
    return answer._replace(boxes=shown.in_whole(answer.boxes, frames[row.image, row.subject]))


def _records(model: dict, image: str, answer: Boxes) -> Iterator[tuple]:
    answers.finite(model, answer.boxes, answer.scores)
    for box, score, label in zip(answer.boxes, answer.scores, answer.labels, strict=True):
        yield model["name"], image, *map(float, box), float(score), label
