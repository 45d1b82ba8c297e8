"""The faces of a shard that all recognition services found, by one name; of the other pictures, who missed it."""

from pandera.typing import DataFrame

from accord.engine.table import rows
from accord.evaluate.serving import one_face
from accord.evaluate.tables.predictions import Detections
from accord.evaluate.tables.services import FaceIds, Queries, Unseen


def run(
    queries: DataFrame[Queries],
    boxes: DataFrame[Detections],
    unseen: DataFrame[Unseen],
    *,
    services: list[str],
    blind: list[str],
    keep: str,
    iou: float,
    earlier: dict | None = None,
) -> DataFrame[FaceIds]:
    """A row per picture and service. boxes, unseen: of all `services`, and of the earlier versions that some are
    compared with (`earlier`: service -> version); blind: those of them that find no faces for themselves, and are asked
    about the faces of the others; keep: `overlap` or `single`; iou: the least overlap.

    A picture has a face if every service has something to say of it, and each that finds faces found just one box,
    under `overlap` with an IoU of at least `iou` for every two of them.
    """
    every = [*services, *(earlier or {}).values()]
    return rows(one_face.faces(queries, boxes, unseen, every, blind, keep, iou), FaceIds)
