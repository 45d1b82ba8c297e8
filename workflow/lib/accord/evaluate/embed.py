"""Vectors that an embedding model makes of a shard's faces."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.consent.deciding.grants import BIOMETRIC
from accord.consent.deciding.permits import having
from accord.consent.tables import Permits
from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.evaluate.asking import answers, pictures, shown
from accord.evaluate.tables import Embeddings, Evaluated
from accord.models import loading
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
    embedder = loading.load(model, weights, "embed")
    wanted = pictures.of_kind(derivatives, shown.kind_of(model))
    if permits:
        wanted = having(BIOMETRIC, wanted, table.read(permits, Permits))
    found = []
    for some, images in pictures.stream(files, wanted, model["batch"]):
        vectors = answers.one_each(model, embedder.embed(images), len(images))
        for row, vector in zip(some, vectors, strict=True):
            if vector is not None and np.any(vector):
                found.append((model["name"], row.image, row.subject, answers.unit(model, vector)))
    made = table.rows(found, Embeddings).sort_values(["image", "subject"])
    return Predictions(made, answers.asked(model, wanted))
