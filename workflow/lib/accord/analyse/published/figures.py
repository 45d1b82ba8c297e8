"""Tables of published figures: CSV files with what a paper prints, and the arithmetic that it must obey."""

import csv
import io
import re
from pathlib import Path
from typing import NamedTuple

from accord.analyse.published.arithmetic import COMPARISONS
from accord.analyse.published.printed import Range, printed
from accord.errors import Collector

COLUMNS = ["name", "value", "rule", "source"]
REASON = "reason"
WORKED = "="
"""What a value begins with that is not printed, but follows from other figures."""
NAME = re.compile(r"[^\W\d][\w&]*(\.[\w&]+)*")
LARGEST, MOST_ROWS = 5_000_000, 20_000
HINT = f"a header {','.join(COLUMNS)} (or with {REASON} too), then one figure a line; docs/statistics.md describes it"


class Figure(NamedTuple):
    """One line of a table: its name, what its value may stand for (None without one), its rules, its source, and why,
    most likely, a rule of it does not hold ("" if nobody looked). worked: the expression that its value follows from,
    "" of what is printed."""

    line: int
    name: str
    value: Range | None
    rules: tuple[str, ...]
    source: str
    reason: str
    worked: str = ""


def read(file: Path, problems: Collector) -> list[Figure]:
    """The figures of a file; what is wrong with it goes to `problems`."""
    where = str(file)
    if not file.is_file():
        problems.add(where, "is not there", HINT)
        return []
    if file.stat().st_size > LARGEST:
        problems.add(where, f"is larger than {LARGEST:,} bytes", HINT)
        return []
    try:
        lines = list(csv.reader(io.StringIO(file.read_bytes().decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        problems.add(where, f"is no CSV file in UTF-8 ({error})", HINT)
        return []
    if not lines or lines[0] not in (COLUMNS, [*COLUMNS, REASON]) or len(lines) > MOST_ROWS:
        problems.add(where, f"has not the columns {', '.join(COLUMNS)}, or more than {MOST_ROWS:,} rows", HINT)
        return []
    found, seen = [], set()
    for number, cells in enumerate(lines[1:], start=2):
        if cells and len(cells) != len(lines[0]):
            what = f"has {len(cells)} cells, not {len(lines[0])}"
            problems.add(f"{where}, line {number}", what, "put cells with a comma in quotes")
        elif cells and (figure := _figure(f"{where}, line {number}", number, cells, seen, problems)):
            found.append(figure)
            seen.add(figure.name)
    return found


def parts_of(name: str, names: set[str]) -> list[str]:
    """The figures that an intersection is a part of: of `n.a&b` those of `n.a`, `n.b` that there are."""
    start, dot, last = name.rpartition(".")
    own = set(last.split("&"))
    others = {
        other: set(other.removeprefix(start + dot).split("&")) for other in names if other.startswith(start + dot)
    }
    return sorted(other for other, parts in others.items() if parts < own)


def _figure(where: str, line: int, cells: list[str], seen: set[str], problems: Collector) -> Figure | None:
    name, value, rules, source, reason = (cell.strip() for cell in (*cells, "")[: len(COLUMNS) + 1])
    if not NAME.fullmatch(name) or name in COMPARISONS:
        problems.add(where, f"{name!r} is no name", "letters, digits, _ and &, parted by dots, as n.africa&she")
    elif name in seen:
        problems.add(where, f"{name} is there twice", "give each figure a name of its own")
    else:
        try:
            number = printed(value) if value and not value.startswith(WORKED) else None
        except ValueError as error:
            problems.add(where, str(error))
        else:
            split = tuple(rule.strip() for rule in rules.split(";") if rule.strip())
            worked = value.removeprefix(WORKED) if value.startswith(WORKED) else ""
            return Figure(line, name, number, split, source, reason, worked)
    return None
