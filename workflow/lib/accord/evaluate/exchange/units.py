"""Units of a whole file of outputs: are they shares or percent of pictures, or px of copies of another size?"""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from accord.evaluate.exchange.names import Picture
from accord.imaging import coordinates

BEYOND = 0.2
"""Share of a picture's side by which a box may lie outside of it. Keypoints of hidden limbs lie anywhere."""
MOST = 0.5
"""Share of a file's pictures with boxes that may lie farther outside."""


def mistake(rows: pd.DataFrame, pictures: Iterable[Picture]) -> str:
    """What is wrong with the coordinates of a file as a whole; "" where nothing is.

    rows: Detections (x0, y0, x1, y1), or Poses (x, y), px; those of other tables have no coordinates.
    """
    sizes = {picture.image: (picture.width, picture.height) for picture in pictures}
    points = _points(rows)
    if not points:
        return ""
    if wrong := coordinates.mistake(points, sizes):
        return f"{wrong} of the release's pictures"
    outside = sum(_is_outside(own, sizes[image]) for image, own in points.items())
    if "x0" in rows.columns and len(points) >= coordinates.MIN_PICTURES and outside > MOST * len(points):
        meant = "were they made at another size? give px of the release's pictures"
        return f"boxes lie outside of {outside} of {len(points)} pictures: {meant}"
    return ""


def _points(rows: pd.DataFrame) -> Mapping[str, np.ndarray]:
    """Image -> the points (n, 2) of its boxes or keypoints."""
    pairs = [pair for pair in (("x0", "y0"), ("x1", "y1"), ("x", "y")) if set(pair) <= set(rows.columns)]
    return {
        image: np.concatenate([own[list(pair)].to_numpy(float) for pair in pairs])
        for image, own in (rows.groupby("image") if pairs else ())
    }


def _is_outside(points: np.ndarray, size: tuple[int, int]) -> bool:
    """Whether points of a picture lie farther outside of it than boxes do."""
    room = BEYOND * np.array(size)
    return bool(((points > np.array(size) + room) | (points < -room)).any())
