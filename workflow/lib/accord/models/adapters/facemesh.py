"""Face parsing by MediaPipe's face mesh (Kartynnik et al. 2019): polygons through its 468 points.

It knows nine of CelebAMask-HQ's labels: skin, nose, eyes, brows, mouth and lips; hair, hats, necks and clothes stay
background. The points' order along each outline is MediaPipe's canonical face model's.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.declaring.geometry import Window, cut, whole
from accord.models.adapters.nets.litert import Graph, sigmoid
from accord.vocabularies import FACE_PARTS

# fmt: off
UPPER = (61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291)
LOWER = (61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291)
INNER_UPPER = (78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308)
INNER_LOWER = (78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308)
OUTLINES = {
    "skin": (
        10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
        152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
    ),
    "nose": (168, 122, 174, 198, 49, 48, 64, 98, 97, 2, 326, 327, 294, 278, 279, 420, 399, 351),
    "mouth": (*INNER_UPPER, *INNER_LOWER[-2:0:-1]),
    "u_lip": (*UPPER, *INNER_UPPER[::-1]),
    "l_lip": (*LOWER, *INNER_LOWER[::-1]),
    "l_brow": (276, 283, 282, 295, 285, 336, 296, 334, 293, 300),
    "r_brow": (46, 53, 52, 65, 55, 107, 66, 105, 63, 70),
    "l_eye": (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466),
    "r_eye": (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246),
}
# fmt: on
"""Label -> its outline, from back to front."""
POINTS = 468
MARGIN = 1.5
OUTER_EYES = (33, 263)
SUBPIXEL_BITS = 4


class FaceMesh:
    """Parser of aligned faces; all background where the network sees no face."""

    def __init__(self, weights: dict[str, Path], min_score: float = 0.5):
        self._graph = Graph(weights["net"])
        self._min_score = min_score

    def label(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [drawn(self.mesh(picture), picture.shape[:2]) for picture in pictures]

    def mesh(self, picture: np.ndarray) -> np.ndarray | None:
        """(468, 2) px of the picture: found in the whole of it, then again around what was found. None without a face.

        MediaPipe looks around a detected box at first, and from then on around the points, as here.
        """
        first = self._look(picture, whole(picture))
        return None if first is None else self._look(picture, around_mesh(first))

    def _look(self, picture: np.ndarray, window: Window) -> np.ndarray | None:
        size = self._graph.size
        points, presence = self._graph(cut(picture, window, size, "edge").astype(np.float32) / 255)[:2]
        if sigmoid(presence).item() < self._min_score:
            return None
        return window.to_picture(points.reshape(POINTS, 3)[:, :2].astype(np.float64) / size)


def around_mesh(points: np.ndarray) -> Window:
    """The window around a mesh, turned so that the eyes are level; a half wider than the mesh's longer side."""
    right, left = points[list(OUTER_EYES)]
    across, down = left - right
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    return Window(float(middle[0]), float(middle[1]), float(MARGIN * max(high - low)), float(np.arctan2(down, across)))


def drawn(points: np.ndarray | None, shape: tuple[int, int]) -> np.ndarray:
    """The labels (height, width) uint8 of a picture with a mesh, or without any."""
    import cv2

    labels = np.zeros(shape, np.uint8)
    if points is None:
        return labels
    for name, outline in OUTLINES.items():
        # OpenCV counts from the centres of pixels.
        polygon = np.rint((points[list(outline)] - 0.5) * 2**SUBPIXEL_BITS).astype(np.int32)
        cv2.fillPoly(labels, [polygon], FACE_PARTS.index(name), shift=SUBPIXEL_BITS)
    return labels
