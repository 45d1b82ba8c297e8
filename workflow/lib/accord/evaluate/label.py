"""Labels that a face parser gives to the pixels of a shard's aligned faces."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, pictures, questions, shown
from accord.evaluate.asking.preparing import whole
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.predictions import Evaluated, FaceLabels
from accord.models import rle
from accord.release.tables import Derivatives
from accord.vocabularies import FACE_PARTS


class Predictions(NamedTuple):
    """What the model saw where, and in which faces it was asked to."""

    predictions: DataFrame[FaceLabels]
    asked: DataFrame[Evaluated]


def run(derivatives: DataFrame[Derivatives], files: Path, *, model: dict, weights: Folder) -> Predictions:
    """Where a model sees each of CelebAMask-HQ's labels in each aligned face; a face that is all background has no row.

    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON. Raises AccordError where the model
    can't be had, or returned a map of another size or other labels.
    """
    return Predictions(*questions.answered(question(model, Given(weights, derivatives)), files))


def question(model: dict, given: Given) -> Question:
    """What a face parser is asked; see `run`."""
    wanted = pictures.of_kind(given.derivatives, shown.kind_of(model))

    def ask(parser: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        maps = answers.one_each(model, parser.label(images), len(images))
        for row, picture, labels in zip(some, images, maps, strict=True):
            _check(model, labels, picture.shape[:2])
            yield from _records(model, row, labels)

    return Question(
        model, FaceLabels, ("image", "subject", "label"), wanted, wanted, loader(model, given), ask, prepare=whole
    )


def _check(model: dict, labels: np.ndarray, size: tuple[int, int]) -> None:
    where, hint = f"model {model['name']}", "it must return a number of vocabularies.FACE_PARTS for each pixel"
    if labels.dtype != np.uint8 or labels.shape != size:
        what = f"returned a map of {labels.dtype} {labels.shape} for a face of {size}"
        raise AccordError(Problem(where, what, hint))
    if labels.max(initial=0) >= len(FACE_PARTS):
        raise AccordError(Problem(where, f"returned the label {labels.max()}", hint))


def _records(model: dict, row: Any, labels: np.ndarray) -> Iterator[tuple]:
    for label in np.unique(labels[labels > 0]):
        yield model["name"], row.image, row.subject, int(label), *labels.shape, rle.encode(labels == label)
