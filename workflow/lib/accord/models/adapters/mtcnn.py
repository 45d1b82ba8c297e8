"""MTCNN: a cascade of three small networks that find faces (Zhang et al. 2016), with facenet-pytorch's weights.

Between the networks, boxes are numbers of pixels that count from 1, both ends included, as facenet-pytorch has them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.models.adapters.declaring.area_means import AreaMeans
from accord.models.adapters.declaring.geometry import suppress
from accord.models.adapters.nets.torch_nets import channels_last, fit, tensors
from accord.models.protocols import Boxes

CELL, STRIDE = 12, 2
PYRAMID = 0.709
MEAN, SCALE = 127.5, 128.0
LEVEL_OVERLAP, OVERLAP = 0.5, 0.7
CROPS = 512


class MTCNN:
    """Detector of faces of at least `min_face` px; thresholds are those of the three networks."""

    def __init__(self, weights: dict[str, Path], min_face: int = 20, thresholds: Sequence[float] = (0.6, 0.7, 0.7)):
        import torch

        from accord.models.adapters.nets import mtcnn_nets

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
        shape, means = picture.shape[:2], AreaMeans(picture)
        proposed = self._proposals(shape, means)
        boxes, scores, moves = self._judge(self._refine, shape, means, proposed, 24, self._thresholds[1])
        kept = suppress(boxes, scores, OVERLAP)
        boxes = squares(moved(boxes[kept], moves[kept], counted=1))
        boxes, scores, moves = self._judge(self._output, shape, means, boxes, 48, self._thresholds[2])
        # From numbers of pixels that count from 1 to coordinates that count from the first one's corner.
        boxes = moved(boxes, moves, counted=1) - (1, 1, 0, 0)
        # A face in a face is one face: the overlap counts against the smaller box.
        kept = suppress(boxes, scores, OVERLAP, of_smaller=True)
        return Boxes(boxes[kept], scores[kept], ["face"] * len(kept))

    def _proposals(self, shape: tuple[int, int], means: AreaMeans) -> np.ndarray:
        """(n, 4) squares that may hold a face, from all levels of an image pyramid."""
        found = [self._level(shape, means, scale) for scale in scales(shape, self._min_face)]
        rows = np.concatenate([np.zeros((0, 9)), *found])
        kept = suppress(rows[:, :4], rows[:, 4], OVERLAP)
        return squares(moved(rows[kept, :4], rows[kept, 5:]))

    def _level(self, shape: tuple[int, int], means: AreaMeans, scale: float) -> np.ndarray:
        """(n, 9): box, score and corrections of what P-Net finds in the picture shrunk to `scale`."""
        height, width = shape
        small = means.of(0, 0, width, height, (int(height * scale + 1), int(width * scale + 1)))
        moves, logits = self._propose(_shown([small]))
        scores = logits.softmax(dim=1)[0, 1].numpy()
        row, column = np.nonzero(scores >= self._thresholds[0])
        first = STRIDE * np.stack([column, row], axis=1).astype(np.float32) + 1
        boxes = np.floor(np.concatenate([first, first + CELL - 1], axis=1) / np.float32(scale))
        chosen = scores[row, column]
        kept = suppress(boxes, chosen, LEVEL_OVERLAP)
        found = np.concatenate([boxes, chosen[:, np.newaxis], moves[0].numpy()[:, row, column].T], axis=1)
        return found[kept].astype(np.float64)

    def _judge(
        self, net: Any, shape: tuple[int, int], means: AreaMeans, boxes: np.ndarray, size: int, threshold: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The boxes that a network takes for faces, its scores, and its corrections."""
        spans = inside(boxes, *shape)
        shows = (spans[:, 2:] > spans[:, :2]).all(axis=1)
        boxes, spans = boxes[shows], spans[shows]
        crops = [means.of(x0, y0, x1, y1, (size, size)) for x0, y0, x1, y1 in spans.tolist()]
        moves, scores = [np.zeros((0, 4))], [np.zeros(0)]
        for start in range(0, len(crops), CROPS):
            corrections, logits = net(_shown(crops[start : start + CROPS]))
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


def moved(boxes: np.ndarray, moves: np.ndarray, counted: int = 0) -> np.ndarray:
    """Boxes with their corners moved by fractions of their sides; counted: 1 where sides hold both end pixels."""
    return boxes + moves * np.tile(boxes[:, 2:] - boxes[:, :2] + counted, 2)


def squares(boxes: np.ndarray) -> np.ndarray:
    """Squares of the longer side around the same centres."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    half = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True) / 2
    return np.concatenate([middle - half, middle + half], axis=1)


def inside(boxes: np.ndarray, height: int, width: int) -> np.ndarray:
    """(n, 4) int: the columns and rows x0, y0, x1, y1 of a picture (the last not included) that boxes show of it.

    boxes: numbers of pixels that count from 1, both ends included.
    """
    whole = np.trunc(boxes).astype(int)
    start = np.maximum(whole[:, :2], 1) - 1
    return np.concatenate([start, np.minimum(whole[:, 2:], (width, height))], axis=1)


def _shown(pictures: Sequence[np.ndarray]):
    """Pictures of one size, float32 from 0 to 255, as the networks want them; channels stay last."""
    import torch

    return torch.from_numpy((np.stack(pictures) - np.float32(MEAN)) / np.float32(SCALE)).permute(0, 3, 1, 2)


def _loaded(net: Any, path: Path):
    """Channels last, as pictures are stored: torch pools these networks' few channels in a third of the time."""
    return channels_last(fit(net, tensors(path), path.name))
