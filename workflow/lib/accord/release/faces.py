"""Pictures of faces: the crop with its mean padding, and the aligned square after FFHQ's recipe."""

import numpy as np
from PIL import Image

from accord.release.geometry import Size, to_square

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

    FFHQ's steps (Karras et al. 2019): shrink by an integer, crop, pad by a reflection that fades into blur and
    median, warp to `warped_side` px (bilinear), reduce to `side` px (Lanczos). The warp is OpenCV's, whose rounding
    is unbiased and which takes a third of Pillow's time; Pillow's own truncates, which darkens by half a grey level.
    """
    pixels, rectangle = _shrunk(pixels, rectangle, side)
    border = max(round(_side(rectangle) * 0.1), 3)
    pixels, rectangle = _cropped(pixels, rectangle, border)
    pixels, rectangle = _padded(pixels, rectangle, border)
    return smaller(_warped(pixels, rectangle, warped_side), Size(side, side))


def _side(rectangle: np.ndarray) -> float:
    return float(np.hypot(*(rectangle[3] - rectangle[0])))


def _shrunk(pixels: np.ndarray, rectangle: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    shrink = int(_side(rectangle) / side * 0.5)
    if shrink <= 1:
        return pixels, rectangle
    height, width = pixels.shape[:2]
    return smaller(pixels, Size(max(round(width / shrink), 1), max(round(height / shrink), 1))), rectangle / shrink


def _cropped(pixels: np.ndarray, rectangle: np.ndarray, border: int) -> tuple[np.ndarray, np.ndarray]:
    height, width = pixels.shape[:2]
    low = np.maximum(np.floor(rectangle.min(axis=0)).astype(int) - border, 0)
    high = np.minimum(np.ceil(rectangle.max(axis=0)).astype(int) + border, (width, height))
    return pixels[low[1] : high[1], low[0] : high[0]], rectangle - low


def _padded(pixels: np.ndarray, rectangle: np.ndarray, border: int) -> tuple[np.ndarray, np.ndarray]:
    """The picture continued where the square reaches beyond it."""
    height, width = pixels.shape[:2]
    before = np.maximum(border - np.floor(rectangle.min(axis=0)).astype(int), 0)
    after = np.maximum(np.ceil(rectangle.max(axis=0)).astype(int) - (width, height) + border, 0)
    if max(*before, *after) <= border - 4:
        return pixels, rectangle
    side = _side(rectangle)
    before, after = (np.maximum(beyond, round(side * 0.3)) for beyond in (before, after))
    widths = ((before[1], after[1]), (before[0], after[0]), (0, 0))
    padded = np.pad(pixels.astype(np.float32), widths, mode="reflect")
    return _faded(padded, before, after, blur=side * 0.02), rectangle + before


def _faded(padded: np.ndarray, before: np.ndarray, after: np.ndarray, blur: float) -> np.ndarray:
    """Blurred towards the picture's edge, the median colour beyond it; `before`, `after`: x, y of the padding."""
    import cv2

    height, width = padded.shape[:2]
    y, x = np.ogrid[:height, :width]
    across = 1 - np.minimum(np.float32(x) / before[0], np.float32(width - 1 - x) / after[0])
    down = 1 - np.minimum(np.float32(y) / before[1], np.float32(height - 1 - y) / after[1])
    depth = np.maximum(across, down)[:, :, None]
    kernel = 2 * int(4 * blur + 0.5) + 1
    blurred = cv2.GaussianBlur(padded, (kernel, kernel), blur, borderType=cv2.BORDER_REFLECT)
    padded += (blurred - padded) * np.clip(depth * 3 + 1, 0, 1)
    padded += (np.median(padded, axis=(0, 1)) - padded) * np.clip(depth, 0, 1)
    return np.clip(np.rint(padded), 0, 255).astype(np.uint8)


def _warped(pixels: np.ndarray, rectangle: np.ndarray, side: int) -> np.ndarray:
    import cv2

    # OpenCV counts from the centres of pixels, `to_square` from their corners.
    centre = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(centre) @ np.linalg.inv(to_square(rectangle, side)) @ centre
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (side, side)
    return cv2.warpAffine(pixels, matrix[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
