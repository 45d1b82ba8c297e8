"""dlib's face recogniser: a ResNet with 128 outputs (King 2017), on faces that its five-point predictor aligns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

FACE = (0.19, 0.32, 0.79, 0.92)
"""Left, top, right, bottom of the box that dlib's own detector puts around FFHQ-aligned faces, as shares of the side:
medians over 40 faces (standard deviations 0.01-0.03)."""
CHIP = 150
PADDING = 0.25


class DlibFaces:
    """Embedder of aligned faces. It was trained for Euclidean distance; the vectors' lengths differ little."""

    def __init__(self, weights: dict[str, Path]):
        import dlib

        from accord.models.adapters.nets.dlib_nets import DlibResNet

        self._points = dlib.shape_predictor(str(weights["points"]))
        self._net = DlibResNet(weights["net"])

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        import dlib

        return [self._net.feature(self._chip(dlib, picture)) for picture in pictures]

    def _chip(self, dlib: Any, picture: np.ndarray) -> np.ndarray:
        height, width = picture.shape[:2]
        left, top, right, bottom = FACE
        box = dlib.rectangle(int(left * width), int(top * height), int(right * width), int(bottom * height))
        contiguous = np.ascontiguousarray(picture)
        return dlib.get_face_chip(contiguous, self._points(contiguous, box), size=CHIP, padding=PADDING)
