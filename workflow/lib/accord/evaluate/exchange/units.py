"""Units of a whole file of outputs: are they shares or percent of pictures, or px of copies of another size?"""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from accord.evaluate.exchange.names import Picture
from accord.imaging import coordinates

BEYOND = 0.2
"""Share of a picture's side by which a box may lie outside of it. Keypoints of hidden limbs lie anywhere."""
MOST = 0.5
"""Share of a file's pictures with boxes that may lie farther outside, or fit annotated ones under another reading."""


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


def misread(rows: pd.DataFrame, annotated: Mapping[str, np.ndarray], pictures: Iterable[Picture]) -> str:
    """How the boxes of a file may be meant that fit next to none of the annotated ones; "" where they need no reading.

    rows: Detections; annotated: image -> boxes (n, 4) x_min, y_min, width, height. A model that is merely bad has no
    reading under which most of its boxes fit.
    """
    sizes = {picture.image: (picture.width, picture.height) for picture in pictures}
    fits, readings = 0, Counter[str]()
    groups = [(image, own) for image, own in rows.groupby("image") if len(annotated.get(image, ()))]
    for image, own in groups:
        boxes = coordinates.extents(own[["x0", "y0", "x1", "y1"]].to_numpy(float))
        fits += bool(coordinates.best_iou(boxes, annotated[image]).max() >= coordinates.FITS)
        readings[coordinates.meaning(boxes, annotated[image], *sizes[image])] += 1
    del readings[""]
    words, count = readings.most_common(1)[0] if readings else ("", 0)
    if len(groups) < coordinates.MIN_PICTURES or count <= MOST * len(groups):
        return ""
    return f"boxes fit annotated ones in {fits} of {len(groups)} pictures, and read as {words} in {count}"


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
