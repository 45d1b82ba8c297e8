"""Square windows cut from pictures, and overlapping boxes: what most detectors need around their network."""

from dataclasses import dataclass

import numpy as np

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


@dataclass(frozen=True)
class Window:
    """A square of a picture: centre (x, y) and side in px, turned clockwise by `angle` radians."""

    x: float
    y: float
    side: float
    angle: float = 0.0

    def to_picture(self, points: np.ndarray) -> np.ndarray:
        """Points (..., 2) in px of the picture, from fractions of the window's side (0 to 1, left and top first)."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        turned = (np.asarray(points, dtype=np.float64) - 0.5) @ np.array([[cos, sin], [-sin, cos]])
        return turned * self.side + (self.x, self.y)


def whole(picture: np.ndarray) -> Window:
    """The smallest upright window that holds a whole picture, centred."""
    height, width = picture.shape[:2]
    return Window(width / 2, height / 2, float(max(height, width)))


def around(box: np.ndarray, scale: float = 1.0) -> Window:
    """The upright window around a box x0, y0, x1, y1; its side is `scale` times the box's longer one."""
    x0, y0, x1, y1 = (float(value) for value in box)
    return Window((x0 + x1) / 2, (y0 + y1) / 2, scale * max(x1 - x0, y1 - y0, 1.0))


def cut(picture: np.ndarray, window: Window, size: int, beyond: str = "black") -> np.ndarray:
    """The window as (size, size, 3) uint8, as MediaPipe cuts it.

    beyond: what is seen where the window leaves the picture, `black` or `edge`: the picture's last pixels drawn out.
    """
    return warped(picture, window.to_picture(CORNERS), size, beyond)


def warped(picture: np.ndarray, corners: np.ndarray, size: int, beyond: str = "black") -> np.ndarray:
    """The quadrilateral between four corners (left top, right top, left bottom, right bottom) as (size, size, 3) uint8.

    Bilinear without averaging, and corners are where the centres of pixels are: MediaPipe's ImageToTensorCalculator on
    a CPU does so, and its networks were trained on what it gives.
    """
    import cv2

    cv2.setNumThreads(1)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (CORNERS * size).astype(np.float32))
    border = {"black": cv2.BORDER_CONSTANT, "edge": cv2.BORDER_REPLICATE}[beyond]
    return cv2.warpPerspective(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=border)


def overlaps(box: np.ndarray, others: np.ndarray, of_smaller: bool = False) -> np.ndarray:
    """Intersection over union of a box with (n, 4) others; with `of_smaller`, over the smaller one's area."""
    start = np.maximum(box[:2], others[:, :2])
    end = np.minimum(box[2:], others[:, 2:])
    shared = np.clip(end - start, 0, None).prod(axis=1)
    area, areas = (box[2:] - box[:2]).prod(), (others[:, 2:] - others[:, :2]).prod(axis=1)
    whole_area = np.minimum(area, areas) if of_smaller else area + areas - shared
    return shared / np.maximum(whole_area, 1e-9)


def suppress(boxes: np.ndarray, scores: np.ndarray, limit: float, of_smaller: bool = False) -> np.ndarray:
    """Indices of the boxes that no better box overlaps by more than `limit`, best first (non-maximum suppression)."""
    order = np.argsort(-scores, kind="stable")
    kept = []
    while order.size:
        best, rest = order[0], order[1:]
        kept.append(best)
        order = rest[overlaps(boxes[best], boxes[rest], of_smaller) <= limit]
    return np.array(kept, dtype=np.intp)


def blend(rows: np.ndarray, scores: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """Each group of overlapping boxes as its mean, weighted by score (BlazeFace's suppression); and the best scores.

    rows: (n, 4 + k): boxes x0, y0, x1, y1, then whatever shall be averaged with them.
    """
    order = np.argsort(-scores, kind="stable")
    means, best = [], []
    while order.size:
        near = overlaps(rows[order[0], :4], rows[order, :4]) > limit
        near[0] = True
        group = order[near]
        means.append(np.average(rows[group], axis=0, weights=scores[group]))
        best.append(scores[order[0]])
        order = order[~near]
    return np.array(means).reshape(-1, rows.shape[1]), np.array(best)
