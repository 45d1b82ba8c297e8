"""Parts of a picture at smaller sizes, each pixel the mean of those that it covers: torch's `area` interpolation."""

import numpy as np


class AreaMeans:
    """Of a picture, uint8 (height, width, channels). Sums over rectangles are differences of four running sums (Crow
    1984), so that a size costs its own pixels, not the picture's."""

    def __init__(self, picture: np.ndarray) -> None:
        import cv2

        largest = 255 * picture.shape[0] * picture.shape[1]
        depth = cv2.CV_32S if largest <= np.iinfo(np.int32).max else cv2.CV_64F
        self._sums = cv2.integral(picture, sdepth=depth)

    def of(self, x0: int, y0: int, x1: int, y1: int, size: tuple[int, int]) -> np.ndarray:
        """Columns x0 to x1 and rows y0 to y1, the last not included, at a size (height, width): float32, 0 to 255.

        Where the size doesn't divide the side, neighbours share the pixels between them.
        """
        (top, bottom), (left, right) = _edges(y0, y1, size[0]), _edges(x0, x1, size[1])
        rows = self._sums[bottom] - self._sums[top]
        sums = (rows[:, right] - rows[:, left]).astype(np.float32)
        high, wide = ((end - start).astype(np.float32) for start, end in ((top, bottom), (left, right)))
        return sums / high[:, np.newaxis, np.newaxis] / wide[:, np.newaxis]


def _edges(start: int, end: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """First and behind the last of the pixels that each of `count` covers of those from start to end."""
    places, length = np.arange(count), end - start
    return start + places * length // count, start - (-(places + 1) * length // count)
