"""The pictures of a release that face services are shown: whole ones, and the faces in them, decoded when looked at."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.evaluate.asking.pictures import of_kind
from accord.evaluate.services.paid_faces import Shown
from accord.imaging import bundle, decode, face_squares

HELD = 64
"""Pictures that are in memory at a time: all pairs of a query's pictures are asked one after the other."""


class Album:
    """bundles: derivatives, and the bundle that they lie in, of each shard."""

    def __init__(self, bundles: Iterable[tuple[pd.DataFrame, Path]]) -> None:
        self._rows: dict[str, tuple[Any, Path]] = {}
        for derivatives, files in bundles:
            rows = of_kind(derivatives, "downsampled").itertuples(index=False)
            self._rows |= {row.image: (row, files) for row in rows}
        self._decoded = lru_cache(HELD)(self._decode)

    def whole(self, image: str) -> Shown:
        """A picture as it is; its sum is the file's."""
        return Shown(image, self._rows[image][0].sha256, lambda: self._decoded(image))

    def face(self, image: str, box: np.ndarray) -> Shown:
        """The square around a box, (4,) px; its sum is of the file, the box and how squares are cut."""
        told = [self._rows[image][0].sha256, *map(float, box), face_squares.SHARE, *face_squares.MIDDLE]
        told_sum = hashlib.sha256(repr(told).encode()).hexdigest()
        return Shown(image, told_sum, lambda: face_squares.square(self._decoded(image), box))

    def _decode(self, image: str) -> np.ndarray:
        row, files = self._rows[image]
        return decode.decode(bundle.read(files, row))
