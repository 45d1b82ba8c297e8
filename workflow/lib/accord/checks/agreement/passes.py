"""Further passes of annotation: CSV files of what more annotators, or reviewers elsewhere, drew of delivered images.

Columns: vendor, delivery, image, subject (the vendor's references, as in the delivery; `subject` empty of what is said
of the image), annotator, works_for (a vendor; empty of reviewers), role, kind, part, value, polygon (numbers parted by
spaces). See the table Marks for the rest.
"""

import math
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from accord.checks.agreement.marks import DRAWN, FACE_BOX, HIDDEN, KEYPOINTS, PERSON_BOX, VISIBLE
from accord.checks.tables.agreement import REVIEWER, ROLES, Marks
from accord.engine import table
from accord.errors import Collector, all_problems
from accord.shards import opaque_id
from accord.text import cells
from accord.text.references import normal
from accord.vocabularies import ATTRIBUTES

COLUMNS = (
    *("vendor", "delivery", "image", "subject", "annotator", "works_for", "role"),
    *("kind", "part", "value", "polygon"),
)
NAMING = ("vendor", "delivery", "image", "subject", "annotator", "works_for")
LARGEST = 1_000_000_000
"""Bytes of the largest file that is read."""
MOST_NUMBERS = 100_000
HINT = f"the columns must be {', '.join(COLUMNS)} (docs/checks-samples.md)"


def read(paths: Iterable[Path]) -> pd.DataFrame:
    """Table Marks of all files. Raises AccordError with everything that is wrong, by file and line."""
    rows: list[tuple] = []
    with all_problems() as problems:
        for number, path in enumerate(paths):
            where = f"checks.passes[{number}]"
            for line, given in _lines(Path(path), where, problems):
                if (row := _row(given, f"{where}:{line}", problems)) is not None:
                    rows.append(row)
        keys = [(*row[:3], *row[5:8]) for row in rows]
        if len(set(keys)) < len(keys):
            problems.add("checks.passes", f"{len(keys) - len(set(keys))} duplicate row(s)", "remove the duplicates")
    return table.rows(rows, Marks)


def _lines(path: Path, where: str, problems: Collector):
    try:
        if path.stat().st_size > LARGEST:
            raise OSError
        lines = cells.lines(path.read_bytes())
    except OSError as error:
        problems.add(where, f"can't be read as a file of annotations ({type(error).__name__})", HINT)
        return
    except ValueError as error:
        problems.add(where, str(error), HINT)
        return
    if not lines or tuple(lines[0]) != COLUMNS:
        problems.add(where, "has the wrong columns", HINT)
        return
    for number, row in enumerate(lines[1:], 2):
        if row and len(row) != len(COLUMNS):
            problems.add(f"{where}:{number}", f"has {len(row)} cells instead of {len(COLUMNS)}", HINT)
        elif row:
            given = dict(zip(COLUMNS, (cell.strip() for cell in row), strict=True))
            yield number, given | {name: normal(given[name]) for name in NAMING}


def _row(given: dict[str, str], where: str, problems: Collector) -> tuple | None:
    """A row of Marks; None where something is wrong with it."""
    before = len(problems)
    kind, polygon = given["kind"], _numbers(given["polygon"])
    if kind not in DRAWN and kind not in ATTRIBUTES:
        problems.add(where, "has an unknown kind", f"use one of {', '.join(DRAWN)}, or the name of an attribute")
    elif not _fits(kind, given["value"], polygon):
        problems.add(where, "has a value or polygon that does not match its kind", "see docs/checks-samples.md")
    if given["role"] not in ROLES or (given["role"] == REVIEWER) != (not given["works_for"]):
        problems.add(where, "has no matching role", "an annotator has works_for, a reviewer has not")
    if not given["part"].isascii() or not given["part"].isdigit() or len(given["part"]) > 5:
        problems.add(where, "has a part that is not a number", "use 0, or the number of the keypoint or polygon")
    if not all(given[name] for name in ("vendor", "delivery", "image", "annotator")):
        problems.add(
            where, "lacks a vendor, delivery, image or annotator", "fill in vendor, delivery, image and annotator"
        )
    if len(problems) > before:
        return None
    image = opaque_id(given["vendor"], given["delivery"], given["image"])
    subject = opaque_id(given["vendor"], given["subject"]) if given["subject"] else ""
    by = opaque_id(given["works_for"] or given["vendor"], given["annotator"])
    return (image, subject, by, given["works_for"], given["role"], kind, int(given["part"]), given["value"], polygon)


def _numbers(cell: str) -> list[float] | None:
    """The numbers of a cell; None where one is none."""
    words = cell.split()
    try:
        found = [float(word) for word in words[: MOST_NUMBERS + 1]]
    except ValueError:
        return None
    return found if len(found) <= MOST_NUMBERS and all(map(math.isfinite, found)) else None


def _fits(kind: str, value: str, polygon: list[float] | None) -> bool:
    if polygon is None:
        return False
    if kind in ATTRIBUTES:
        labels = ATTRIBUTES[kind].labels
        return not polygon and (value in labels if labels else bool(value))
    if kind == KEYPOINTS:
        return len(polygon) == 2 and value in (VISIBLE, HIDDEN)
    least = 4 if kind in (FACE_BOX, PERSON_BOX) else 6
    return value == "" and len(polygon) >= least and len(polygon) % 2 == 0
