"""Coordinates of an annotation file: converted to px, and those that can't be of anything in the picture."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from accord.imaging.coordinates import CORNERS, PIXELS, SHARES, corners_of, extents, to_pixels, unit
from accord.imaging.masks import covers_any, filled_area
from accord.intake.reading.annotations import NO_BOX, Annotation, Box, Person

FIX = (
    "they look like shares of the picture's width and height (0 to 1): give px, or declare "
    '"units": "shares" (from-csv --units shares)'
)
LONGEST = 100
"""What is longer than so many widths and heights of the picture is no outline, and takes long to fill."""
SPECK = 2
"""px. What is no longer than this in either direction is a click, and no outline."""
CROSSED = 0.1
"""Share of its filled area by which the area inside an outline may differ from it: hands draw small loops."""
GRID = 512
"""Cells along the longer side of an outline whose area is counted."""


def in_pixels(annotation: Annotation, width: int, height: int) -> Annotation:
    """The annotation with all coordinates in px of the upright picture, and boxes as x_min, y_min, width, height."""
    if annotation.units == PIXELS and annotation.boxes != CORNERS:
        return annotation

    def points(flat: Sequence[float]) -> list[float]:
        return to_pixels(np.reshape(flat, (-1, 2)), annotation.units, width, height).ravel().tolist()

    def point(given: tuple[float, float]) -> tuple[float, float]:
        x, y = points(given)
        return x, y

    def box(given: Box) -> Box:
        plain = points(given)
        x, y, across, down = extents(np.array([plain]))[0] if annotation.boxes == CORNERS else plain
        return float(x), float(y), float(across), float(down)

    people = [
        person._replace(
            face=box(person.face),
            body=box(person.body),
            keypoints=[(number, *point((x, y)), visible) for number, x, y, visible in person.keypoints],
            segments=[(number, num, points(polygon)) for number, num, polygon in person.segments],
        )
        for person in annotation.people
    ]
    regions = [region._replace(polygon=points(region.polygon)) for region in annotation.regions]
    return annotation._replace(people=people, regions=regions, units=PIXELS, boxes="")


def faults(annotation: Annotation, width: int, height: int) -> list[str]:
    """A reason for each box, each person's keypoints, and each outline that can't be of anything in the picture.

    A subject whose box is elsewhere would be painted out, and a region that covers nothing would not be. width, height:
    px of the upright picture. Regions and segments may lie over the picture's edge, and boxes a little; how far, the
    checks of a run decide. Regions are counted from 1.
    """
    people = [reason for person in annotation.people for reason in _of_person(person, width, height)]
    regions = [_of_region(region.polygon, width, height) for region in annotation.regions]
    return [*dict.fromkeys(people), *_numbered(regions)]


def _of_person(person: Person, width: int, height: int) -> Iterator[str]:
    for name, box in (("face_bbox", person.face), ("person_bbox", person.body)):
        if box != NO_BOX and not np.isnan(box).any():
            yield from _named(f"a {name}", _out_of_place(corners_of(np.array([box])), width, height))
            if min(box[2:]) <= 0:
                yield f"a {name} ends before it starts"
    visible = np.array([(x, y) for _, x, y, is_visible in person.keypoints if is_visible]).reshape(-1, 2)
    corners = np.array([number for _, _, polygon in person.segments for number in polygon]).reshape(-1, 2)
    for name, points in (("keypoints", visible), ("segments", corners)):
        if len(points):
            reason = _out_of_place(points, width, height)
            yield from _named(
                f"{name} of a person", reason.replace("has all its", "have all their", 1).replace("lies", "lie", 1)
            )


def _named(what: str, reason: str) -> Iterable[str]:
    return [f"{what} {reason}"] if reason else []


def _out_of_place(points: np.ndarray, width: int, height: int) -> str:
    """Why points can't be those of something in the picture; "" where they can."""
    low, high = points.min(axis=0), points.max(axis=0)
    is_share = unit(points, width, height) == SHARES
    if is_share or (len(points) > 1 and (high - low <= 1).all()):
        return f"has all its points within one pixel{': ' + FIX if is_share else ''}"
    if (high < 0).any() or low[0] >= width or low[1] >= height:
        return "lies off the image: coordinates are px of the upright image"
    return ""


def _of_region(polygon: Sequence[float], width: int, height: int) -> str:
    """Why a region's outline hides nothing of a picture, or other parts of it than were meant; "" where it is sound."""
    points = np.asarray(polygon, float).reshape(-1, 2)
    if reason := _out_of_place(points, width, height):
        return reason
    if np.ptp(points, axis=0).max() <= SPECK:
        return f"is at most {SPECK} px wide and high: draw the outline of what must be hidden"
    if _length(points, width, height) > LONGEST * (width + height):
        return f"has an outline more than {LONGEST} times as long as the image is wide and high: draw its border once"
    if not covers_any(polygon, (height, width)):
        return "has no area in the image"
    return "has an outline that crosses itself: list its corners in their order" if _surplus(points) < 0 else ""


def remarks(annotation: Annotation) -> list[str]:
    """A remark for each region that is painted out as it was meant, though its outline is drawn more than once."""
    surpluses = [_surplus(np.reshape(region.polygon, (-1, 2))) for region in annotation.regions]
    return list(_numbered(["has an outline that is drawn twice" if surplus > 0 else "" for surplus in surpluses]))


def _numbered(reasons: Sequence[str]) -> Iterator[str]:
    yield from (f"region {n} of {len(reasons)} {reason}" for n, reason in enumerate(reasons, 1) if reason)


def _surplus(points: np.ndarray) -> int:
    """-1 where the area inside an outline is less than filling it covers, as of a bow tie; 1 where it is more; else 0.

    By the shoelace formula, what is wound backwards counts against what is wound forwards, and twice counts twice. The
    areas are compared on a grid, which is off by up to the outline's length.
    """
    if not np.ptp(points, axis=0).max():
        return 0
    moved = (points - points.min(axis=0)) * (GRID / float(np.ptp(points, axis=0).max()))
    following = np.roll(moved, -1, axis=0)
    inside = abs(float((moved[:, 0] * following[:, 1] - following[:, 0] * moved[:, 1]).sum())) / 2
    length = float(np.hypot(*(following - moved).T).sum())
    filled = filled_area(moved.ravel().tolist())
    return int(np.sign(inside - filled)) if abs(inside - filled) > CROSSED * filled + length else 0


def _length(points: np.ndarray, width: int, height: int) -> float:
    """Length of an outline, px, along rows and columns; what lies off the picture is left out."""
    inside = np.clip(points, 0, (width, height))
    return float(np.abs(inside - np.roll(inside, 1, axis=0)).sum())
