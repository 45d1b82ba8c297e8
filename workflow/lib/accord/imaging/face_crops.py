"""The largest face of a frame, and a square around it."""

from typing import Any, NamedTuple

import numpy as np


class Face(NamedTuple):
    """A face's box (left, top, width, height, px of the frame) and the detector's score."""

    x: float
    y: float
    width: float
    height: float
    score: float


class Crop(NamedTuple):
    """A square picture, uint8 RGB (side, side, 3), with the box of the face in its middle; `scale` of its px make up
    one of the frame."""

    pixels: np.ndarray
    scale: float


def largest(detector: Any, pixels: np.ndarray) -> Face | None:
    """The face with the largest box of those that a detector finds in a frame; of equal ones the better; None of none.

    pixels: uint8 RGB (height, width, 3). Whoever else is in a video is mostly further away: "labels are of one".
    """
    [found] = detector.detect([pixels])
    boxes = np.asarray(found.boxes, float).reshape(-1, 4)
    sides = boxes[:, 2:] - boxes[:, :2]
    fine = [place for place in range(len(boxes)) if np.isfinite(boxes[place]).all() and (sides[place] > 0).all()]
    if not fine:
        return None
    best = max(fine, key=lambda place: (float(sides[place].prod()), float(found.scores[place])))
    left, top, width, height = (float(value) for value in (*boxes[best, :2], *sides[best]))
    return Face(left, top, width, height, float(found.scores[best]))


def crop(pixels: np.ndarray, face: Face, margin: float, side: int) -> Crop:
    """The square around a face whose side is `margin` times the longer side of its box, at most `side` px.

    It is made smaller, never larger. What lies outside of the frame repeats its border.
    """
    import cv2

    wanted = margin * max(face.width, face.height)
    made = max(min(side, round(wanted)), 1)
    scale = made / wanted
    left, top = (start + length / 2 - wanted / 2 for start, length in ((face.x, face.width), (face.y, face.height)))
    pixel = max(int(1 / scale), 1)
    if pixel > 1:
        # Means of whole blocks first: resampling alone would leave out pixels.
        pixels, left, top = _reduced(pixels, pixel), left / pixel, top / pixel
    rest = scale * pixel
    # cv2 puts 0, 0 in the middle of the first pixel; boxes have it at its outer corner.
    shift = np.array([[rest, 0, -left * rest + rest / 2 - 0.5], [0, rest, -top * rest + rest / 2 - 0.5]])
    square = cv2.warpAffine(pixels, shift, (made, made), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Crop(square, scale)


def _reduced(pixels: np.ndarray, by: int) -> np.ndarray:
    """Pixels whose blocks of `by` x `by` are one; a rest at the right and the bottom is filled up with the border."""
    import cv2

    down, across = (-length % by for length in pixels.shape[:2])
    full = cv2.copyMakeBorder(pixels, 0, down, 0, across, cv2.BORDER_REPLICATE) if down or across else pixels
    return cv2.resize(full, (full.shape[1] // by, full.shape[0] // by), interpolation=cv2.INTER_AREA)
