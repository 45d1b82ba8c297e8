"""What people said in Label Studio: the annotations in a file of its JSON, which is not to be trusted.

Raises no error on the first thing that is wrong: all of it is told at once, by its place in the file.
"""

import json
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from accord.errors import AccordError, Collector, Problem
from accord.queues import DECISIONS
from accord.review.drawn.outlines import Region
from accord.review.labelstudio.json_format import POLYGON, RECTANGLE, Handed
from accord.text import unicode

MOST_BYTES, MOST_TASKS = 1 << 26, 100_000
FAR = 1e6
"""Percent: no corner lies farther away."""
SAID = ("choices", "textarea", "text")
BRUSH = "draw rectangles or polygons: brush strokes (RLE) are not supported"
SHAPE = "draw rectangles or polygons"


class Answer(NamedTuple):
    """What an annotation of a task says. `where`: for messages; `by`: who made it, as Label Studio knows them; `rules`:
    whether it is a ground truth, by which a dispute is decided."""

    where: str
    name: str
    by: str
    decision: str
    note: str
    rules: bool
    results: tuple[dict, ...]


def answers(data: bytes) -> tuple[list[Answer], int, list[Problem]]:
    """The annotations in a file that Label Studio exported, how many were cancelled, and all that is wrong with it.

    Raises AccordError where it is no such file.
    """
    problems, found, cancelled = Collector(), [], 0
    for number, one in enumerate(_tasks(data), 1):
        where = f"task {number}"
        made = one.get("annotations") if isinstance(one, dict) else None
        name = one["data"].get("task") if isinstance(made, list) and isinstance(one.get("data"), dict) else None
        if not isinstance(made, list) or not isinstance(name, str):
            problems.add(
                where, "was not exported by Accord", "its data must have `task`, and it must have `annotations`"
            )
            continue
        for count, each in enumerate(made, 1):
            if isinstance(each, dict) and each.get("was_cancelled") is True:
                cancelled += 1
            elif (answer := _answer(f"{where}, annotation {count}", name, each, problems)) is not None:
                found.append(answer)
    return found, cancelled, problems


def regions(answer: Answer, handed: Handed, problems: Collector) -> list[Region]:
    """The regions of an answer, in px. All that is wrong with them is added to the problems."""
    found = []
    for number, result in enumerate(answer.results, 1):
        where = f"{answer.where}, result {number}"
        value: Any = result.get("value")
        of = result.get("type")
        labels = value.get(of) if isinstance(value, dict) and isinstance(of, str) else None
        size = (result.get("original_width", handed.width), result.get("original_height", handed.height))
        turned = result.get("image_rotation", 0) != 0
        if of not in (RECTANGLE, POLYGON):
            problems.add(where, "is not a supported shape", BRUSH if of == "brushlabels" else SHAPE)
        elif not (isinstance(labels, list) and len(labels) == 1 and isinstance(labels[0], str)):
            problems.add(where, "has no label, or several", "give each region one label")
        elif turned or not _same_shape(size, handed):
            problems.add(
                where, "was drawn on a picture of a different size or orientation", "use the exported pictures"
            )
        elif (corners := _corners(of, value, handed)) is None:
            problems.add(where, "has no valid corners", "coordinates must be in percent of the picture's sides")
        else:
            found.append(Region(labels[0], _inside(corners, handed)))
    return found


def _tasks(data: bytes) -> list:
    """The tasks of a file. Raises AccordError where it is too long, no JSON, or no list."""
    hint = "export the project from Label Studio as JSON, not JSON-MIN"
    if len(data) > MOST_BYTES:
        raise AccordError(Problem("file", f"is longer than {MOST_BYTES} bytes", "export it in parts"))
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise AccordError(Problem("file", "is not valid JSON", hint)) from None
    if wrong := unicode.fault_within(found):
        raise AccordError(Problem("file", f"a text in it {wrong}", "rewrite the text"))
    if not isinstance(found, list) or len(found) > MOST_TASKS:
        raise AccordError(Problem("file", f"is not a list of up to {MOST_TASKS} tasks", hint))
    return found


def _answer(where: str, name: str, made: Any, problems: Collector) -> Answer | None:
    results = made.get("result") if isinstance(made, dict) else None
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        problems.add(where, "is not a valid annotation", "it must have a list `result`")
        return None
    chosen = [one for one in results if one.get("type") == SAID[0]]
    written = [one for one in results if one.get("type") in SAID[1:]]
    decision, note = _only(chosen, "choices"), _only(written, "text") if written else ""
    if decision not in DECISIONS:
        problems.add(where, "has no decision, or several", f"use one of {', '.join(DECISIONS)}")
    if note is None:
        problems.add(where, "has several notes, or one that is not text", "write one note")
    if decision not in DECISIONS or note is None:
        return None
    by = made.get("completed_by")
    by = by.get("email", by.get("id", "")) if isinstance(by, dict) else by
    who = str(by) if isinstance(by, int | str) and not isinstance(by, bool) else ""
    rules = made.get("ground_truth") is True
    return Answer(where, name, who, decision, note, rules, tuple(one for one in results if one.get("type") not in SAID))


def _only(results: list[dict], of: str) -> str | None:
    """The one text that results have, None where there are several or none."""
    value = results[0].get("value") if len(results) == 1 else None
    said = value.get(of) if isinstance(value, dict) else None
    said = [said] if isinstance(said, str) else said
    return said[0] if isinstance(said, list) and len(said) == 1 and isinstance(said[0], str) else None


def _same_shape(size: tuple[Any, Any], handed: Handed) -> bool:
    """Whether a picture's sides are those of the picture that was handed out, or of a smaller or larger copy of it."""
    if not _numbers(size) or min(size) <= 0:
        return False
    return abs(size[0] * handed.height - size[1] * handed.width) <= 0.01 * size[0] * handed.height


def _corners(of: str, value: dict, handed: Handed) -> list[tuple[float, float]] | None:
    """The corners of a shape, px; None where they can't be read. A rectangle turns about its top left corner."""
    across, down = handed.width / 100, handed.height / 100
    if of == POLYGON:
        points = value.get("points")
        if not isinstance(points, list) or not all(isinstance(p, list) and len(p) == 2 and _numbers(p) for p in points):
            return None
        return [(x * across, y * down) for x, y in points]
    sides = [value.get(name, 0 if name == "rotation" else None) for name in ("x", "y", "width", "height", "rotation")]
    if not _numbers(sides):
        return None
    x, y, width, height = (at * by for at, by in zip(sides[:4], (across, down) * 2, strict=True))
    turn = math.radians(sides[4])
    right, below = (width * math.cos(turn), width * math.sin(turn)), (-height * math.sin(turn), height * math.cos(turn))
    ends = ((0, 0), right, (right[0] + below[0], right[1] + below[1]), below)
    return [(x + dx, y + dy) for dx, dy in ends]


def _numbers(values: Iterable[Any]) -> bool:
    return all(isinstance(at, int | float) and not isinstance(at, bool) and -FAR <= at <= FAR for at in values)


def _inside(corners: list[tuple[float, float]], handed: Handed) -> tuple[float, ...]:
    """Corners as one list, those beyond the picture's edge on it; to a hundredth of a pixel, as they are kept."""
    sides = (handed.width, handed.height)
    return tuple(
        round(min(max(float(at), 0.0), side), 2) for corner in corners for at, side in zip(corner, sides, strict=True)
    )
