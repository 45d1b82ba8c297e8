"""Vectors that an embedding model makes of a shard's pictures: as they are, without the people, and of these alone."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.evaluate.asking import answers, pictures, questions
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.part_tables import PARTS, PartEmbeddings
from accord.evaluate.tables import Evaluated
from accord.intake.tables import PERSON
from accord.release.tables import Derivatives, People


class Predictions(NamedTuple):
    """What the model made, and of which images it was asked to."""

    predictions: DataFrame[PartEmbeddings]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives], people: DataFrame[People], files: Path, *, model: dict, weights: Folder
) -> Predictions:
    """Vectors of length 1 of each downsampled picture: whole, its people masked, its background masked.

    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON. What is masked is black. A picture with
    someone whose box isn't annotated is embedded whole alone. Raises AccordError where the model can't be had.
    """
    return Predictions(*questions.answered(question(model, Given(weights, derivatives, people)), files))


def question(model: dict, given: Given) -> Question:
    """What an embedder of whole pictures is asked; see `run`."""
    assert given.people is not None  # `run` and `small.run` have them
    wanted, boxes = pictures.of_kind(given.derivatives, "downsampled"), _boxes(given.people)

    def ask(embedder: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        for part in PARTS:
            pairs = zip(some, images, strict=True)
            shown = [(row.image, masked(image, boxes.get(row.image), part)) for row, image in pairs]
            shown = [(name, image) for name, image in shown if image is not None]
            if shown:
                yield from _embedded(embedder, model, part, *zip(*shown, strict=True))

    order, reads = ("image", "part"), (given.people[["image", "subject", *PERSON]],)
    return Question(model, PartEmbeddings, order, wanted, wanted, loader(model, given), ask, reads)


def masked(picture: np.ndarray, boxes: np.ndarray | None, part: str) -> np.ndarray | None:
    """One part of a picture, (height, width, 3) uint8; None for a masked part of which the boxes aren't known.

    boxes: (n, 4) x0, y0, x1, y1 in px; a pixel that a box touches belongs to it.
    """
    if part == "image":
        return picture
    if boxes is None:
        return None
    height, width = picture.shape[:2]
    inside = np.zeros((height, width, 1), bool)
    low, high = np.floor(boxes[:, :2]).astype(int).clip(0), np.ceil(boxes[:, 2:]).astype(int).clip(0)
    for (x0, y0), (x1, y1) in zip(low, high, strict=True):
        inside[y0:y1, x0:x1] = True
    return np.where(inside == (part == "background_masked"), picture, np.uint8(0))


def _boxes(people: pd.DataFrame) -> dict[str, np.ndarray]:
    """The boxes of all people of an image, for images where each of them has one."""
    known = pictures.person_boxes(people)
    counts = people.groupby("image").size()
    by_image = {image: some[["x0", "y0", "x1", "y1"]].to_numpy(float) for image, some in known.groupby("image")}
    return {image: some for image, some in by_image.items() if len(some) == counts[image]}


def _embedded(embedder: Any, model: dict, part: str, names: tuple, images: tuple) -> list[tuple]:
    vectors = answers.one_each(model, embedder.embed(list(images)), len(images))
    pairs = zip(names, vectors, strict=True)
    told = [(name, vector) for name, vector in pairs if vector is not None and np.any(vector)]
    return [(model["name"], name, "", part, answers.unit(model, vector)) for name, vector in told]
