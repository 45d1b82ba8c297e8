"""An image's annotation file: people with boxes, keypoints and segments, and the regions to paint out."""

import json
import math
from typing import Any, NamedTuple

from accord.imaging.coordinates import CONVENTIONS, CORNERS, EXTENTS, PIXELS, UNITS
from accord.intake.delivered import keys
from accord.intake.tables import REGION_KINDS
from accord.text import unicode
from accord.text.references import normal
from accord.vocabularies import KEYPOINTS, SEGMENTS

MAX_PEOPLE = 100
MAX_REGIONS = 1_000
MAX_POINTS = 50_000
LONGEST_REFERENCE = 200
FARTHEST = 1e6
"""No coordinate lies farther out, px."""
KEYPOINT_NUMBERS = {name: number for number, name in enumerate(KEYPOINTS)}
SEGMENT_NUMBERS = {name: number for number, name in enumerate(SEGMENTS)}
Box = tuple[float, float, float, float]
NO_BOX: Box = (math.nan, math.nan, math.nan, math.nan)


class Person(NamedTuple):
    """What is drawn of one person. Boxes: x_min, y_min, width, height; all in px of the upright image."""

    subject: str
    face: Box
    body: Box
    keypoints: list[tuple[int, float, float, bool]]
    segments: list[tuple[int, int, list[float]]]
    annotators: dict[str, str]


class Region(NamedTuple):
    """A region to paint out; polygon: x0, y0, x1, y1, ... px of the upright image."""

    region: str
    kind: str
    polygon: list[float]
    annotator: str


class Annotation(NamedTuple):
    """What a file says of an image (the vendor's reference). `dropped`: reasons why parts of it were left out.

    `units` (of `UNITS`) and `boxes` (of `CONVENTIONS`): how coordinates are written; the file names them, or they are
    px, and x_min, y_min, width, height.
    """

    image: str
    people: list[Person]
    regions: list[Region]
    dropped: list[str]
    units: str = PIXELS
    boxes: str = EXTENTS


class AnnotationError(Exception):
    """An annotation file that can't be used; the text says why without quoting it."""


def parse(data: bytes, image: str) -> Annotation:
    """The annotation of the image `image` (the vendor's reference).

    A broken box, keypoint or segment is left out and named in `dropped`. Raises AnnotationError where the file as a
    whole is broken, speaks of another image, has a key that is unknown or given twice, or a region that can't be
    painted out.
    """
    document = _json(data)
    if not isinstance(document, dict):
        raise AnnotationError("the file is about another image")
    strange = keys.unknown(document)
    if strange:
        raise AnnotationError("; ".join(strange))
    if _reference(document.get("image")) != image:
        raise AnnotationError("the file is about another image")
    people: Any = document.get("people")
    regions: Any = document.get("regions", [])
    for name, given, most in (("people", people, MAX_PEOPLE), ("regions", regions, MAX_REGIONS)):
        if not isinstance(given, list):
            raise AnnotationError(f"`{name}` is not a list")
        if len(given) > most:
            raise AnnotationError(f"`{name}` has {len(given)} entries, more than {most}")
    units, boxes = (_one_of(document, *choice) for choice in (("units", UNITS), ("boxes", CONVENTIONS)))
    dropped: list[str] = []
    drawn = [_region(given, f"region {number} of {len(regions)}") for number, given in enumerate(regions, 1)]
    form = f"{'[x, y, x, y]' if boxes == CORNERS else '[x, y, width, height]'} in {units}"
    found = Annotation(image, [_person(p, form, dropped) for p in people], drawn, dropped, units, boxes)
    _check_unique([person.subject for person in found.people], "a person")
    _check_unique([region.region for region in found.regions], "a region")
    return found


def _one_of(document: dict, key: str, values: tuple[str, ...]) -> str:
    """The value of a key that has few; the first of them where the file doesn't give it."""
    value = document.get(key, values[0])
    if value not in values:
        raise AnnotationError(f"`{key}` is none of {', '.join(values)}")
    return value


def _json(data: bytes) -> Any:
    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        document = json.loads(data, parse_constant=refuse, object_pairs_hook=keys.once)
    except KeyError as error:
        raise AnnotationError(f"{keys.named(error.args[0])} is given twice in one object") from None
    except (ValueError, RecursionError) as error:
        raise AnnotationError(f"the file is not valid JSON ({type(error).__name__})") from None
    if wrong := unicode.fault_within(document):
        raise AnnotationError(f"a text in the file {wrong}")
    return document


def _check_unique(names: list[str], what: str) -> None:
    if len(set(names)) < len(names):
        raise AnnotationError(f"{what} is given twice")


def _person(given: Any, form: str, dropped: list[str]) -> Person:
    if not isinstance(given, dict) or not _reference(given.get("subject")):
        raise AnnotationError("a person has no subject")
    annotators = given.get("annotators")
    named = annotators.items() if isinstance(annotators, dict) else ()
    return Person(
        _reference(given["subject"]),
        _box(given.get("face_bbox"), "face_bbox", form, dropped),
        _box(given.get("person_bbox"), "person_bbox", form, dropped),
        _keypoints(given.get("keypoints"), dropped),
        _segments(given.get("segments"), dropped),
        {key: name for key, value in named if (name := _reference(value))},
    )


def _box(given: Any, name: str, form: str, dropped: list[str]) -> Box:
    if given is None:
        return NO_BOX
    if not _is_list(given, 4) or len(given) != 4 or not all(map(_is_coordinate, given)) or min(given[2:]) <= 0:
        dropped.append(f"a {name} is not {form}")
        return NO_BOX
    x, y, width, height = (float(number) for number in given)
    return x, y, width, height


def _keypoints(given: Any, dropped: list[str]) -> list[tuple[int, float, float, bool]]:
    found = []
    for name, point in (given if isinstance(given, dict) else {}).items():
        fits = _is_list(point, 3) and len(point) == 3 and all(map(_is_coordinate, point[:2]))
        if name in KEYPOINT_NUMBERS and fits and _is_flag(point[2]):
            found.append((KEYPOINT_NUMBERS[name], float(point[0]), float(point[1]), bool(point[2])))
        else:
            dropped.append("a keypoint has an unknown name, or is not [x, y, visible]")
    return sorted(found)


def _segments(given: Any, dropped: list[str]) -> list[tuple[int, int, list[float]]]:
    found: dict[tuple[int, int], list[float]] = {}
    for segment in given if isinstance(given, list) else []:
        read = _segment(segment)
        if read is None or read[:2] in found:
            dropped.append("a segment has an unknown class, no number of its own, or no polygon")
        else:
            found[read[:2]] = read[2]
    return [(number, num, polygon) for (number, num), polygon in sorted(found.items())]


def _segment(given: Any) -> tuple[int, int, list[float]] | None:
    if not isinstance(given, dict):
        return None
    name, num, polygon = given.get("class_name"), given.get("num"), _polygon(given.get("polygon"))
    if not isinstance(name, str) or name not in SEGMENT_NUMBERS or polygon is None:
        return None
    if type(num) is not int or not 1 <= num <= MAX_POINTS:
        return None
    return SEGMENT_NUMBERS[name], num, polygon


def _region(given: Any, which: str) -> Region:
    # A region that can't be read would be published unpainted: the whole file is refused instead.
    if wrong := _region_fault(given):
        raise AnnotationError(f"{which} {wrong}")
    polygon = _polygon(given["polygon"])
    assert polygon is not None  # else `_region_fault` said so
    return Region(_reference(given["region"]), given["kind"], polygon, _reference(given.get("annotator")))


def _region_fault(given: Any) -> str:
    """What is wrong with a region, quoting none of it; "" where nothing is."""
    if not isinstance(given, dict):
        return "is not a JSON object"
    name, kind = given.get("region"), given.get("kind")
    if isinstance(name, str) and len(name) > LONGEST_REFERENCE:
        return f"has a name of more than {LONGEST_REFERENCE} letters"
    if not _reference(name):
        return "has no name (`region`)"
    if kind not in REGION_KINDS:
        return f"is of no known kind: one of {', '.join(REGION_KINDS)}"
    return _polygon_fault(given.get("polygon"))


def _polygon_fault(given: Any) -> str:
    if not isinstance(given, list) or len(given) < 3:
        return "has no polygon of 3 points or more"
    if len(given) > MAX_POINTS:
        return f"has a polygon of {len(given)} points, more than {MAX_POINTS}"
    pairs = [[p.get("x"), p.get("y")] if isinstance(p, dict) else p for p in given]
    numbers = [n for p in pairs if isinstance(p, list) and len(p) == 2 for n in p if _is_number(n)]
    if len(numbers) < 2 * len(given):
        return "has a point that is not [x, y] or {x, y} in px"
    return "" if all(map(_is_coordinate, numbers)) else f"has a coordinate farther out than {FARTHEST:.0f} px"


def _polygon(given: Any) -> list[float] | None:
    """x0, y0, x1, y1, ... of a list of {"x", "y"} or [x, y]; None where it is none."""
    if not _is_list(given, MAX_POINTS) or len(given) < 3:
        return None
    points: list[Any] = [(p.get("x"), p.get("y")) if isinstance(p, dict) else p for p in given]
    if not all(isinstance(p, list | tuple) and len(p) == 2 and all(map(_is_coordinate, p)) for p in points):
        return None
    return [float(number) for point in points for number in point]


def _is_list(given: Any, most: int) -> bool:
    return isinstance(given, list) and len(given) <= most


def _is_coordinate(given: Any) -> bool:
    return _is_number(given) and -FARTHEST <= given <= FARTHEST


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _reference(given: Any) -> str:
    """A reference in the spelling that counts; "" where it is none."""
    return normal(given) if isinstance(given, str) and len(given) <= LONGEST_REFERENCE else ""


def _is_flag(given: Any) -> bool:
    return isinstance(given, int | float) and given in (0, 1)
