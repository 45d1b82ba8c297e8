"""MediaPipe's selfie segmentation: the pixels of all people in a picture, as one mask."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.declaring.geometry import CORNERS, warped
from accord.models.adapters.nets.litert import Graph
from accord.models.protocols import Mask


class SelfieMask:
    """One mask per picture; its score is the mean probability within it. Made for people near the camera."""

    def __init__(self, weights: dict[str, Path], threshold: float = 0.5):
        self._graph = Graph(weights["net"])
        self._threshold = threshold

    def parse(self, pictures: Sequence[np.ndarray]) -> list[list[Mask]]:
        return [[self._one(picture)] for picture in pictures]

    def _one(self, picture: np.ndarray) -> Mask:
        import cv2

        height, width = picture.shape[:2]
        # The network was trained on pictures squeezed into its square input.
        scaled = warped(picture, CORNERS * (width, height), self._graph.size)
        small = self._graph(scaled.astype(np.float32) / 255)[0][:, :, 0]
        chance = np.clip(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), 0, 1)
        mask = chance > self._threshold
        return Mask(mask, float(chance[mask].mean()) if mask.any() else 0.0, "person")
