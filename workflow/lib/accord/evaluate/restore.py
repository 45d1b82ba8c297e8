"""Faces of a shard made again by a model, and how like their originals they are; the faces themselves are not kept."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, pictures, questions, shown
from accord.evaluate.asking.likeness import Measures
from accord.evaluate.asking.questions import Given, Question
from accord.evaluate.tables.predictions import Evaluated, Likeness
from accord.models import loading
from accord.protocol import ACCORD
from accord.release.tables import Derivatives

REDUCED = "face_super_resolution"
STRETCH = 0.05
"""How far the proportions of a restored face may differ from those of its original: more is another picture."""


class Predictions(NamedTuple):
    """How like their originals the faces are, and which the model was asked to make."""

    predictions: DataFrame[Likeness]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives],
    files: Path,
    *,
    model: dict,
    weights: Folder,
    side: int,
    factor: int,
    lpips: dict | None = None,
    embedder: dict | None = None,
    protocol: str = ACCORD,
) -> Predictions:
    """LPIPS, PSNR and cosine between each face and what a model made of it (face_encoding), or of the face reduced by
    `factor` with area averaging (face_super_resolution).

    files: the bundle of `derivatives`; model, lpips, embedder: entries of models.yaml as JSON; side: px at which
    pictures are compared; protocol: how they are brought there. No restored picture leaves this step. Raises
    AccordError where a model can't be had, or answers with what is no picture of the same proportions.
    """
    measuring = {"side": side, "factor": factor, "lpips": lpips, "embedder": embedder, "protocol": protocol}
    given = Given(weights, derivatives, measuring=measuring)
    return Predictions(*questions.answered(question(model, given), files))


def question(model: dict, given: Given) -> Question:
    """What a restorer of faces is asked; see `run`. `given.measuring`: its side, factor, lpips, embedder, protocol."""
    wanted = pictures.of_kind(given.derivatives, shown.kind_of(model))
    by = dict(given.measuring or {})
    factor = by["factor"]

    def load() -> tuple[Any, Measures]:
        measures = Measures(by["lpips"], by["embedder"], by["side"], given.weights, by["protocol"])
        return loading.load(model, given.weights, "restore"), measures

    def ask(both: tuple[Any, Measures], some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        restorer, measures = both
        shrunk = [reduced(image, factor) for image in images] if model["task"] == REDUCED else images
        made = answers.one_each(model, restorer.restore(shrunk), len(images))
        for image, picture in zip(images, made, strict=True):
            _check(model, picture, image.shape[:2])
        for row, told in zip(some, measures.tell(images, made), strict=True):
            yield from ((model["name"], row.image, row.subject, *one) for one in told)

    return Question(model, Likeness, ("image", "subject"), wanted, wanted, load, ask, settings=by)


def reduced(picture: np.ndarray, factor: int) -> np.ndarray:
    """The picture at 1/`factor` of its size: each pixel the mean of those that it covers, (height, width, 3) uint8."""
    import cv2

    height, width = picture.shape[:2]
    size = (max(round(width / factor), 1), max(round(height / factor), 1))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def _check(model: dict, picture: np.ndarray, size: tuple[int, int]) -> None:
    fine = isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.ndim == 3
    fine = fine and picture.shape[2] == 3 and picture.size > 0
    if not fine or abs(picture.shape[1] / picture.shape[0] / (size[1] / size[0]) - 1) > STRETCH:
        shape = getattr(picture, "shape", type(picture).__name__)
        what = f"answers with {getattr(picture, 'dtype', 'no array')} {shape} for a face of {size}"
        hint = "it must return (height, width, 3) uint8 RGB in the same proportions"
        raise AccordError(Problem(f"model {model['name']}", what, hint))
