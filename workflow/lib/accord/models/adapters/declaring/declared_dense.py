"""Outputs that say something of each pixel: labels, and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.models.adapters.declaring.declared_inputs import one_of
from accord.models.adapters.declaring.declared_outputs import Arrays
from accord.models.adapters.declaring.placing import Placing, enlarged, unplaced


@dataclass(frozen=True)
class LabelsOut:
    """(classes, rows, columns) scores, or (rows, columns) numbers of classes; `to`: what each class is here, in order.

    face_parsing: `to` lists CelebAMask-HQ's labels 0-18. person_parsing: 1 is a person, 0 is not. best: where the best
    of the layers is chosen: at each pixel of the picture, or of the input, whose labels then go to the picture as they
    are. align_corners: as torch's interpolate has it, of the scores that are brought to the input's size.
    """

    output: str
    to: Sequence[int] = tuple(range(19))
    best: str = "picture"
    align_corners: bool = False

    def __post_init__(self) -> None:
        one_of("best", self.best, ("picture", "input"))
        if self.align_corners and self.best != "input":
            raise ValueError("align_corners requires best: input, where scores are resized to the input")

    def decode(self, arrays: Arrays, placed: Placing) -> np.ndarray:
        """(height, width) uint8, in px of the picture."""
        values = arrays[self.output]
        values = values.reshape([side for side in values.shape if side != 1] if values.ndim > 3 else values.shape)
        if values.ndim == 3 and values.shape[0] > 1:
            return self._numbers(self._chosen(values, placed))
        labels = values.reshape(values.shape[-2:]).astype(np.float32)
        return self._numbers(unplaced(labels, placed, nearest=True))

    def _chosen(self, layers: np.ndarray, placed: Placing) -> np.ndarray:
        """(height, width) the number of the best of (classes, rows, columns) scores."""
        if self.best == "picture":
            return np.stack([unplaced(layer.astype(np.float32), placed) for layer in layers]).argmax(axis=0)
        labels = enlarged(layers, placed.size, self.align_corners).argmax(axis=0)
        return unplaced(labels.astype(np.float32), placed, nearest=True, outside=0)

    def _numbers(self, labels: np.ndarray) -> np.ndarray:
        return np.array(self.to, dtype=np.uint8)[np.clip(labels.astype(np.int64), 0, len(self.to) - 1)]


@dataclass(frozen=True)
class PictureOut:
    """(3, height, width) or (height, width, 3): a picture. `range`: its black and white; order: of its colours.

    rounded: to the nearest of 0-255; or, without, down, as numpy's astype does it.
    """

    output: str
    range: Sequence[float] = (0.0, 1.0)
    order: str = "rgb"
    layout: str = "nchw"
    rounded: bool = True

    def __post_init__(self) -> None:
        one_of("order", self.order, ("rgb", "bgr"))
        one_of("layout", self.layout, ("nchw", "nhwc"))

    def decode(self, arrays: Arrays) -> np.ndarray:
        """(height, width, 3) uint8 RGB."""
        values = arrays[self.output]
        values = values.reshape(values.shape[-3:]).astype(np.float64)
        values = values if self.layout == "nhwc" else values.transpose(1, 2, 0)
        low, high = self.range
        shades = np.clip((values - low) / (high - low) * 255, 0, 255)
        pixels = (shades.round() if self.rounded else shades).astype(np.uint8)
        return np.ascontiguousarray(pixels if self.order == "rgb" else pixels[:, :, ::-1])
