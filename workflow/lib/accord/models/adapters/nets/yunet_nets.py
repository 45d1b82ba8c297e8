"""YuNet (Wu, Peng and Yu 2023) on ONNX Runtime: it says what OpenCV's FaceDetectorYN says, in a third of the time."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.declaring.geometry import suppress
from accord.models.adapters.nets import onnx_files, onnx_tensors
from accord.models.weights import reading

INPUT = "input"
STRIDES = (8, 16, 32)
OUTPUTS = tuple(f"{what}_{stride}" for stride in STRIDES for what in ("cls", "obj", "bbox", "kps"))
ROW = 15
"""x, y, width, height, five points x, y, score."""
OVERLAP, MOST_FACES = 0.3, 5000
ERRORS = 3


class YuNet:
    """Detector of faces, on one thread."""

    def __init__(self, path: Path, min_score: float) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS  # it would warn of each number that was scaled back
        with reading(path.name, *onnx_files.INVALID):
            content = onnx_tensors.of_any_size(onnx_tensors.dequantised(path), INPUT).SerializeToString()
            self._net = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        self._name, self._min_score = path.name, min_score

    def detect(self, picture: np.ndarray) -> np.ndarray:
        """(n, ROW) float32, px; picture: uint8 BGR (height, width, 3)."""
        height, width = (-(-side // STRIDES[-1]) * STRIDES[-1] for side in picture.shape[:2])
        padded = np.zeros((1, 3, height, width), np.float32)
        padded[0, :, : picture.shape[0], : picture.shape[1]] = picture.transpose(2, 0, 1)
        with reading(self._name, *onnx_files.INVALID):
            told = self._net.run(OUTPUTS, {INPUT: padded})
        levels = zip(STRIDES, *(told[place::4] for place in range(4)), strict=True)
        found = [_decoded(level[0], width // level[0], level[1:], self._min_score) for level in levels]
        return _apart(np.concatenate(found))


def _apart(faces: np.ndarray) -> np.ndarray:
    """Each face once, the surest first; overlaps are those of boxes of whole px, as OpenCV counts them."""
    best = faces[np.argsort(-faces[:, -1], kind="stable")][:MOST_FACES]
    start, size = best[:, :2].astype(int), best[:, 2:4].astype(int)
    return best[suppress(np.hstack([start, start + size]), best[:, -1], OVERLAP)]


def _decoded(stride: int, columns: int, told: Sequence[np.ndarray], least: float) -> np.ndarray:
    """(n, ROW): the faces of a level with that score or more. told: its four outputs."""
    sure, there, box, points = told
    scores = np.sqrt(np.clip(sure[0, :, 0], 0, 1) * np.clip(there[0, :, 0], 0, 1))
    cells = np.flatnonzero(scores >= np.float32(least))
    corner = np.stack([cells % columns, cells // columns], axis=1).astype(np.float32)
    size = np.exp(box[0, cells, 2:]) * stride
    start = (corner + box[0, cells, :2]) * stride - size / 2
    places = (points[0, cells].reshape(-1, 5, 2) + corner[:, np.newaxis]) * stride
    return np.column_stack([start, size, places.reshape(-1, 10), scores[cells]]).astype(np.float32)
