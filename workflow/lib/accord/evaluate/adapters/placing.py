"""Where a picture goes in the input of a network, and back: a scale and a shift on each axis.

Coordinates count from the outer corner of the first pixel, on both sides: input = picture * scale + shift.
"""

from typing import NamedTuple

import numpy as np


class Placing(NamedTuple):
    """scale and shift (x, y) from the picture to the input, and both sizes (height, width)."""

    scale: np.ndarray
    shift: np.ndarray
    picture: tuple[int, int]
    size: tuple[int, int]

    def to_picture(self, points: np.ndarray) -> np.ndarray:
        """Points (..., 2) in px of the picture, from px of the input."""
        return (np.asarray(points, dtype=np.float64) - self.shift) / self.scale

    def inside(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 of the input's pixels whose centres the picture covers."""
        height, width = self.picture
        ends = np.array([[0, 0], [width, height]]) * self.scale + self.shift
        (x0, y0), (x1, y1) = np.clip(np.round(ends), 0, self.size[::-1]).astype(int)
        return x0, y0, x1, y1


def squeezed(picture: tuple[int, int], size: tuple[int, int]) -> Placing:
    """The whole picture, stretched to the input."""
    scale = np.array(size[::-1]) / picture[::-1]
    return Placing(scale, np.zeros(2), picture, size)


def letterboxed(picture: tuple[int, int], size: tuple[int, int], corner: bool = False) -> Placing:
    """The whole picture with its proportions, in the middle of the input or, `corner`, at its left and top."""
    sides = np.array(picture[::-1])
    scale = float((np.array(size[::-1]) / sides).min())
    shift = np.zeros(2) if corner else (size[::-1] - sides * scale) / 2
    return Placing(np.full(2, scale), shift, picture, size)


def cropped(picture: tuple[int, int], size: tuple[int, int]) -> Placing:
    """The middle of the picture, as much of it as fills the input."""
    sides = np.array(picture[::-1])
    scale = float((np.array(size[::-1]) / sides).max())
    return Placing(np.full(2, scale), (size[::-1] - sides * scale) / 2, picture, size)


def boxed(picture: tuple[int, int], size: tuple[int, int], box: np.ndarray, margin: float) -> Placing:
    """A box x0, y0, x1, y1 of the picture, `margin` times as large and grown to the input's proportions."""
    box = np.asarray(box, dtype=np.float64)
    middle, sides = (box[:2] + box[2:]) / 2, np.maximum(box[2:] - box[:2], 1.0) * margin
    scale = float((np.array(size[::-1]) / sides).min())
    return Placing(np.full(2, scale), np.array(size[::-1]) / 2 - middle * scale, picture, size)


def sampled(picture: np.ndarray, placing: Placing, pad: int = 0) -> np.ndarray:
    """The input's pixels, (height, width, 3) uint8: bilinear, `pad` where the picture doesn't reach.

    A picture that shrinks a lot is first averaged, so that fine texture doesn't alias.
    """
    import cv2

    cv2.setNumThreads(1)
    height, width = placing.size
    small, scale = _averaged(picture, placing.scale)
    # OpenCV counts from the centre of the first pixel, we from its corner.
    back = (0.5 - placing.shift) / scale - 0.5
    matrix = np.array([[1 / scale[0], 0, back[0]], [0, 1 / scale[1], back[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    found = cv2.warpAffine(small, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    x0, y0, x1, y1 = placing.inside()
    canvas = np.full_like(found, pad)
    canvas[y0:y1, x0:x1] = found[y0:y1, x0:x1]
    return canvas


def _averaged(picture: np.ndarray, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    import cv2

    height, width = picture.shape[:2]
    less = np.maximum((1 / scale).astype(int), 1)
    if (less == 1).all():
        return np.ascontiguousarray(picture), scale
    reduced = max(width // int(less[0]), 1), max(height // int(less[1]), 1)
    small = cv2.resize(picture, reduced, interpolation=cv2.INTER_AREA)
    return small, scale * (width / reduced[0], height / reduced[1])


def unplaced(values: np.ndarray, placing: Placing, nearest: bool = False) -> np.ndarray:
    """(rows, columns) values that cover the input, at the picture's (height, width); the edge's outside the input."""
    import cv2

    rows, columns = values.shape
    scale = placing.scale * (columns, rows) / placing.size[::-1]
    shift = placing.shift * (columns, rows) / placing.size[::-1]
    there = 0.5 * scale + shift - 0.5
    matrix = np.array([[scale[0], 0, there[0]], [0, scale[1], there[1]]])
    flags = (cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    height, width = placing.picture
    return cv2.warpAffine(values, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def in_box(mask: np.ndarray, box: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """(height, width) float32: a mask that covers a box x0, y0, x1, y1, at its place in a picture; 0 elsewhere.

    Beyond the mask's outer cells it fades to 0 within half a cell, as in MMDetection, Detectron2 and torchvision.
    """
    import cv2

    whole = np.zeros(shape, dtype=np.float32)
    x0, y0 = np.floor(np.clip(box[:2], 0, shape[::-1])).astype(int)
    x1, y1 = np.ceil(np.clip(box[2:], 0, shape[::-1])).astype(int)
    if x1 <= x0 or y1 <= y0:
        return whole
    scale = np.array(mask.shape[::-1]) / np.maximum(box[2:] - box[:2], 1e-6)
    start = (np.array([x0, y0]) + 0.5 - box[:2]) * scale - 0.5
    matrix = np.array([[scale[0], 0, start[0]], [0, scale[1], start[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    whole[y0:y1, x0:x1] = cv2.warpAffine(
        mask, matrix, (int(x1 - x0), int(y1 - y0)), flags=flags, borderMode=cv2.BORDER_CONSTANT
    )
    return whole
