"""All people of a picture with BlazePose's two networks: the detector finds them, the second draws each one's mask."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.blaze import SingleShot
from accord.models.adapters.blazepose import GRIDS, body_window
from accord.models.adapters.declaring.geometry import CORNERS, Window, cut
from accord.models.adapters.nets.litert import Graph, sigmoid
from accord.models.protocols import Boxes, Mask


class BlazePeople:
    """Masks of people (parse), and the smallest boxes around these (detect)."""

    def __init__(self, weights: dict[str, Path], min_score: float = 0.5, threshold: float = 0.5):
        self._detector = SingleShot(weights["detector"], GRIDS, min_score)
        self._graph = Graph(weights["landmarks"])
        self._min_score, self._threshold = min_score, threshold

    def parse(self, pictures: Sequence[np.ndarray]) -> list[list[Mask]]:
        return [self._people(picture) for picture in pictures]

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        return [_boxes(masks) for masks in self.parse(pictures)]

    def _people(self, picture: np.ndarray) -> list[Mask]:
        found = self._detector.find(picture)
        masks = []
        for points, score in zip(found.points, found.scores, strict=True):
            mask = self._mask(picture, body_window(points[0], points[1]))
            if mask.any():
                masks.append(Mask(mask, float(score), "person"))
        return masks

    def _mask(self, picture: np.ndarray, window: Window) -> np.ndarray:
        """(height, width) bool: empty where the second network sees nobody in the window."""
        size = self._graph.size
        _, presence, logits, _, _ = self._graph(cut(picture, window, size, "edge").astype(np.float32) / 255)
        if presence[0] < self._min_score:
            return np.zeros(picture.shape[:2], dtype=bool)
        return put_back(sigmoid(logits[:, :, 0]).astype(np.float32), window, picture.shape[:2]) > self._threshold


def put_back(values: np.ndarray, window: Window, shape: tuple[int, int]) -> np.ndarray:
    """A window's (size, size) values at their places in a picture of shape (height, width); 0 outside the window."""
    import cv2

    size = values.shape[0]
    # Corners are where the centres of pixels are, as `cut` and MediaPipe have it.
    corners, here = window.to_picture(CORNERS[:3]), CORNERS[:3] * size
    matrix = cv2.getAffineTransform(here.astype(np.float32), corners.astype(np.float32))
    return cv2.warpAffine(values, matrix, (shape[1], shape[0]), flags=cv2.INTER_LINEAR)


def _boxes(masks: Sequence[Mask]) -> Boxes:
    corners = [around_mask(mask.mask) for mask in masks]
    scores = np.array([mask.score for mask in masks])
    return Boxes(np.array(corners, dtype=np.float64).reshape(-1, 4), scores, [mask.label for mask in masks])


def around_mask(mask: np.ndarray) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of the smallest box around the true pixels of a mask that has some."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
