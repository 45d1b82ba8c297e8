"""Which pictures a model is shown: whole ones, crops of faces, or aligned faces."""

import numpy as np
import pandas as pd

from accord.models.tasks import READS

KINDS = {"downsampled": "downsampled", "crop": "face_crop", "aligned": "face_aligned"}
"""`reads:` of models.yaml -> kind of release's Derivatives."""


def kind_of(model: dict) -> str:
    """The kind of derivative that a model reads: what its entry says, else what its task reads."""
    return KINDS[model.get("reads", READS[model["task"]][0])]


def frames(faces: pd.DataFrame, kind: str) -> dict[tuple[str, str], np.ndarray]:
    """(image, subject) -> homography (3, 3) from the downsampled picture to that face's picture of a kind."""
    some = faces[faces["kind"] == kind]
    keys = zip(some["image"], some["subject"], strict=True)
    return {key: np.reshape(flat, (3, 3)) for key, flat in zip(keys, some["homography"], strict=True)}


def in_whole(boxes: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """Boxes (n, 4) x0, y0, x1, y1 of a crop in px of the downsampled picture; `frame`: as `frames` tells.

    A crop is not turned, so corners stay corners.
    """
    scale, start = np.tile(frame[[0, 1], [0, 1]], 2), np.tile(frame[:2, 2], 2)
    return (np.reshape(boxes, (-1, 4)) - start) / scale
