"""MediaPipe's single-shot detectors: BlazeFace (full range) and the detector in front of BlazePose.

Bazarevsky et al., BlazeFace (2019) and BlazePose (2020); sizes, strides and thresholds are those of MediaPipe's graphs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.models.adapters.declaring.geometry import blend, cut, whole
from accord.models.adapters.nets.litert import Graph, sigmoid
from accord.models.protocols import Boxes

OVERLAP = 0.3


class Found(NamedTuple):
    """(n, 4) boxes x0, y0, x1, y1 and (n, k, 2) points, px of the picture; (n,) scores."""

    boxes: np.ndarray
    points: np.ndarray
    scores: np.ndarray


class SingleShot:
    """A single-shot detector: box, keypoints and score for each anchor of a grid."""

    def __init__(self, path: Path, grids: Sequence[tuple[int, int]], min_score: float):
        """grids: (stride in px, anchors per cell) of each."""
        self._graph = Graph(path)
        self._anchors = anchors(self._graph.size, grids)
        self._min_score = min_score

    def find(self, picture: np.ndarray) -> Found:
        """What it finds in a picture, best first."""
        window = whole(picture)
        scaled = cut(picture, window, self._graph.size).astype(np.float32) / 127.5 - 1
        raw, logits = self._graph(scaled)
        scores = sigmoid(logits[:, 0])
        sure = scores >= self._min_score
        rows, best = blend(self._decode(raw[sure], self._anchors[sure]), scores[sure], OVERLAP)
        points = window.to_picture(rows.reshape(len(rows), rows.shape[1] // 2, 2))
        return Found(points[:, :2].reshape(-1, 4), points[:, 2:], best)

    def _decode(self, raw: np.ndarray, centres: np.ndarray) -> np.ndarray:
        """(n, 4 + 2 k) corners and keypoints as fractions of the side, from offsets in px of the graph's input."""
        values = raw.astype(np.float64).reshape(len(raw), raw.shape[1] // 2, 2) / self._graph.size
        middle, half = values[:, 0] + centres, values[:, 1] / 2
        points = values[:, 2:] + centres[:, np.newaxis]
        return np.concatenate(
            [middle - half, middle + half, points.reshape(points.shape[0], 2 * points.shape[1])], axis=1
        )


class BlazeFace:
    """Detector of faces up to five metres away (BlazeFace, full range); min_score is that of MediaPipe's graph."""

    def __init__(self, weights: dict[str, Path], min_score: float = 0.6):
        self._detector = SingleShot(weights["net"], [(4, 1)], min_score)

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        found = [self._detector.find(picture) for picture in pictures]
        return [Boxes(faces.boxes, faces.scores, ["face"] * len(faces.scores)) for faces in found]


def anchors(size: int, grids: Sequence[tuple[int, int]]) -> np.ndarray:
    """(n, 2) centres of all cells as fractions of the side, row by row, each as often as it has anchors."""
    centres = []
    for stride, count in grids:
        steps = (np.arange(size // stride) + 0.5) * stride / size
        y, x = np.meshgrid(steps, steps, indexing="ij")
        centres.append(np.repeat(np.stack([x.ravel(), y.ravel()], axis=1), count, axis=0))
    return np.concatenate(centres)
