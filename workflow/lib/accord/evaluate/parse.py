"""Masks of people that a model finds in the downsampled pictures of a shard."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, pictures
from accord.evaluate.tables import Evaluated, Masks
from accord.models import loading, rle
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
    parser = loading.load(model, weights, "parse")
    wanted = pictures.of_kind(derivatives, "downsampled")
    found = []
    for some, images in pictures.stream(files, wanted, model["batch"]):
        masks = answers.one_each(model, parser.parse(images), len(images))
        for row, picture, answer in zip(some, images, masks, strict=True):
            found += _records(model, row.image, picture.shape[:2], answer)
    boxed = pictures.person_boxes(people)
    table = rows(found, Masks).sort_values(["image", "score", "counts"], ascending=[True, False, True], kind="stable")
    return Predictions(table, answers.asked(model, boxed[boxed["image"].isin(wanted["image"])]))


def _records(model: dict, image: str, size: tuple[int, int], answer: list[Mask]) -> Iterator[tuple]:
    for mask, score, label in answer:
        if mask.shape != size:
            what = f"answers with a mask of {mask.shape} for a picture of {size}"
            raise AccordError(Problem(f"model {model['name']}", what, "a mask has its picture's height and width"))
        answers.finite(model, np.array(score))
        if mask.any():
            yield model["name"], image, float(score), label, *size, rle.encode(mask)
