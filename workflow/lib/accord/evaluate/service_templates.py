"""Vectors that a recognition service makes of a shard's faces: what it compares."""

from pathlib import Path

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.evaluate.asking import answers, failing, pictures
from accord.evaluate.tables.predictions import Embeddings
from accord.evaluate.tables.services import FaceIds
from accord.imaging.face_squares import square
from accord.models import face_services
from accord.release.tables import Derivatives


def run(
    faces: DataFrame[FaceIds], derivatives: DataFrame[Derivatives], files: Path, *, service: dict, weights: Folder
) -> DataFrame[Embeddings]:
    """A vector of length 1 per face, `subject` its query: the service is shown a square around its own box.

    files: the bundle of `derivatives`; service: what `accord.models.face_services` tells of it, as JSON. A face of
    which it makes nothing has no row. Raises AccordError where the service can't be had.
    """
    mine = faces[(faces["service"] == service["name"]) & (faces["face"] != "")].set_index("image")
    boxes = dict(zip(mine.index, mine[["x0", "y0", "x1", "y1"]].to_numpy(float), strict=True))
    whole = pictures.of_kind(derivatives, "downsampled")
    asked, found = face_services.load(service, weights), []
    for some, images in pictures.stream(files, whole[whole["image"].isin(mine.index)], service["batch"]):
        shown = [square(picture, boxes[row.image]) for row, picture in zip(some, images, strict=True)]
        vectors = failing.asked(service, asked.embed, [shown], failing.names(some))
        for row, vector in zip(some, answers.one_each(service, vectors, len(shown)), strict=True):
            if vector is not None and np.any(vector):
                found.append((service["name"], row.image, mine["query"][row.image], answers.unit(service, vector)))
    return rows(sorted(found, key=lambda one: one[1]), Embeddings)
