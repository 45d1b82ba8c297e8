"""MTCNN: a cascade of three small networks that find faces (Zhang et al. 2016), with facenet-pytorch's weights."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.evaluate.adapters.geometry import suppress
from accord.evaluate.protocols import Boxes
from accord.evaluate.weights import load_state

CELL, STRIDE = 12, 2
PYRAMID = 0.709
MEAN, SCALE = 127.5, 128.0
LEVEL_OVERLAP, OVERLAP = 0.5, 0.7
CROPS = 512


class MTCNN:
    """Detector of faces of at least `min_face` px; thresholds are those of the three networks."""

    def __init__(self, weights: dict[str, Path], min_face: int = 20, thresholds: Sequence[float] = (0.6, 0.7, 0.7)):
        import torch

        from accord.evaluate.adapters import mtcnn_nets

        torch.set_num_threads(1)
        self._min_face, self._thresholds = min_face, thresholds
        self._propose = _loaded(mtcnn_nets.Proposals(), weights["pnet"])
        self._refine = _loaded(mtcnn_nets.Refinement(), weights["rnet"])
        self._output = _loaded(mtcnn_nets.Output(), weights["onet"])

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        import torch

        with torch.inference_mode():
            return [self._one(picture) for picture in pictures]

    def _one(self, picture: np.ndarray) -> Boxes:
        boxes, _ = self._proposals(picture)
        boxes, scores, moves = self._judge(self._refine, picture, squares(boxes), 24, self._thresholds[1])
        kept = suppress(boxes, scores, OVERLAP)
        boxes = squares(moved(boxes[kept], moves[kept]))
        boxes, scores, moves = self._judge(self._output, picture, boxes, 48, self._thresholds[2])
        boxes = moved(boxes, moves)
        # A face in a face is one face: the overlap counts against the smaller box.
        kept = suppress(boxes, scores, OVERLAP, of_smaller=True)
        return Boxes(boxes[kept], scores[kept], ["face"] * len(kept))

    def _proposals(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, 4) boxes that may hold a face, from all levels of an image pyramid, and their scores."""
        found = [self._level(picture, scale) for scale in scales(picture.shape[:2], self._min_face)]
        rows = np.concatenate([np.zeros((0, 9)), *found])
        kept = suppress(rows[:, :4], rows[:, 4], OVERLAP)
        return moved(rows[kept, :4], rows[kept, 5:]), rows[kept, 4]

    def _level(self, picture: np.ndarray, scale: float) -> np.ndarray:
        """(n, 9): box, score and corrections of what P-Net finds in the picture shrunk to `scale`."""
        import cv2

        height, width = picture.shape[:2]
        size = (max(round(width * scale), CELL), max(round(height * scale), CELL))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        moves, logits = self._propose(_tensor(small[np.newaxis]))
        scores = logits.softmax(dim=1)[0, 1].numpy()
        row, column = np.nonzero(scores >= self._thresholds[0])
        start = np.stack([column, row], axis=1) * STRIDE
        back = np.array([width / size[0], height / size[1]])
        boxes = np.concatenate([start * back, (start + CELL) * back], axis=1)
        chosen = scores[row, column]
        kept = suppress(boxes, chosen, LEVEL_OVERLAP)
        found = np.concatenate([boxes, chosen[:, np.newaxis], moves[0].numpy()[:, row, column].T], axis=1)
        return found[kept]

    def _judge(
        self, net, picture: np.ndarray, boxes: np.ndarray, size: int, threshold: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The boxes that a network takes for faces, its scores, and its corrections."""
        crops = [crop(picture, box, size) for box in boxes]
        moves, scores = [np.zeros((0, 4))], [np.zeros(0)]
        for start in range(0, len(crops), CROPS):
            corrections, logits = net(_tensor(np.stack(crops[start : start + CROPS])))
            moves.append(corrections.numpy())
            scores.append(logits.softmax(dim=1)[:, 1].numpy())
        score = np.concatenate(scores)
        sure = score > threshold
        return boxes[sure], score[sure].astype(np.float64), np.concatenate(moves)[sure].astype(np.float64)


def scales(shape: tuple[int, int], min_face: int) -> list[float]:
    """The sizes at which a picture is looked at: from that where `min_face` px are a cell, down to a single cell."""
    scale, found = CELL / min_face, []
    while min(shape) * scale >= CELL:
        found.append(scale)
        scale *= PYRAMID
    return found


def moved(boxes: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Boxes with their corners moved by fractions of their sides."""
    return boxes + moves * np.tile(boxes[:, 2:] - boxes[:, :2], 2)


def squares(boxes: np.ndarray) -> np.ndarray:
    """Squares of the longer side around the same centres."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    half = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True) / 2
    return np.concatenate([middle - half, middle + half], axis=1)


def crop(picture: np.ndarray, box: np.ndarray, size: int) -> np.ndarray:
    """A square of a picture at (size, size, 3) uint8; black where it leaves the picture."""
    import cv2

    x0, y0, x1, y1 = (round(float(value)) for value in box)
    height, width = picture.shape[:2]
    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
    part = picture[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    if part.size == 0:
        return np.zeros((size, size, 3), dtype=np.uint8)
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height:
        edges = max(-y0, 0), max(y1 - height, 0), max(-x0, 0), max(x1 - width, 0)
        part = cv2.copyMakeBorder(part, *edges, cv2.BORDER_CONSTANT)
    return cv2.resize(part, (size, size), interpolation=cv2.INTER_AREA)


def _tensor(pictures: np.ndarray):
    import torch

    scaled = (pictures.astype(np.float32) - MEAN) / SCALE
    return torch.from_numpy(np.ascontiguousarray(scaled.transpose(0, 3, 1, 2)))


def _loaded(net, path: Path):
    net.load_state_dict(load_state(path))
    return net.eval()
