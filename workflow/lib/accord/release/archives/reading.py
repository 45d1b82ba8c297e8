"""Bounded reading of annotation files that others wrote: nothing in them is run, no path leads out of the folder."""

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Collector
from accord.intake.delivered import keys
from accord.text.cells import separated_by

HINT = "see docs/datasets.md for the files that are read, and their formats"
LARGEST = 2**31
MOST_LINES = 20_000_000
LONGEST = 500
MOST_PROBLEMS = 1000


class Bounded(Collector):
    """Problems, of which so many end the reading (a file of another kind has one in each line), and the files read."""

    def __init__(self, hint: str = HINT):
        super().__init__()
        self.files: list[Path] = []
        self.hint = hint

    def add(self, where: str, what: str, hint: str = "", place: object = None) -> None:
        super().add(where, what, hint or self.hint, place)
        if len(self) >= MOST_PROBLEMS:
            raise AccordError(self)


def several(folder: Path, patterns: tuple[str, ...], problems: Bounded, needed: bool = True) -> list[Path]:
    """The files in the folder that match any pattern, in order. A missing, foreign or too large one is a problem."""
    found = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    if needed and not found:
        problems.add(str(folder), f"has no file {' or '.join(patterns)}")
    fine = [path for path in found if _is_fine(path, folder, problems)]
    problems.files += fine
    return fine


def document(path: Path, problems: Bounded) -> Any:
    """What a JSON file holds; None for what is no JSON, or says something of one key twice: one would be lost."""
    try:
        return json.loads(path.read_bytes(), parse_constant=_no_constant, object_pairs_hook=keys.once)
    except KeyError:
        problems.add(str(path), "has a key twice in one object", "give each entry once, with all that belongs to it")
        return None
    except (ValueError, RecursionError) as error:
        place = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        problems.add(f"{path}{place}", f"is not valid JSON ({type(error).__name__})")
        return None


def objects(given: Any, key: str, where: str, problems: Bounded) -> Iterator[tuple[str, dict]]:
    """Place and content of each object of the list `key` of an object; none of what was no JSON."""
    if given is None:
        return
    items = given.get(key) if isinstance(given, dict) else None
    if not isinstance(items, list):
        problems.add(where, f"has no list {key!r}")
        return
    for number, item in enumerate(items):
        place = f"{where}, {key}[{number}]"
        if isinstance(item, dict):
            yield place, item
        else:
            problems.add(place, "is not a JSON object")


def table(path: Path, columns: tuple[str, ...], problems: Bounded) -> Iterator[tuple[str, dict[str, str]]]:
    """Place and cells, by column, of each row of a CSV file that has at least these columns."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = [name.strip() for name in next(reader, [])]
            if sign := separated_by(header):
                problems.add(f"{path}, line 1", f"looks separated by {sign}")
                return
            if missing := [name for name in columns if name not in header]:
                problems.add(f"{path}, line 1", f"lacks the columns {', '.join(missing)}")
                return
            for cells in reader:
                where = f"{path}, line {reader.line_num}"
                if len(cells) == len(header) and reader.line_num <= MOST_LINES:
                    yield where, dict(zip(header, cells, strict=True))
                elif cells:
                    problems.add(where, f"has {len(cells)} cells, not {len(header)}, or is too large")
    except (UnicodeDecodeError, csv.Error) as error:
        problems.add(str(path), f"is not a valid CSV file in UTF-8 ({type(error).__name__})")


def lines(path: Path, problems: Bounded) -> Iterator[tuple[str, str]]:
    """Place and content of each line of a text file, without the white space around it."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if number > MOST_LINES:
                    problems.add(str(path), f"has more than {MOST_LINES:,} lines")
                    return
                yield f"{path}, line {number}", line.strip()
    except UnicodeDecodeError:
        problems.add(str(path), "is not valid UTF-8 text")


def numbers(value: Any, count: int | None = None) -> list[float] | None:
    """A list of finite numbers, `count` of them if that is said; None for anything else."""
    if not isinstance(value, list) or (count is not None and len(value) != count):
        return None
    return [float(one) for one in value] if all(is_number(one) for one in value) else None


def is_number(value: Any) -> bool:
    """Whether a value of a JSON file is a finite number that is no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15


def number(text: str) -> float | None:
    """The finite number that a cell holds, in ASCII and without `_`, which Python alone reads; None for all else."""
    try:
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _is_fine(path: Path, folder: Path, problems: Bounded) -> bool:
    if not path.resolve().is_relative_to(folder.resolve()):
        problems.add(str(path), "is a link to outside the folder")
    elif path.stat().st_size > LARGEST:
        problems.add(str(path), f"is larger than {LARGEST:,} bytes")
    else:
        return True
    return False


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")
