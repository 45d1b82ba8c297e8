"""Masks of people that a model finds in the downsampled pictures of a shard."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, pictures, questions
from accord.evaluate.asking.preparing import whole
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.predictions import Evaluated, Masks
from accord.models import rle
from accord.models.protocols import Mask
from accord.release.tables import Derivatives, People


class Predictions(NamedTuple):
    """What the model found, and about whom it was asked."""

    predictions: DataFrame[Masks]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives], people: DataFrame[People], files: Path, *, model: dict, weights: Folder
) -> Predictions:
    """The masks that a model finds, as COCO's compressed run lengths; empty masks have no row.

    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON. It is asked about everyone whose person
    box is annotated. Raises AccordError where the model can't be had.
    """
    return Predictions(*questions.answered(question(model, Given(weights, derivatives, people)), files))


def question(model: dict, given: Given) -> Question:
    """What a model of people's masks is asked; see `run`."""
    wanted = pictures.of_kind(given.derivatives, "downsampled")

    def ask(parser: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        masks = answers.one_each(model, parser.parse(images), len(images))
        for row, picture, answer in zip(some, images, masks, strict=True):
            yield from _records(model, row.image, picture.shape[:2], answer)

    boxed = pictures.person_boxes(given.people)
    about = boxed[boxed["image"].isin(wanted["image"])]
    return Question(model, Masks, ("image", "score", "counts"), wanted, about, loader(model, given), ask, prepare=whole)


def _records(model: dict, image: str, size: tuple[int, int], answer: list[Mask]) -> Iterator[tuple]:
    for mask, score, label in answer:
        if mask.shape != size:
            what = f"returned a mask of {mask.shape} for a picture of {size}"
            raise AccordError(
                Problem(f"model {model['name']}", what, "a mask must have its picture's height and width")
            )
        answers.finite(model, np.array(score))
        if mask.any():
            yield model["name"], image, float(score), label, *size, rle.encode(mask)
