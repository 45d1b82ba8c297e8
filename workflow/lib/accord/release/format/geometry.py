"""Where things lie in a smaller picture, and the rectangles of faces.

Coordinates are px and continuous: (0, 0) is the upper left corner of the upper left pixel, (width, height) the
picture's lower right corner. Boxes are x_min, y_min, width, height.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

DECIMALS = 2


class Size(NamedTuple):
    """Width and height, px."""

    width: int
    height: int


def downsampled(size: Size, longest: int) -> Size:
    """The size whose longest side is at most `longest`, in the same proportion."""
    factor = longest / max(size)
    if factor >= 1:
        return size
    return Size(max(round(size.width * factor), 1), max(round(size.height * factor), 1))


def factors(size: Size, smaller: Size) -> np.ndarray:
    """By what x and y are multiplied to get from a picture of one size to a picture of another."""
    return np.array([smaller.width / size.width, smaller.height / size.height])


def ffhq_rectangle(
    right_eye: ArrayLike, left_eye: ArrayLike, mouth_right: ArrayLike, mouth_left: ArrayLike
) -> np.ndarray | None:
    """The oriented square around a face: (4, 2), upper left, lower left, lower right, upper right.

    Right and left are the person's own. Its axis is that between the eyes, averaged with the normal of that from eyes
    to mouth; its side is the longer of 4 times the eyes' distance and 3.6 times eyes-to-mouth (Karras et al. 2018,
    Progressive growing of GANs, appendix C; used for FFHQ by Karras et al. 2019). None where the points coincide.
    """
    points = np.array([right_eye, left_eye, mouth_right, mouth_left], float)
    eyes, mouth = points[:2].mean(axis=0), points[2:].mean(axis=0)
    across, down = points[1] - points[0], mouth - eyes
    axis = across - _turned(down)
    length = np.hypot(*axis)
    if not length > 0:
        return None
    x = axis / length * max(np.hypot(*across) * 2.0, np.hypot(*down) * 1.8)
    y = _turned(x)
    centre = eyes + down * 0.1
    return np.stack([centre - x - y, centre - x + y, centre + x + y, centre + x - y])


def to_square(rectangle: np.ndarray, side: int) -> np.ndarray:
    """The homography (3, 3) that takes an oriented square to the upright one of `side` px."""
    origin, down, right = rectangle[0], rectangle[1] - rectangle[0], rectangle[3] - rectangle[0]
    rows = [side * axis / (axis @ axis) for axis in (right, down)]
    return np.array([[*row, -(row @ origin)] for row in rows] + [[0.0, 0.0, 1.0]])


def crop_window(box: np.ndarray, size: Size) -> tuple[int, int, int, int] | None:
    """Left, upper, right, lower of a face's crop: its box, as far as it lies in the picture, x 2 about its centre.

    None where nothing of the box lies in the picture. The window can reach beyond the picture.
    """
    low = np.clip(box[:2], 0, size)
    high = np.clip(np.add(box[:2], box[2:]), 0, size)
    if not (high > low).all():
        return None
    centre, half = (low + high) / 2, high - low
    sides = np.maximum(np.rint(2 * half), 1)
    corner = np.clip(np.rint(centre - half), 1 - sides, np.array(size) - 1)  # at least a pixel stays in the picture
    (left, upper), (right, lower) = corner.astype(int).tolist(), (corner + sides).astype(int).tolist()
    return left, upper, right, lower


def to_crop(window: tuple[int, int, int, int], crop: Size) -> np.ndarray:
    """The homography (3, 3) from the picture that the window lies in to the crop's picture."""
    left, upper, right, lower = window
    x, y = crop.width / (right - left), crop.height / (lower - upper)
    return np.array([[x, 0.0, -left * x], [0.0, y, -upper * y], [0.0, 0.0, 1.0]])


def moved(points: np.ndarray, homography: np.ndarray) -> np.ndarray:
    """Points (n, 2) after a homography (3, 3)."""
    points = np.asarray(points, float).reshape(-1, 2)
    ahead = points @ homography[:, :2].T + homography[:, 2]
    return ahead[:, :2] / ahead[:, 2:]


def bounding_box(points: np.ndarray) -> np.ndarray:
    """The smallest box around points (n, 2)."""
    low, high = points.min(axis=0), points.max(axis=0)
    return np.array([*low, *np.round(high - low, DECIMALS)])


def _turned(vector: np.ndarray) -> np.ndarray:
    """The vector turned by 90 degrees, from right to down."""
    return np.array([-vector[1], vector[0]])
