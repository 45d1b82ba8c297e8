"""BlazePose: 33 keypoints of a person whose box is known (Bazarevsky et al. 2020; MediaPipe Pose, full model).

As in MediaPipe, a detector looks at the person first: the middle of the hips and the circle around the whole body give
the square, turned so that the body is upright, in which the second network finds the keypoints.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord import vocabularies
from accord.models.adapters.blaze import SingleShot
from accord.models.adapters.declaring.geometry import Window, around, cut
from accord.models.adapters.nets.litert import Graph, sigmoid
from accord.models.protocols import Pose

GRIDS = [(8, 2), (16, 2), (32, 6)]
MARGIN = 1.25
POINTS, VALUES = 39, 5
KERNEL = 9
MIN_CONFIDENCE = 0.5
# fmt: off
NAMES = (
    "Nose", "Left eye inner", "Left eye", "Left eye outer", "Right eye inner", "Right eye", "Right eye outer",
    "Left ear", "Right ear", "Mouth left", "Mouth right", "Left shoulder", "Right shoulder", "Left elbow",
    "Right elbow", "Left wrist", "Right wrist", "Left pinky knuckle", "Right pinky knuckle", "Left index knuckle",
    "Right index knuckle", "Left thumb knuckle", "Right thumb knuckle", "Left hip", "Right hip", "Left knee",
    "Right knee", "Left ankle", "Right ankle", "Left heel", "Right heel", "Left foot index", "Right foot index",
)
# fmt: on
"""What the network's outputs are. FHIBE lists the same points with the right side first."""


class BlazePose:
    """Keypoints of one person per box; none where the detector sees nobody in it."""

    def __init__(self, weights: dict[str, Path], min_score: float = 0.5):
        self._detector = SingleShot(weights["detector"], GRIDS, min_score)
        self._graph = Graph(weights["landmarks"])
        self._min_score = min_score
        numbers = {vocabularies.text(label): number for number, label in enumerate(vocabularies.KEYPOINTS)}
        self._numbers = np.array([numbers[name] for name in NAMES])

    def estimate(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> list[Pose]:
        return [self._one(picture, box) for picture, box in zip(pictures, boxes, strict=True)]

    def _one(self, picture: np.ndarray, box: np.ndarray) -> Pose:
        window = self._body(picture, box)
        if window is None:
            return nobody()
        scaled = cut(picture, window, self._graph.size, "edge").astype(np.float32) / 255
        landmarks, presence, _, heatmap, _ = self._graph(scaled)
        if presence[0] < self._min_score:
            return nobody()
        values = landmarks.reshape(POINTS, VALUES)[: len(NAMES)].astype(np.float64)
        places = refine(values[:, :2] / self._graph.size, sigmoid(heatmap))
        order = np.argsort(self._numbers)
        return Pose(self._numbers[order], window.to_picture(places)[order], sigmoid(values[:, 3])[order])

    def _body(self, picture: np.ndarray, box: np.ndarray) -> Window | None:
        """The window around the body that is best seen in the box; None where none is."""
        crop = around(box, MARGIN)
        x0, y0 = int(np.floor(max(crop.x - crop.side / 2, 0))), int(np.floor(max(crop.y - crop.side / 2, 0)))
        part = picture[y0 : int(crop.y + crop.side / 2) + 1, x0 : int(crop.x + crop.side / 2) + 1]
        found = self._detector.find(np.ascontiguousarray(part)) if part.size else None
        if found is None or not len(found.scores):
            return None
        hips, circle = found.points[0, :2] + (x0, y0)
        return body_window(hips, circle)


def body_window(hips: np.ndarray, circle: np.ndarray) -> Window:
    """The window in which a body stands upright: around the middle of its hips, through a point above its head."""
    across, up = circle - hips
    side = max(2 * float(np.hypot(across, up)) * MARGIN, 1.0)
    return Window(float(hips[0]), float(hips[1]), side, float(np.arctan2(across, -up)))


def refine(points: np.ndarray, heatmaps: np.ndarray) -> np.ndarray:
    """Points moved to the centre of mass of their heatmap nearby, where the heatmap is sure enough.

    points: (k, 2) fractions of the window's side; heatmaps: (rows, columns, k or more) in [0, 1].
    """
    rows, columns = heatmaps.shape[:2]
    reach = KERNEL // 2
    moved = points.copy()
    for index, (x, y) in enumerate(points):
        column, row = int(np.floor(x * columns)), int(np.floor(y * rows))
        if not (0 <= column < columns and 0 <= row < rows):
            continue
        top, left = max(row - reach, 0), max(column - reach, 0)
        near = heatmaps[top : row + reach + 1, left : column + reach + 1, index]
        if near.max() >= MIN_CONFIDENCE:
            down, across = np.indices(near.shape)
            moved[index] = ((across + left) * near).sum() / columns, ((down + top) * near).sum() / rows
            moved[index] /= near.sum()
    return moved


def nobody() -> Pose:
    """The answer where nobody is seen: no keypoint is predicted."""
    return Pose(np.zeros(0, dtype=int), np.zeros((0, 2)), np.zeros(0))
