"""`python tests/demo/rapid_answers.py ARCHIVE`: record what the services of the Rapid Test's demo say of it.

Asking four services about 346 pictures takes a minute of CPU, so tests read what was recorded; a test asks again about
some of them.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from accord.engine.table import rows
from accord.evaluate.tables.predictions import Detections, Embeddings
from accord.imaging.decode import decode
from accord.imaging.face_squares import inside, square
from accord.models import face_services
from accord.release.tables import Attributes, People
from accord_demo.rapid.plan import PRESENTATIONS, Planned, plan

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests/data/rapid/answers.npz"
CONFIG = yaml.safe_load((ROOT / "config/rapid.yaml").read_text())
SERVICES = tuple(CONFIG["evaluate"]["rapid"]["services"])
EARLIER = CONFIG["evaluate"]["rapid"]["earlier"]
SEED = 1
SIDES = ["x", "y", "width", "height"]


def services(names: tuple[str, ...] = (*SERVICES, *EARLIER.values())) -> dict[str, Any]:
    """Name -> service, ready to answer."""
    settings = {"models": [str(ROOT / path) for path in CONFIG["evaluate"]["models"]], "weights": str(ROOT)}
    specs = face_services.read(names, settings, ROOT / "workflow/schemas/models.schema.yaml").specs
    return {name: face_services.load(json.loads(spec), ROOT) for name, spec in specs.items()}


def said(service: Any, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Boxes (n, 4) of a picture, and the vector of its face where there is one alone."""
    boxes = np.array([inside(box, *picture.shape[:2]) for box in service.detect([picture])[0].boxes]).reshape(-1, 4)
    vector = service.embed([square(picture, boxes[0])])[0] if len(boxes) == 1 else None
    return boxes, None if vector is None or not np.any(vector) else np.ravel(vector) / np.linalg.norm(vector)


def record(archive: Path) -> None:
    """Ask all services about all pictures, and write what they say."""
    told = pd.read_csv(next(archive.rglob("fhibe_downsampled.csv")))
    faces = {row.image_id: json.loads(row.face_bbox) for row in told[told["is_primary"]].itertuples()
             if isinstance(row.face_bbox, str)}  # fmt: skip
    images = [one.image for one in plan(SEED)]
    drawn = np.array([faces.get(image, [np.nan] * 4) for image in images], np.float32)
    pictures = {path.parent.name: decode(path.read_bytes()) for path in archive.rglob("main_*.png")}
    made = {"drawn": drawn}
    for name, service in services().items():
        found = [said(service, pictures[image]) for image in images]
        size = next(len(vector) for _, vector in found if vector is not None)
        made[f"{name}.count"] = np.array([len(boxes) for boxes, _ in found], np.int16)
        made[f"{name}.boxes"] = np.concatenate([boxes for boxes, _ in found]).astype(np.float32)
        made[f"{name}.vectors"] = np.array([np.zeros(size) if v is None else v for _, v in found], np.float16)
        print(name, file=sys.stderr, flush=True)
    RECORDED.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(RECORDED, **made)


class Recorded:
    """The tables of the demo's archive, and what was recorded of the services."""

    def __init__(self) -> None:
        self.planned = plan(SEED)
        self._arrays = dict(np.load(RECORDED, allow_pickle=False))

    def people(self) -> pd.DataFrame:
        return rows([(one.image, one.subject, True, 30, *_numbers(box), *(None,) * 4, "")
                     for one, box in zip(self.planned, self._arrays["drawn"], strict=True)], People)  # fmt: skip

    def attributes(self) -> pd.DataFrame:
        return rows([(one.image, one.subject, name, value, "") for one in self.planned
                     for name, value in _said(one).items()], Attributes)  # fmt: skip

    def boxes(self, name: str) -> pd.DataFrame:
        """`Detections` of a service."""
        starts = np.cumsum(self._arrays[f"{name}.count"])[:-1]
        some = zip(self.planned, np.split(self._arrays[f"{name}.boxes"], starts), strict=True)
        return rows(
            [(name, one.image, *map(float, box), 1.0, "face") for one, mine in some for box in mine], Detections
        )

    def templates(self, name: str) -> pd.DataFrame:
        """`Embeddings` of a service, with the subject that a picture is said to be of."""
        vectors = zip(self.planned, self._arrays[f"{name}.vectors"].astype(float), strict=True)
        return rows([(name, one.image, one.subject, (vector / np.linalg.norm(vector)).tolist())
                     for one, vector in vectors if vector.any()], Embeddings)  # fmt: skip


def _numbers(box: np.ndarray) -> list[float | None]:
    return [None] * 4 if np.isnan(box).any() else [float(side) for side in box]


def _said(one: Planned) -> dict[str, str]:
    return {"natural_skin_color": one.skin, "pronoun": PRESENTATIONS[one.presentation]}


if __name__ == "__main__":
    record(Path(sys.argv[1]))
