"""The rows of a CSV table of a delivery, and what is wrong with its form."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

from accord.errors import Collector
from accord.intake.delivered.place import Place
from accord.intake.delivered.row import Row, row_of
from accord.intake.delivered.sheets import BLANK_KEYS, SHEETS
from accord.text import unicode
from accord.text.cells import SAVE_AGAIN, is_blank, separated_by, separator_line, unreadable

LONGEST_CELL = 10_000
LONGEST_RECORD = 1 << 20
"""Letters of a row, with the line ends in its quotes."""

MOST_ROWS = 400_000
"""Rows of a table, blank ones too: each takes half a KiB of memory wherever a delivery is read."""

MOST_ROWS_OF = {"forms.csv": 100_000, "annotators.csv": 10_000}
"""Fewer rows of tables that can go to every shard."""

UNNAMED_SHOWN = 5

MOST_PROBLEMS = 100
"""Problems with the form of a table after which it isn't read on."""


def parse(name: str, data: bytes, problems: Collector) -> list[Row]:
    """The rows of one table, each with all columns of its sheet; what is wrong with its form goes to `problems`."""
    found, lines = _Found(problems), _Lines(data)
    reader = csv.reader(lines, strict=True)
    rows: dict[int, Row] = {}
    records = _records(reader, lines)
    try:
        header = next(records, None)
        if _header_fits(name, header, found) and header is not None:
            rows = _rows(name, header, records, found)
    except (UnicodeDecodeError, csv.Error) as error:
        first = data.partition(b"\n")[0].decode(errors="replace")
        if lines.record > 1 or _has_commas(name, [first], found):
            wrong = unreadable(data, error, lines.record)
            found.add(wrong.place(name), wrong.what, wrong.hint)
        rows = {}
    _check_keys(name, rows, found)
    if len(found) >= MOST_PROBLEMS:
        found.add(name, f"has more than {MOST_PROBLEMS - 1} problems; the rest was not read", "fix these first")
    return list(rows.values())


class _Found:
    """The problems of one table, counted, and handed on."""

    def __init__(self, problems: Collector):
        self._problems, self._count = problems, 0

    def add(self, where: str, what: str, hint: str = "", place: Place | None = None) -> None:
        self._problems.add(where, what, hint, place)
        self._count += 1

    def __len__(self) -> int:
        return self._count


TOO_LONG = f"a row of more than {LONGEST_RECORD:,} letters: a quote that isn't closed?"


class _Lines:
    """The lines of a table, read as they are needed. `left`: letters that the row may still have; `record`: the number
    of the line that it begins with."""

    def __init__(self, data: bytes):
        self._text, self.left = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline=""), LONGEST_RECORD
        self.record = 1

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._text.readline(self.left + 1)
        self.left -= len(line)
        if not line:
            raise StopIteration
        if self.left < 0:
            raise csv.Error(TOO_LONG)
        return line


def _records(reader: Any, lines: _Lines) -> Iterator[list[str]]:
    for cells in reader:
        lines.left, lines.record = LONGEST_RECORD, reader.line_num + 1
        yield cells


def _rows(name: str, header: list[str], records: Iterator[list[str]], problems: _Found) -> dict[int, Row]:
    """Number -> row, the header being number 1; to the end of the table, or until it has too much of anything."""
    rows: dict[int, Row] = {}
    most = min(MOST_ROWS, MOST_ROWS_OF.get(name, MOST_ROWS))
    for number, cells in enumerate(records, 2):
        if number > most + 1:
            problems.add(name, f"has more than {most} rows", "split it into several deliveries")
            break
        if row := _row(name, number, header, cells, problems):
            rows[number] = row
        if len(problems) >= MOST_PROBLEMS:
            break
    return rows


def _header_fits(name: str, header: list[str] | None, problems: _Found) -> bool:
    sheet = SHEETS[name]
    if header is None:
        problems.add(name, "is empty", f"its first line names the columns: {','.join(sheet.required)}")
        return False
    if "\0" in "".join(header):
        problems.add(name, "is not valid CSV in UTF-8 (it has zero bytes: UTF-16, or no text)", SAVE_AGAIN)
        return False
    if separator_line(",".join(header[:LONGEST_CELL])):
        problems.add(name, "begins with Excel's line `sep=`", "delete that line, or run `accord delivery seal`")
        return False
    if not _has_commas(name, header, problems):
        return False
    known = {*sheet.required, *sheet.optional}
    capitals = [column for column in header if column not in known and column.lower() in known]
    if capitals:
        place = Place(name, 1, "", ",".join(capitals))
        problems.add(name, "columns are written in lower case", "write its first line in small letters", place)
        header = [column.lower() if column in capitals else column for column in header]
    missing = [column for column in sheet.required if column not in header]
    unknown = list(islice((i for i, column in enumerate(header, 1) if column not in known), MOST_PROBLEMS))
    for column in missing:
        problems.add(name, f"has no column {column!r}", "docs/delivery.md lists the columns of each table")
    hint = f"its columns can be: {', '.join(sorted(known))}"
    unnamed = [str(number) for number in unknown if not header[number - 1].strip()]
    if unnamed:
        more = f" and {len(unnamed) - UNNAMED_SHOWN} more" if len(unnamed) > UNNAMED_SHOWN else ""
        named = f"column{'s' if len(unnamed) > 1 else ''} {', '.join(unnamed[:UNNAMED_SHOWN])}{more}"
        problems.add(name, f"{named} of the first line have no name", "delete the empty columns")
    for number in (number for number in unknown if header[number - 1].strip()):
        place = Place(name, 1, "", header[number - 1], tuple(sorted(known)))
        problems.add(name, f"column {number} is not known", hint, place)
    names = [column for column in header if column.strip()]
    if len(set(names)) < len(names):
        problems.add(name, "has a column twice", "remove one of them")
        return False
    return not missing and not unknown and not capitals


def _has_commas(name: str, header: list[str], problems: _Found) -> bool:
    if sign := separated_by(header):
        problems.add(name, f"looks separated by {sign}", "save it as CSV with commas")
    return not sign


def _row(name: str, number: int, header: list[str], cells: list[str], problems: _Found) -> Row | None:
    if is_blank(cells):
        return None
    if len(cells) != len(header):
        problems.add(f"{name}:{number}", f"has {len(cells)} cells instead of {len(header)}", "quote cells with commas")
        return None
    # All cells at once first: of a million rows, hardly any has one that is not plain.
    text = "".join(cells)
    if len(text) <= LONGEST_CELL and text.isascii() and "\0" not in text:
        return row_of(name, header, cells, number)
    if any(len(cell) > LONGEST_CELL or "\0" in cell for cell in cells):
        problems.add(f"{name}:{number}", "has a cell that is too long or not text", f"at most {LONGEST_CELL} letters")
        return None
    for column, cell in zip(header, cells, strict=True):
        if wrong := unicode.fault(cell):
            place = Place(name, number, column, "")
            problems.add(f"{name}:{number}", f"a cell {wrong}", "type the text again", place)
            return None
    return row_of(name, header, cells, number)


def _check_keys(name: str, rows: dict[int, Row], problems: _Found) -> None:
    """`rows` by their lines: what a key holds can be personal, and stays out of messages."""
    key, seen = SHEETS[name].key, {}
    for line, row in rows.items():
        if len(problems) >= MOST_PROBLEMS:
            break
        blank = [column for column in key if not row[column] and (name, column) not in BLANK_KEYS]
        if blank:
            problems.add(f"{name}:{line}", f"has no {' and no '.join(blank)}", "every row needs one")
        first = seen.setdefault(tuple(row[column] for column in key), line)
        if first != line:
            problems.add(f"{name}:{line}", f"duplicates line {first}", "remove one of the rows")
