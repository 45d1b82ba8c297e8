"""The CSV tables of a delivery: their columns, and their rows as dicts of text."""

import csv
import io
from collections.abc import Iterable
from typing import NamedTuple

from accord.errors import Collector
from accord.intake.place import Place
from accord.references import normal
from accord.vocabularies import ATTRIBUTES, IMAGE, PERSON

SEPARATOR = "|"
LONGEST_CELL = 10_000


class Sheet(NamedTuple):
    """The columns of a table. `key`: together unique; `required`: the header must have them; `optional`: it may."""

    key: tuple[str, ...]
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


_OF_IMAGES = tuple(a.name for a in ATTRIBUTES.values() if a.of == IMAGE)
_OF_PEOPLE = tuple(a.name for a in ATTRIBUTES.values() if a.of == PERSON and a.name != "country_of_residence")

SHEETS: dict[str, Sheet] = {
    "images.csv": Sheet(
        ("image",),
        ("image", "file", "sha256", "annotations", "annotations_sha256", "subject", "user_date_captured"),
        ("location_country", "location_region", "user_hour_captured", *_OF_IMAGES),
    ),
    "people.csv": Sheet(("image", "subject"), ("image", "subject", "is_primary"), _OF_PEOPLE),
    "annotated.csv": Sheet(
        ("image", "subject", "attribute"), ("image", "subject", "attribute", "annotator"), ("qa_annotator",)
    ),
    "subjects.csv": Sheet(("subject",), ("subject", "birth_date"), ("country_of_residence",)),
    "annotators.csv": Sheet(
        ("annotator",), ("annotator", "role", "consents"), ("pronoun", "age_group", "ancestry", "nationality")
    ),
    "forms.csv": Sheet(
        ("form",),
        ("form", "kind", "party", "subject", "image", "scopes", "signed_on", "expires_on", "notice", "file", "sha256"),
        ("language",),
    ),
}
BLANK_KEYS = {("annotated.csv", "subject")}
"""Key columns that may be empty: an attribute of the image as a whole."""

NAMING = frozenset({"image", "subject", "form", "annotator", "qa_annotator", "notice"})
"""Columns that hold references."""
BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
"""Truth values without case: a spreadsheet writes TRUE."""


class Row(dict[str, str]):
    """The cells of a row by column, references in the one spelling that counts.

    table, line: where it stands; spelled: column -> reference, where it was written in another spelling; others: column
    -> the row of another table that it was taken from.
    """

    def __init__(self, cells: dict[str, str], table: str = "", line: int = 0):
        super().__init__(cells)
        self.table, self.line = table, line
        self.spelled: dict[str, str] = {}
        self.others: dict[str, Row] = {}

    def place(self, column: str, labels: Iterable[str] = (), value: str | None = None) -> Place:
        """Where a cell stands; `value`: the part of it that is meant, else all."""
        row = self.others.get(column, self)
        return Place(row.table, row.line, column, self[column] if value is None else value, tuple(labels))

    def joined(self, **others: "Row") -> "Row":
        """The row with columns of other rows, by their names."""
        made = Row({**self, **{column: row[column] for column, row in others.items()}}, self.table, self.line)
        made.spelled, made.others = self.spelled, others
        return made


def parse(name: str, data: bytes, problems: Collector) -> list[Row]:
    """The rows of one table, each with all columns of its sheet; what is wrong with its form goes to `problems`."""
    sheet = SHEETS[name]
    try:
        lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        hint = "write UTF-8, commas, and quotes around cells that hold commas or quotes"
        problems.add(name, f"is no CSV in UTF-8 ({type(error).__name__})", hint)
        return []
    if not lines or not _header_fits(name, lines[0], problems):
        if not lines:
            problems.add(name, "is empty", f"its first line names the columns: {','.join(sheet.required)}")
        return []
    rows = {n: row for n, cells in enumerate(lines[1:], 2) if (row := _row(name, n, lines[0], cells, problems))}
    _check_keys(name, rows, problems)
    return list(rows.values())


def values(cell: str) -> list[str]:
    """The values of a cell that holds a list, without empty ones and repetitions, in the order given."""
    return list(dict.fromkeys(part.strip() for part in cell.split(SEPARATOR) if part.strip()))


def boolean(cell: str) -> bool | None:
    """The truth value of a cell; None where it is none."""
    return BOOLEANS.get(cell.casefold())


def _header_fits(name: str, header: list[str], problems: Collector) -> bool:
    sheet = SHEETS[name]
    known = {*sheet.required, *sheet.optional}
    missing = [column for column in sheet.required if column not in header]
    unknown = [column for column in header if column not in known]
    for column in missing:
        problems.add(name, f"has no column {column!r}", "docs/delivery.md lists the columns of each table")
    for number in [i for i, column in enumerate(header, 1) if column not in known]:
        place = Place(name, 1, "", header[number - 1], tuple(sorted(known)))
        problems.add(name, f"column {number} is not known", f"its columns can be: {', '.join(sorted(known))}", place)
    if len(set(header)) < len(header):
        problems.add(name, "has a column twice", "remove one of them")
        return False
    return not missing and not unknown


def _row(name: str, number: int, header: list[str], cells: list[str], problems: Collector) -> Row | None:
    if not any(cells):
        return None
    if len(cells) != len(header):
        problems.add(f"{name}:{number}", f"has {len(cells)} cells instead of {len(header)}", "quote cells with commas")
        return None
    if any(len(cell) > LONGEST_CELL or "\0" in cell for cell in cells):
        problems.add(f"{name}:{number}", "has a cell that is too long or not text", f"at most {LONGEST_CELL} letters")
        return None
    return row_of(name, header, cells, number)


def row_of(name: str, header: list[str], cells: list[str], line: int = 0) -> Row:
    """The row of a table that some cells are, with all columns of its sheet."""
    given = dict(zip(header, (cell.strip() for cell in cells), strict=True))
    found = {column: given.get(column, "") for column in (*SHEETS[name].required, *SHEETS[name].optional)}
    plain = {column: normal(found[column]) for column in NAMING & found.keys()}
    row = Row({**found, **plain}, name, line)
    row.spelled = {column: found[column] for column, reference in plain.items() if reference != found[column]}
    return row


def _check_keys(name: str, rows: dict[int, Row], problems: Collector) -> None:
    """`rows` by their lines: what a key holds can be personal, and stays out of messages."""
    key, seen = SHEETS[name].key, {}
    for line, row in rows.items():
        blank = [column for column in key if not row[column] and (name, column) not in BLANK_KEYS]
        if blank:
            problems.add(f"{name}:{line}", f"has no {' and no '.join(blank)}", "every row needs one")
        first = seen.setdefault(tuple(row[column] for column in key), line)
        if first != line:
            problems.add(f"{name}:{line}", f"gives again what line {first} gives", "keep one of the rows")
