"""A video's file of boxes: where its subjects are over time, so that they are not painted out of it."""

import json
import math
from typing import Any, NamedTuple

import numpy as np

from accord.imaging.coordinates import SHARES, corners_of, unit
from accord.intake.reading.annotations import FARTHEST, LONGEST_REFERENCE, MAX_PEOPLE
from accord.text import unicode
from accord.text.references import normal

KINDS = ("face", "person")
NUMBERS = ("seconds", "x", "y", "width", "height")


class Drawn(NamedTuple):
    """Boxes of a subject (the vendor's reference): kind, seconds, x, y, width, height."""

    subject: str
    boxes: list[tuple[str, float, float, float, float, float]]


class BoxesError(Exception):
    """A file that can't be used; the text says why without quoting it."""


def parse(data: bytes, image: str) -> list[Drawn]:
    """The boxes in a file about the video `image` (the vendor's reference).

    Raises BoxesError where anything in it is broken: a box that is left out would paint its subject over.
    """
    document = _json(data)
    if not isinstance(document, dict) or document.keys() != {"image", "people"}:
        raise BoxesError("the file is not a JSON object with `image` and `people` alone")
    if _reference(document["image"]) != image:
        raise BoxesError("the file is about another video")
    people = document["people"]
    if not isinstance(people, list) or len(people) > MAX_PEOPLE:
        raise BoxesError(f"`people` is not a list of at most {MAX_PEOPLE}")
    found = [_drawn(given, number) for number, given in enumerate(people, 1)]
    if len({one.subject for one in found}) < len(found):
        raise BoxesError("a person is given twice")
    corners = corners_of(np.array([box[2:] for one in found for box in one.boxes], float))
    if unit(corners, width=0, height=0) == SHARES:
        raise BoxesError("all boxes lie within one pixel: they look like shares of the frame's sides; px are needed")
    return found


def _json(data: bytes) -> Any:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BoxesError(f"the file is not valid JSON ({type(error).__name__})") from None
    if wrong := unicode.fault_within(document):
        raise BoxesError(f"a text in the file {wrong}")
    return document


def _drawn(given: Any, number: int) -> Drawn:
    if not isinstance(given, dict) or not given.keys() <= {"subject", *KINDS} or not _reference(given.get("subject")):
        raise BoxesError(f"person {number} has no subject, or has a key besides subject, face and person")
    boxes = []
    for kind in KINDS:
        listed = given.get(kind, [])
        if not isinstance(listed, list) or not all(map(_is_box, listed)):
            raise BoxesError(f"a {kind} box of person {number} is not [{', '.join(NUMBERS)}] in seconds and px")
        if len({box[0] for box in listed}) < len(listed):
            raise BoxesError(f"person {number} has two {kind} boxes at one time")
        boxes += [(kind, *map(float, box)) for box in listed]
    return Drawn(_reference(given["subject"]), boxes)


def _is_box(given: Any) -> bool:
    if not isinstance(given, list) or len(given) != len(NUMBERS):
        return False
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) <= FARTHEST for n in given):
        return False
    seconds, _, _, width, height = given
    return not math.isnan(sum(given)) and seconds >= 0 and width > 0 and height > 0


def _reference(given: Any) -> str:
    """A reference in the spelling that counts; "" where it is none."""
    return normal(given) if isinstance(given, str) and len(given) <= LONGEST_REFERENCE else ""
