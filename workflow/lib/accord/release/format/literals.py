"""Values in the cells of FHIBE's tables: Python literals, read without running anything."""

import ast
import math
from typing import Any

import numpy as np

from accord.vocabularies import KEYPOINTS, SEGMENTS, number

LONGEST = 8_000_000
"""Characters. Longer cells are refused before they are parsed; a person's 28 segments take about 100,000."""
NOTHING = ("", "nan", "None")


def literal(text: str) -> Any:
    """The value of a Python literal. Raises ValueError where the text is none, or is too long or deep."""
    if len(text) > LONGEST:
        raise ValueError("is too long")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError("is not a valid Python literal") from None


def labels(text: str) -> list[str]:
    """The labels in a cell that holds a list of them; of one that holds a single label, it alone."""
    if text in NOTHING:
        return []
    values = literal(text) if text.startswith("[") else [text]
    return list(dict.fromkeys(_expect(values, all(isinstance(value, str) for value in values), "a list of labels")))


def box(text: str) -> list[float | None]:
    """x_min, y_min, width, height; four times None in an empty cell."""
    if text in NOTHING:
        return [None] * 4
    values = literal(text)
    fine = isinstance(values, list | tuple) and len(values) == 4 and all(_is_number(v) for v in values)
    return [float(v) for v in _expect(values, fine, "a box [x, y, width, height]")]


def keypoints(text: str) -> list[tuple[int, float, float, bool]]:
    """keypoint, x, y, visible."""
    given = {} if text in NOTHING else literal(text)
    _expect(given, isinstance(given, dict), "an object of keypoints")
    return [_keypoint(name, value) for name, value in given.items()]


def segments(text: str) -> list[tuple[int, int, np.ndarray]]:
    """segment, num, polygon x0, y0, x1, y1, ..."""
    given = [] if text in NOTHING else literal(text)
    _expect(given, isinstance(given, list), "a list of segments")
    return [_segment(value) for value in given]


def integer(text: str) -> int | None:
    """A whole number, also one that is written as 31.0."""
    value = real(text)
    return None if value is None else int(_expect(value, value.is_integer(), "a whole number"))


def real(text: str) -> float | None:
    """A finite number."""
    if text in NOTHING:
        return None
    try:
        value = float(text)
    except ValueError:
        raise ValueError("must contain a number") from None
    return _expect(value, math.isfinite(value), "a finite number")


def boolean(text: str) -> bool:
    """True or False, also 1 or 0."""
    choices = {"True": True, "true": True, "1": True, "False": False, "false": False, "0": False}
    return choices[_expect(text, text in choices, "True or False")]


def _keypoint(name: Any, value: Any) -> tuple[int, float, float, bool]:
    fine = isinstance(value, list | tuple) and len(value) == 3 and all(_is_number(part) for part in value)
    x, y, visible = _expect(value, fine, "keypoints [x, y, visible]")
    return _class(name, len(KEYPOINTS)), float(x), float(y), bool(visible)


def _segment(value: Any) -> tuple[int, int, np.ndarray]:
    _expect(value, isinstance(value, dict) and isinstance(value.get("polygon"), list), "segments with a polygon")
    points = value["polygon"]
    fine = all(isinstance(p, dict) and _is_number(p.get("x")) and _is_number(p.get("y")) for p in points)
    _expect(points, fine and isinstance(value.get("num"), int), "polygons of points x, y, and a whole num")
    flat = np.array([point[axis] for point in points for axis in ("x", "y")], float)
    return _class(value.get("class_name"), len(SEGMENTS)), value["num"], flat


def _class(label: Any, count: int) -> int:
    _expect(label, isinstance(label, str) and label.partition(".")[0].isdecimal(), "numbered labels")
    found = number(label)
    return _expect(found, found < count, "known labels")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _expect(value: Any, fine: bool, what: str) -> Any:
    if not fine:
        raise ValueError(f"must contain {what}")
    return value
