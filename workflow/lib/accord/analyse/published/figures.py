"""Tables of published figures: CSV files with what a paper prints, and the arithmetic that it must obey."""

import re
from pathlib import Path
from typing import NamedTuple

from accord.analyse.published.arithmetic import COMPARISONS
from accord.analyse.published.printed import Range, printed
from accord.errors import Collector
from accord.text.cells import lines

COLUMNS = ["name", "value", "rule", "source"]
REASON = "reason"
WORKED = "="
"""What a value begins with that is not printed, but follows from other figures."""
NAME = re.compile(r"[^\W\d][\w&]*(\.[\w&]+)*")
LARGEST, MOST_ROWS = 5_000_000, 20_000
HINT = f"a header {','.join(COLUMNS)} (or with {REASON} too), then one figure per line; see docs/published-figures.md"


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
        problems.add(where, "does not exist", HINT)
        return []
    if file.stat().st_size > LARGEST:
        problems.add(where, f"is larger than {LARGEST:,} bytes", HINT)
        return []
    try:
        header, *below = lines(file.read_bytes()) or [[]]
    except ValueError as error:
        problems.add(where, str(error), HINT)
        return []
    if header not in (COLUMNS, [*COLUMNS, REASON]):
        problems.add(where, f"must have the columns {', '.join(COLUMNS)}", HINT)
        return []
    if len(below) > MOST_ROWS:
        problems.add(
            where, f"has more than {MOST_ROWS:,} rows; only the first are read", "split it into several tables"
        )
    seen: set[str] = set()
    numbered = enumerate(below[:MOST_ROWS], start=2)
    return [
        _figure(f"{where}, line {number}", number, cells, len(header), seen, problems)
        for number, cells in numbered
        if cells
    ]


def parts_of(name: str, names: set[str]) -> list[str]:
    """The figures that an intersection is a part of: of `n.a&b` those of `n.a`, `n.b` that there are."""
    start, dot, last = name.rpartition(".")
    own = set(last.split("&"))
    others = {
        other: set(other.removeprefix(start + dot).split("&")) for other in names if other.startswith(start + dot)
    }
    return sorted(other for other, parts in others.items() if parts < own)


def _figure(where: str, line: int, cells: list[str], wide: int, seen: set[str], problems: Collector) -> Figure:
    """A line as it can be read: what is wrong with it is told, and its name is there for the rules of others."""
    name, value, rules, source, reason = [*map(str.strip, cells), *[""] * len(COLUMNS)][: len(COLUMNS) + 1]
    if not NAME.fullmatch(name) or name in COMPARISONS:
        problems.add(
            where, f"{name!r} is not a valid name", "letters, digits, _ and &, separated by dots, such as n.africa&she"
        )
    elif name in seen:
        problems.add(where, f"{name} is duplicated", "give each figure a unique name")
    seen.add(name)
    if len(cells) != wide:
        problems.add(where, f"has {len(cells)} cells, not {wide}", "put cells with a comma in quotes")
        return Figure(line, name, None, (), "", "")
    split = tuple(rule.strip() for rule in rules.split(";") if rule.strip())
    if value.startswith(WORKED):
        return Figure(line, name, None, split, source, reason, value.removeprefix(WORKED))
    return Figure(line, name, _printed(where, value, problems), split, source, reason)


def _printed(where: str, value: str, problems: Collector) -> Range | None:
    try:
        return printed(value) if value else None
    except ValueError as error:
        problems.add(where, str(error))
        return None
