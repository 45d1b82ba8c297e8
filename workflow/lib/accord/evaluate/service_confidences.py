"""How alike a recognition service finds each pair of faces."""

import hashlib
import json

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine.table import check, empty
from accord.evaluate.tables.predictions import Embeddings
from accord.evaluate.tables.services import Confidences, FacePairs

BLOCK = 1 << 16


def run(pairs: DataFrame[FacePairs], templates: DataFrame[Embeddings], *, service: dict) -> DataFrame[Confidences]:
    """The cosine of each pair's vectors, of one service; `version`: a digest of all that the service's entry says.

    A face without a vector has no score, which `status` says.
    """
    if pairs.empty:
        return empty(Confidences)
    place = {image: row for row, image in enumerate(templates["image"])}
    left, right = (np.array([place.get(face, -1) for face in pairs[side]], int) for side in ("left", "right"))
    known = (left >= 0) & (right >= 0)
    scores = np.full(len(pairs), np.nan)
    scores[known] = _cosines(np.array(templates["vector"].tolist(), np.float32), left[known], right[known])
    told = {"service": service["name"], "version": _version(service), "score": scores}
    status = np.where(known, "", "made no template")
    made = pd.DataFrame({**told, "left": pairs["left"], "right": pairs["right"], "status": status})
    return check(made, Confidences, "Confidences")


def _cosines(vectors: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    made = np.empty(len(left))
    for start in range(0, len(left), BLOCK):
        some = slice(start, start + BLOCK)
        made[some] = np.einsum("nd,nd->n", vectors[left[some]].astype(float), vectors[right[some]].astype(float))
    return made


def _version(service: dict) -> str:
    return hashlib.blake2b(json.dumps(service, sort_keys=True).encode(), digest_size=6).hexdigest()
