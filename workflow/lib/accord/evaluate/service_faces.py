"""The faces of a shard that all recognition services found, by one name; of the other pictures, who missed it."""

from pandera.typing import DataFrame

from accord.engine.table import rows
from accord.evaluate.serving import one_face
from accord.evaluate.tables.predictions import Detections
from accord.evaluate.tables.services import FaceIds, Queries


def run(
    queries: DataFrame[Queries], boxes: DataFrame[Detections], *, services: list[str], keep: str, iou: float
) -> DataFrame[FaceIds]:
    """A row per picture and service. boxes: of all `services`; keep: `overlap` or `single`; iou: the least overlap.

    A picture has a face if each service found just one box, under `overlap` with an IoU of at least `iou` for every
    two of them.
    """
    return rows(one_face.faces(queries, boxes, services, keep, iou), FaceIds)
