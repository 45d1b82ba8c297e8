"""Describe the pictures of a shard, and the faces in them, by vectors that tell what is alike, in one pass."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.files.pixels import Shown, by_image, shown
from accord.checks.matching.keypoints import packed
from accord.checks.matching.looks import regions
from accord.checks.tables.findings import Faces, Images, Looks
from accord.consent.deciding.grants import BIOMETRIC
from accord.consent.deciding.permits import having
from accord.consent.tables import Permits
from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.intake.tables import FACE, People
from accord.models import loading

FACE_SIDE = 112
AROUND = 2.0
"""A face is cut out with so many times its size around it, for the embedder to find and align it."""


class Described(NamedTuple):
    """How the pictures look, and the faces in them."""

    looks: DataFrame[Looks]
    faces: DataFrame[Faces]


def run(
    images: DataFrame[Images],
    bundle: Path | Shown,
    people: DataFrame[People],
    permits: DataFrame[Permits],
    *,
    picture_embedder: dict,
    face_embedder: dict,
    weights: Folder,
    max_pixels: int,
) -> Described:
    """Vectors and keypoints of each image, and vectors of the annotated faces in them.

    A face is looked at only where its subject consents to `biometric`. The models are entries of models.yaml as JSON:
    `picture_embedder` has feature maps (`maps`), `face_embedder` embeds faces. Raises AccordError where one is missing.
    """
    look = loading.loaded(picture_embedder, weights, "maps")
    embedder = loading.loaded(face_embedder, weights, "embed")
    boxed = having(BIOMETRIC, people.dropna(subset=FACE), permits)
    faces_of = by_image(boxed.sort_values("subject"))
    looks, faces = [], []
    for row, picture in shown(images, bundle, max_pixels):
        vector = regions(look.maps([picture.thumbnail])[0]).ravel()
        looks.append({"image": row.image, "subject": row.subject, "vector": vector, **packed(picture.keypoints)})
        faces += _faces(row.image, picture.pixels, faces_of.get(row.image, boxed[:0]), embedder)
    return Described(table.rows(looks, Looks), table.rows(faces, Faces))


def _faces(image: str, pixels: np.ndarray, people: pd.DataFrame, embedder: Any) -> Iterator[dict]:
    for person in people.itertuples():
        box = np.array([getattr(person, side) for side in FACE], float)
        face, wide = cut_out(pixels, box, 1.0), cut_out(pixels, box, AROUND)
        if not face.size:
            continue
        vector = embedder.embed([wide])[0]
        if vector is None or not np.any(vector):
            continue
        unit = np.asarray(vector, float).ravel()
        sharpness, brightness = _quality(face)
        yield {
            "image": image, "subject": person.subject, "vector": (unit / np.linalg.norm(unit)).astype(np.float32),
            "side": float(min(box[2:])), "sharpness": sharpness, "brightness": brightness,
        }  # fmt: skip


def cut_out(pixels: np.ndarray, box: np.ndarray, share: float) -> np.ndarray:
    """The part of the picture inside a box x, y, width, height that is grown `share` times around its centre."""
    middle, half = box[:2] + box[2:] / 2, share * box[2:] / 2
    low = np.clip(np.floor(middle - half), 0, None).astype(int)
    high = np.clip(np.ceil(middle + half), 0, None).astype(int)
    return np.ascontiguousarray(pixels[low[1] : high[1], low[0] : high[0]])


def _quality(face: np.ndarray) -> tuple[float, float]:
    """Sharpness and brightness of a face, all faces at one size."""
    import cv2

    luma = cv2.resize(cv2.cvtColor(face, cv2.COLOR_RGB2GRAY), (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(luma, cv2.CV_64F).var()), float(luma.mean())
