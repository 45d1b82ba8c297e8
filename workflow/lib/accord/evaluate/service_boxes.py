"""Boxes of faces that a recognition service finds in the pictures of a shard's queries."""

from pathlib import Path

from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.evaluate.asking import answers, failing, pictures
from accord.evaluate.tables.predictions import Detections
from accord.evaluate.tables.services import Queries
from accord.imaging.face_squares import inside
from accord.models import face_services
from accord.release.tables import Derivatives


def run(
    queries: DataFrame[Queries], derivatives: DataFrame[Derivatives], files: Path, *, service: dict, weights: Folder
) -> DataFrame[Detections]:
    """The boxes of a service, cut off where the picture ends; those of no area are left out.

    files: the bundle of `derivatives`; service: what `accord.models.face_services` tells of it, as JSON. Raises
    AccordError where it can't be had, or answers with a box that isn't finite.
    """
    whole = pictures.of_kind(derivatives, "downsampled")
    shown = whole[whole["image"].isin(queries["image"])]
    asked, found = face_services.load(service, weights), []
    for some, images in pictures.stream(files, shown, service["batch"]):
        said = failing.asked(service, asked.detect, [images], failing.names(some))
        for row, picture, answer in zip(some, images, answers.one_each(service, said, len(images)), strict=True):
            answers.finite(service, answer.boxes, answer.scores)
            for box, score in zip(answer.boxes, answer.scores, strict=True):
                x0, y0, x1, y1 = map(float, inside(box, *picture.shape[:2]))
                if x1 > x0 and y1 > y0:
                    found.append((service["name"], row.image, x0, y0, x1, y1, float(score), "face"))
    return rows(found, Detections).sort_values(["image", "score", "x0", "y0"], ascending=[True, False, True, True])
