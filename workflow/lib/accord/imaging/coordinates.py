"""Units and conventions of coordinates: which ones numbers can't be, and which ones they may be meant in.

Boxes are arrays (n, 4) of x_min, y_min, width, height; points are arrays (n, 2) of x, y. Both are in px of the upright
picture unless a function says otherwise.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pandas as pd

from accord.imaging.boxes import iou

PIXELS, SHARES, PERCENT = UNITS = ("px", "shares", "percent")
WHOLE = {SHARES: 1.0, PERCENT: 100.0}
"""Unit -> the number that stands for the whole width or height of a picture."""
EXTENTS, CORNERS = CONVENTIONS = ("xywh", "xyxy")
"""How a box is written: x_min, y_min, width, height; or x_min, y_min, x_max, y_max."""
SLACK = 1.05
"""Shares and percent of boxes at the picture's edge exceed the whole by rounding."""
MIN_SIDE = 400
"""px. Where both sides have this many, everything within 100 px lies in a sixteenth of the picture."""
MIN_PICTURES, NEARLY_ALL = 3, 0.9
FITS = 0.4
"""IoU from which two boxes are taken for those of one thing."""
Convert = Callable[[np.ndarray], np.ndarray]


def unit(points: np.ndarray, width: int, height: int) -> str:
    """The unit that the points of one picture look like: "px", "shares" (0 to 1) or "percent" (0 to 100).

    Shares are certain: in px all points would lie within one pixel. Percent is likely: all would lie in the left upper
    sixteenth of the picture, or less. Without points, or in a picture of less than `MIN_SIDE` px, it is "px".
    """
    points = np.asarray(points, float)
    if not len(points) or not np.isfinite(points).all():
        return PIXELS
    if np.abs(points).max() <= WHOLE[SHARES] * SLACK:
        return SHARES
    is_percent = points.max() <= WHOLE[PERCENT] * SLACK and points.min() >= -WHOLE[PERCENT] * (SLACK - 1)
    return PERCENT if is_percent and min(width, height) >= MIN_SIDE else PIXELS


def mistake(points: Mapping[str, np.ndarray], sizes: Mapping[str, tuple[int, int]]) -> str:
    """What is wrong with the unit of the points (n, 2) of several pictures, in words; "" where they may be px.

    sizes: picture -> width and height, px. A unit counts that `NEARLY_ALL` pictures show; percent must show in
    `MIN_PICTURES` or more, since what is drawn in one may lie anywhere.
    """
    units = Counter(unit(own, *sizes[picture]) for picture, own in points.items() if len(own))
    least = max(1.0, NEARLY_ALL * units.total())
    if units[SHARES] >= least:
        common, count = SHARES, units[SHARES]
    elif units[PERCENT] and (count := units[PERCENT] + units[SHARES]) >= max(least, MIN_PICTURES):
        common = PERCENT
    else:
        return ""
    where = f"the points of {count:,} of {units.total():,} pictures lie within 0..{WHOLE[common]:.0f}"
    return f"{where}: they look like {common} of the picture's width and height; give px"


def points_by_image(rows: pd.DataFrame) -> dict[str, np.ndarray]:
    """Image -> the corners of the boxes (`face_x`, ..., `person_height`) and the points (`x`, `y`) of a table."""
    boxes = [[f"{kind}_{side}" for side in ("x", "y", "width", "height")] for kind in ("face", "person")]
    known = [columns for columns in boxes if set(columns) <= set(rows.columns)]
    points = ["x", "y"] if {"x", "y"} <= set(rows.columns) else []
    found = {}
    for image, own in rows.groupby("image"):
        parts = [corners_of(own[columns].dropna().to_numpy(float)) for columns in known]
        found[image] = np.concatenate([*parts, own[points].to_numpy(float).reshape(-1, 2)])
    return {image: own for image, own in found.items() if len(own)}


def to_pixels(points: np.ndarray, given: str, width: int, height: int) -> np.ndarray:
    """Points in a unit of `UNITS`, as px."""
    return np.asarray(points, float) if given == PIXELS else np.asarray(points, float) * (width, height) / WHOLE[given]


def corners_of(boxes: np.ndarray) -> np.ndarray:
    """(2n, 2): the left upper and right lower corners of boxes."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    return np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])


def extents(corners: np.ndarray) -> np.ndarray:
    """Boxes x_min, y_min, x_max, y_max (n, 4) as x_min, y_min, width, height."""
    return np.hstack([corners[:, :2], corners[:, 2:] - corners[:, :2]])


def best_iou(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n,): the highest IoU of each box with one of the others; 0 without others."""
    left, right = (np.hstack([b[:, :2], b[:, :2] + b[:, 2:]]) for b in (boxes, others))
    return iou(left[:, None], right[None]).max(axis=1, initial=0)


def meaning(boxes: np.ndarray, expected: np.ndarray, width: int, height: int, orientation: int = 1) -> str:
    """How boxes may be meant that fit none of the expected ones, in words that follow "read as"; "" where unknown.

    `expected`: boxes of the same things from another source, such as a detector; width, height: px, upright;
    orientation: EXIF's. The reading counts under which a box fits an expected one best (IoU of `FITS` or more). Boxes
    that fit as they are need no other reading.
    """
    if best_iou(boxes, expected).max(initial=0) >= FITS:
        return ""
    readings = [*_readings(width, height, orientation), *_other_sizes(boxes, expected)]
    overlaps = [best_iou(convert(boxes), expected).max(initial=0) for _, convert in readings]
    best = int(np.argmax(overlaps))
    return readings[best][0] if overlaps[best] >= FITS else ""


def _readings(width: int, height: int, orientation: int) -> Iterable[tuple[str, Convert]]:
    sides = np.array([width, height, width, height], float)
    yield "shares of the picture (0 to 1)", lambda boxes: boxes * sides
    yield "percent of the picture (0 to 100)", lambda boxes: boxes * sides / 100
    if orientation in TURNS:
        words = "px of the picture as stored, before its EXIF orientation is applied"
        yield words, lambda boxes: _turned(boxes, width, height, orientation)
    yield "corners (x_min, y_min, x_max, y_max)", extents
    yield "y, x, height, width", lambda boxes: boxes[:, [1, 0, 3, 2]]
    yield "x, y, height, width", lambda boxes: boxes[:, [0, 1, 3, 2]]


TURNS: dict[int, tuple[bool, bool, bool]] = {
    2: (False, True, False), 3: (False, True, True), 4: (False, False, True),
    5: (True, False, False), 6: (True, True, False), 7: (True, True, True), 8: (True, False, True),
}  # fmt: skip
"""EXIF orientation -> whether x and y are swapped, and whether x and y then run backwards (EXIF 2.32, 4.6.4 A)."""


def _turned(boxes: np.ndarray, width: int, height: int, orientation: int) -> np.ndarray:
    """Boxes of the stored picture as those of the upright one, which has that width and height."""
    swapped, mirrored, flipped = TURNS[orientation]
    x, y, across, down = (boxes[:, [1, 0, 3, 2]] if swapped else boxes).T
    return np.stack([width - x - across if mirrored else x, height - y - down if flipped else y, across, down], axis=1)


def _other_sizes(boxes: np.ndarray, expected: np.ndarray) -> Iterable[tuple[str, Convert]]:
    """Readings as boxes of a copy of the picture, of the size at which one of them is as large as an expected one."""
    areas, others = boxes[:, 2:].prod(axis=1), expected[:, 2:].prod(axis=1)
    for area in areas[areas > 0]:
        for times in np.sqrt(others[others > 0] / area):
            words = f"px of a copy of the picture about {1 / times:.1g} times its size"
            yield words, lambda boxes, times=times: boxes * times
