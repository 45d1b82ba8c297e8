"""Models that make a face again: ONNX graphs, TorchScript modules, and bicubic interpolation, the usual baseline.

GFPGAN and GPEN, encoders such as ReStyle with their generator: exported as one graph from a picture to a picture,
(n, 3, height, width) float RGB, with the range of values that `low` and `high` state on both sides.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem

PROVIDERS = ("CUDAExecutionProvider", "CPUExecutionProvider")


class OnnxRestorer:
    """An ONNX graph with one picture in and one out (its first output); on a GPU where ONNX Runtime has one.

    side: px of the square that it is given (what is smaller or larger is resized); low, high: its range of values.
    """

    def __init__(self, weights: dict[str, Path], side: int = 512, low: float = -1.0, high: float = 1.0):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        usable = [name for name in PROVIDERS if name in onnxruntime.get_available_providers()]
        self._session = onnxruntime.InferenceSession(str(weights["net"]), options, providers=usable)
        self._input, self._output = self._session.get_inputs()[0].name, self._session.get_outputs()[0].name
        self._side, self._range = side, (low, high)

    def restore(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
        return _restored(pictures, self._side, self._range, self._run)

    def _run(self, batch: np.ndarray) -> np.ndarray:
        return self._session.run([self._output], {self._input: batch})[0]


class ScriptRestorer:
    """A TorchScript module with one picture in and one out; on a GPU where there is one. Arguments as OnnxRestorer.

    Such a file is a program in TorchScript's own language, not in Python; state its sum only if you trust its source.
    """

    def __init__(self, weights: dict[str, Path], side: int = 512, low: float = -1.0, high: float = 1.0):
        import torch

        torch.set_num_threads(1)
        self._torch, self._device = torch, "cuda" if torch.cuda.is_available() else "cpu"
        self._module = torch.jit.load(str(weights["net"]), map_location=self._device).eval()
        self._side, self._range = side, (low, high)

    def restore(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
        return _restored(pictures, self._side, self._range, self._run)

    def _run(self, batch: np.ndarray) -> np.ndarray:
        with self._torch.inference_mode():
            return self._module(self._torch.from_numpy(batch).to(self._device)).float().cpu().numpy()


class Bicubic:
    """Enlarges to `side` px by bicubic interpolation: it adds nothing, so a model should beat it."""

    def __init__(self, weights: dict[str, Path], side: int = 512):
        self._side = side

    def restore(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [resized(picture, self._side) for picture in pictures]


def resized(picture: np.ndarray, side: int) -> np.ndarray:
    """(side, side, 3) uint8: averaged over areas where the picture is larger, else interpolated (bicubic)."""
    import cv2

    method = cv2.INTER_AREA if max(picture.shape[:2]) > side else cv2.INTER_CUBIC
    return cv2.resize(picture, (side, side), interpolation=method)


def _restored(pictures: Sequence[np.ndarray], side: int, span: tuple[float, float], run: Callable) -> list[np.ndarray]:
    """What a network makes of pictures, one at a time: generators at full size fill a GPU's memory alone."""
    low, high = span
    made = []
    for picture in pictures:
        scaled = resized(picture, side).astype(np.float32) / 255 * (high - low) + low
        values = run(np.ascontiguousarray(scaled.transpose(2, 0, 1)[np.newaxis]))[0]
        if not np.isfinite(values).all():
            raise AccordError(
                Problem("restorer", "answers with numbers that are not finite", "check low, high and the file")
            )
        levels = (values.transpose(1, 2, 0).astype(np.float64) - low) / (high - low) * 255
        made.append(np.clip(np.rint(levels), 0, 255).astype(np.uint8))
    return made
