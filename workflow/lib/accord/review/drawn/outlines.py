"""Outlines that people draw or correct: what is allowed, how they are kept, and how much two sets of them overlap."""

import json
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from accord.errors import Collector
from accord.imaging.masks import covers_any, rasterise

if TYPE_CHECKING:
    import numpy as np

MOST_REGIONS, MOST_POINTS, LONGEST_KIND = 200, 5000, 40
FARTHEST = 100_000
"""px: no image is wider or higher."""
GRID = 1024
"""Cells of the longer side of the grid on which overlap is counted."""
SAME = 0.5
"""IoU from which two people drew the same."""


class Region(NamedTuple):
    """A region that somebody drew: what it is, and x0, y0, x1, y1, ... in px of the upright image."""

    kind: str
    polygon: Sequence[float]


def faults(regions: Iterable[Region], kinds: Iterable[str] | None, problems: Collector, *, whole: bool = False) -> None:
    """Add all that is wrong with drawn regions. `kinds`: those that are allowed, None for any; `whole`: each says what
    the whole image is, so none has an outline."""
    regions, kinds = list(regions), None if kinds is None else tuple(kinds)
    if len(regions) > MOST_REGIONS:
        problems.add("regions", f"are more than {MOST_REGIONS}", "merge adjacent regions")
        return
    for number, (kind, polygon) in enumerate(regions, 1):
        where = f"region {number}"
        if not isinstance(kind, str) or not 0 < len(kind) <= LONGEST_KIND or not kind.isprintable():
            problems.add(where, "its kind must be a short word")
        elif kinds is not None and kind not in kinds:
            problems.add(where, "its kind is unknown", f"use one of {', '.join(kinds)}")
        if whole:
            if len(polygon):
                problems.add(where, "has an outline", "this decision is about the whole image")
        elif not _is_outline(polygon):
            hint = f"x0, y0, x1, y1, ...: 3 to {MOST_POINTS} corners, 0 to {FARTHEST} px, enclosing an area"
            problems.add(where, "is not a valid outline", hint)


def encode(regions: Iterable[Region]) -> str:
    """Regions as text, corners to a hundredth of a pixel."""
    rounded = [[kind, [round(float(at), 2) for at in polygon]] for kind, polygon in regions]
    return json.dumps(rounded, ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> list[Region]:
    """The regions in a text of `encode`."""
    return [Region(kind, tuple(polygon)) for kind, polygon in json.loads(text)]


def overlap(left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> float:
    """Intersection over union of the areas that two sets of polygons cover, 0 to 1; of two empty ones 1.

    Counted on a grid over both whose longer side has GRID cells.
    """
    if not left or not right:
        return float(not left and not right)
    xs = [x for polygon in (*left, *right) for x in polygon[::2]]
    ys = [y for polygon in (*left, *right) for y in polygon[1::2]]
    scale = GRID / max(max(xs) - min(xs), max(ys) - min(ys), 1e-6)
    frame = (min(xs), min(ys), scale, math.ceil((max(xs) - min(xs)) * scale), math.ceil((max(ys) - min(ys)) * scale))
    one, other = _filled(left, frame), _filled(right, frame)
    return float((one & other).sum() / max((one | other).sum(), 1))


def _filled(polygons: Sequence[Sequence[float]], frame: tuple[float, float, float, int, int]) -> "np.ndarray":
    import numpy as np

    left, top, scale, width, height = frame
    placed = [(np.reshape(polygon, (-1, 2)) - (left, top)) * scale for polygon in polygons]
    return rasterise([polygon.ravel().tolist() for polygon in placed], (height + 1, width + 1))


def _is_outline(polygon: object) -> bool:
    if not isinstance(polygon, Sequence) or isinstance(polygon, str) or not 6 <= len(polygon) <= 2 * MOST_POINTS:
        return False
    plain = all(isinstance(at, int | float) and not isinstance(at, bool) and 0 <= at <= FARTHEST for at in polygon)
    return plain and len(polygon) % 2 == 0 and _encloses(polygon)


def _encloses(polygon: Sequence[float]) -> bool:
    """Whether an outline has area, and doesn't lie within one pixel."""
    xs, ys = polygon[::2], polygon[1::2]
    sides = max(xs) - min(xs), max(ys) - min(ys)
    if min(sides) <= 0 or max(sides) <= 1:
        return False
    scale = GRID / max(sides)
    placed = [(at - (min(xs), min(ys))[number % 2]) * scale for number, at in enumerate(polygon)]
    return covers_any(placed, (GRID + 1, GRID + 1))
