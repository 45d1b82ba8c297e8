"""Square pictures of faces, cut around the box of a detector as recognisers that read FFHQ's alignment expect them."""

import numpy as np

SHARE = 0.6
"""Of the side of an FFHQ-aligned picture: the side of the square of the same area as a detector's box."""
MIDDLE = (0.49, 0.62)
"""x and y of the middle of that box, as shares of the side. Both as dlib's detector has them on 40 aligned faces."""
LEAST = 8


def inside(box: np.ndarray, height: int, width: int) -> np.ndarray:
    """(4,) the part of a box x0, y0, x1, y1 that lies in the picture; of no area where none does."""
    return np.clip(box, 0, np.array([width, height, width, height], float))


def square(picture: np.ndarray, box: np.ndarray) -> np.ndarray:
    """(side, side, 3) uint8: the face, not turned and at its own size; beyond the picture its edge goes on.

    box: (4,) x0, y0, x1, y1, with an area inside the picture.
    """
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = inside(box, height, width)
    side = max(round(float(np.sqrt((x1 - x0) * (y1 - y0))) / SHARE), LEAST)
    left, top = round((x0 + x1) / 2 - MIDDLE[0] * side), round((y0 + y1) / 2 - MIDDLE[1] * side)
    rows = np.clip(np.arange(top, top + side), 0, height - 1)
    columns = np.clip(np.arange(left, left + side), 0, width - 1)
    return np.ascontiguousarray(picture[np.ix_(rows, columns)])
