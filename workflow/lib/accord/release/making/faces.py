"""Pictures of faces: the crop, and the aligned square after FFHQ's recipe, both with FHIBE's mean padding."""

import numpy as np
from PIL import Image

from accord.release.format.geometry import Size, to_square

LANCZOS = Image.Resampling.LANCZOS


def smaller(pixels: np.ndarray, size: Size) -> np.ndarray:
    """The picture at another size, resampled with Lanczos."""
    return np.asarray(Image.fromarray(pixels).resize(size, LANCZOS))


def crop(pixels: np.ndarray, window: tuple[int, int, int, int]) -> np.ndarray:
    """The part of a picture within a window; what lies outside the picture is the mean along each axis.

    As NumPy's `pad(mode="mean")`: each column is continued above and below with the mean of its visible part, then
    each row to the left and right with the mean of what it then holds.
    """
    height, width = pixels.shape[:2]
    left, upper, right, lower = window
    inside = pixels[max(upper, 0) : min(lower, height), max(left, 0) : min(right, width)]
    beyond = ((max(-upper, 0), max(lower - height, 0)), (max(-left, 0), max(right - width, 0)), (0, 0))
    return np.pad(inside, beyond, mode="mean")


def aligned(pixels: np.ndarray, rectangle: np.ndarray, side: int, warped_side: int) -> np.ndarray:
    """The face in an oriented square (`geometry.ffhq_rectangle`): (side, side, 3) uint8.

    FFHQ's steps (Karras et al. 2019), with FHIBE's padding: shrink by an integer, crop (what lies outside the picture
    is the mean along each axis), warp to `warped_side` px (bilinear), reduce to `side` px (Lanczos). FFHQ's own padding
    mirrors the picture, and with it whoever stands near its edge. The warp is OpenCV's, whose rounding is unbiased and
    which takes a third of Pillow's time; Pillow's own truncates, which darkens by half a grey level.
    """
    pixels, rectangle = _shrunk(pixels, rectangle, side)
    border = max(round(_side(rectangle) * 0.1), 3)
    low = np.floor(rectangle.min(axis=0)).astype(int) - border
    high = np.ceil(rectangle.max(axis=0)).astype(int) + border
    around = crop(pixels, (int(low[0]), int(low[1]), int(high[0]), int(high[1])))
    return smaller(_warped(around, rectangle - low, warped_side), Size(side, side))


def _side(rectangle: np.ndarray) -> float:
    return float(np.hypot(*(rectangle[3] - rectangle[0])))


def _shrunk(pixels: np.ndarray, rectangle: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    shrink = int(_side(rectangle) / side * 0.5)
    if shrink <= 1:
        return pixels, rectangle
    height, width = pixels.shape[:2]
    return smaller(pixels, Size(max(round(width / shrink), 1), max(round(height / shrink), 1))), rectangle / shrink


def _warped(pixels: np.ndarray, rectangle: np.ndarray, side: int) -> np.ndarray:
    import cv2

    # OpenCV counts from the centres of pixels, `to_square` from their corners.
    centre = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(centre) @ np.linalg.inv(to_square(rectangle, side)) @ centre
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (side, side)
    return cv2.warpAffine(pixels, matrix[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
