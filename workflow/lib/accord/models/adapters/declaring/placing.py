"""Where a picture goes in the input of a network, and back: a scale and a shift on each axis.

Coordinates count from the outer corner of the first pixel, on both sides: input = picture * scale + shift.
"""

from typing import NamedTuple

import numpy as np


class Placing(NamedTuple):
    """scale and shift (x, y) from the picture to the input, and both sizes (height, width).

    first: where the network's own coordinates begin, px of the input: 0 at the corner of its first pixel, 0.5 in its
    centre, as those of MMPose do.
    """

    scale: np.ndarray
    shift: np.ndarray
    picture: tuple[int, int]
    size: tuple[int, int]
    first: float = 0.0

    def to_picture(self, points: np.ndarray) -> np.ndarray:
        """Points (..., 2) in px of the picture, from px of the input."""
        return (np.asarray(points, dtype=np.float64) - self.shift) / self.scale

    def ends(self) -> np.ndarray:
        """(2, 2) where the picture's first and last corner lie, px of the input: x, y of each."""
        return np.array([[0, 0], self.picture[::-1]]) * self.scale + self.shift

    def inside(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 of the input's pixels whose centres the picture covers."""
        (x0, y0), (x1, y1) = np.clip(np.round(self.ends()), 0, self.size[::-1]).astype(int)
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


def bounded(picture: tuple[int, int], short: int, long: int, multiple: int, enlarge: bool) -> Placing:
    """The whole picture with its proportions, as large as neither side exceeds its bound, at the left and top of an
    input whose sides are multiples.

    Sides are rounded to whole pixels, half a pixel up, so that the two axes differ a little in scale (mmcv's rescale).
    """
    height, width = picture
    scale = min(long / max(height, width), short / min(height, width))
    scale = scale if enlarge else min(scale, 1.0)
    sides = np.maximum((np.array([width, height]) * scale + 0.5).astype(int), 1)
    columns, rows = (int(side) for side in -(-sides // multiple) * multiple)
    return Placing(sides / (width, height), np.zeros(2), picture, (rows, columns))


def boxed(picture: tuple[int, int], size: tuple[int, int], box: np.ndarray, margin: float) -> Placing:
    """A box x0, y0, x1, y1 of the picture, `margin` times as large and grown to the input's proportions."""
    box = np.asarray(box, dtype=np.float64)
    middle, sides = (box[:2] + box[2:]) / 2, np.maximum(box[2:] - box[:2], 1.0) * margin
    scale = float((np.array(size[::-1]) / sides).min())
    return Placing(np.full(2, scale), np.array(size[::-1]) / 2 - middle * scale, picture, size)


def from_centres(placed: Placing) -> Placing:
    """The same for numbers of code that counts from the centre of the first pixel, as OpenCV's warpAffine does."""
    return placed._replace(shift=placed.shift + (1 - placed.scale) / 2, first=0.5)


def unplaced(values: np.ndarray, placing: Placing, nearest: bool = False, outside: float | None = None) -> np.ndarray:
    """(rows, columns) values that cover the input, at the picture's (height, width).

    outside: what stands where the input doesn't reach; without, its edge.
    """
    import cv2

    rows, columns = values.shape
    scale = placing.scale * (columns, rows) / placing.size[::-1]
    shift = placing.shift * (columns, rows) / placing.size[::-1]
    there = 0.5 * scale + shift - 0.5
    matrix = np.array([[scale[0], 0, there[0]], [0, scale[1], there[1]]])
    flags = (cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    border = {"borderMode": cv2.BORDER_REPLICATE}
    if outside is not None:
        border = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": outside}
    height, width = placing.picture
    return cv2.warpAffine(values, matrix, (width, height), flags=flags, **border)


def enlarged(values: np.ndarray, size: tuple[int, int], align_corners: bool) -> np.ndarray:
    """(k, rows, columns) float32 at another (height, width), bilinear, as torch's interpolate defines it."""
    if tuple(values.shape[-2:]) == tuple(size):
        return values.astype(np.float32)
    down, across = (
        _between(_places(side, count, align_corners), count, clip=True)
        for side, count in zip(size, values.shape[-2:], strict=True)
    )
    return down @ values.astype(np.float32) @ across.T


def in_box(mask: np.ndarray, box: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """(height, width) float32: a mask that covers a box x0, y0, x1, y1, at its place in a picture; 0 elsewhere.

    Bilinear between the centres of the mask's cells, and towards 0 beyond the outermost (as Detectron2 and MMDetection
    paste masks: torch's grid_sample with zeros around).
    """
    whole = np.zeros(shape, dtype=np.float32)
    x0, y0 = np.floor(np.clip(box[:2], 0, shape[::-1])).astype(int)
    x1, y1 = np.ceil(np.clip(box[2:], 0, shape[::-1])).astype(int)
    if x1 <= x0 or y1 <= y0:
        return whole
    rows, columns = mask.shape
    width, height = np.maximum(box[2:] - box[:2], 1e-6)
    across = _between((np.arange(x0, x1) + 0.5 - box[0]) * columns / width - 0.5, columns, clip=False)
    down = _between((np.arange(y0, y1) + 0.5 - box[1]) * rows / height - 0.5, rows, clip=False)
    whole[y0:y1, x0:x1] = down @ mask.astype(np.float32) @ across.T
    return whole


def _places(side: int, count: int, align_corners: bool) -> np.ndarray:
    """Where the pixels of a side lie among the centres of its `count` cells."""
    if align_corners:
        return np.arange(side) * ((count - 1) / max(side - 1, 1))
    return (np.arange(side) + 0.5) * count / side - 0.5


def _between(places: np.ndarray, count: int, clip: bool) -> np.ndarray:
    """(places, count) float32: how much each cell counts at each place, bilinear; clip: the outermost hold on."""
    places = np.clip(places, 0, count - 1) if clip else places
    return np.maximum(1 - np.abs(places[:, np.newaxis] - np.arange(count)), 0).astype(np.float32)
