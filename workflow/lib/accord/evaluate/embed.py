"""Vectors that an embedding model makes of a shard's faces."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.consent.deciding.grants import BIOMETRIC
from accord.consent.deciding.permits import having
from accord.consent.tables import Permits
from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.evaluate.asking import answers, pictures, questions, shown
from accord.evaluate.asking.preparing import whole
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.predictions import Embeddings, Evaluated
from accord.release.tables import Derivatives


class Predictions(NamedTuple):
    """What the model made, and of what it was asked to."""

    predictions: DataFrame[Embeddings]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives], permits: list[Path], files: Path, *, model: dict, weights: Folder
) -> Predictions:
    """Vectors of length 1 of each aligned face, or of each crop of one, as the model's entry says.

    Only of people who consent to `biometric`, by tables `permits`: a vector that tells them from others is what that
    scope is about. Without a table, of all: who published an imported release answers for its people's consent.
    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON. A face of which the model makes
    nothing has no row. Raises AccordError where the model can't be had.
    """
    allowed = table.read(permits, Permits) if permits else None
    return Predictions(*questions.answered(question(model, Given(weights, derivatives, permits=allowed)), files))


def question(model: dict, given: Given) -> Question:
    """What an embedder of faces is asked; see `run`."""
    wanted = pictures.of_kind(given.derivatives, shown.kind_of(model))
    if given.permits is not None:
        wanted = having(BIOMETRIC, wanted, given.permits)

    def ask(embedder: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        vectors = answers.one_each(model, embedder.embed(images), len(images))
        for row, vector in zip(some, vectors, strict=True):
            if vector is not None and np.any(vector):
                yield model["name"], row.image, row.subject, answers.unit(model, vector)

    return Question(model, Embeddings, ("image", "subject"), wanted, wanted, loader(model, given), ask, prepare=whole)
