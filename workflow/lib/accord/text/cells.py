"""CSV files of others: what they are read as, what they are instead, and cells longer than the csv module's limit."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def longest(letters: int) -> Iterator[None]:
    """In the block, cells may have so many letters."""
    before = csv.field_size_limit(letters)
    try:
        yield
    finally:
        csv.field_size_limit(before)


SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
BETWEEN_WORDS = ";\t"
"""Separators that a header with other separators hardly ever has."""
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?,*\r?\n?\Z', re.IGNORECASE)
"""Excel's own first line, which names the separator; with the commas that another spreadsheet adds to it."""
OTHER_FORMATS = {
    b"\xff\xfe": "it is UTF-16",
    b"\xfe\xff": "it is UTF-16",
    b"PK\x03\x04": "it is an Excel or ZIP file",
    b"\xd0\xcf\x11\xe0": "it is an Excel file",
    b"PAR1": "it is a Parquet file",
    b"\x1f\x8b": "it is a gzip file",
    b"SQLite format 3": "it is a SQLite database",
}
"""What files begin with that are no CSV, and what they are."""
SAVE_AGAIN = 'save it as "CSV UTF-8"'
QUOTES = "quote cells that hold commas, quotes or line ends, and double the quotes in them"
NOT_CLOSED = "a quote that isn't closed"


class NotCsvError(ValueError):
    """A file that can't be read as CSV in UTF-8: what it is, a hint, the line (0: the file as a whole), and the
    separator that it seems to have instead of the expected one."""

    def __init__(self, what: str, hint: str = SAVE_AGAIN, line: int = 0, separator: str = ""):
        self.what, self.hint, self.line, self.separator = what, hint, line, separator
        super().__init__(what.replace("(", f"(line {line}: ", 1) if line else what)

    def place(self, name: str) -> str:
        """Where it is, for a problem: the file, and the line if it is one."""
        return f"{name}:{self.line}" if self.line else name


def separated_by(header: list[str], delimiter: str = ",") -> str:
    """What a table seems to be separated by, if its header shows that it isn't what was expected; else ""."""
    text, expected = "".join(header), len(header) - 1
    for sign, name in SEPARATORS.items():
        count = text.count(sign) if sign != delimiter else 0
        if count and (not expected or (sign in BETWEEN_WORDS and count > expected)):
            return name
    return ""


def is_blank(cells: Iterable[str]) -> bool:
    """Whether all cells are empty, as spreadsheets export rows and columns that were deleted."""
    return not any(map(str.strip, cells))


def separator_line(line: str) -> str:
    """The separator that Excel's first line, such as `sep=;`, names; "" for any other line."""
    found = SEPARATOR_LINE.match(line)
    return found[1] if found else ""


def unreadable(data: bytes, error: UnicodeError | csv.Error, line: int = 0) -> NotCsvError:
    """Why a file can't be read as CSV in UTF-8, of what Python raised; line: where the record that it raised begins."""
    if isinstance(error, csv.Error):
        why = NOT_CLOSED if str(error) == "unexpected end of data" else str(error)
        return NotCsvError(f"is not valid CSV in UTF-8 ({why})", QUOTES, line)
    if kind := _other_format(data):
        return NotCsvError(f"is not valid CSV in UTF-8 ({kind})")
    try:
        data.decode()
    except UnicodeDecodeError as first:
        line, byte = data.count(b"\n", 0, first.start) + 1, data[first.start]
        hint = f"{SAVE_AGAIN}; it looks like an older encoding, such as Windows-1252"
        return NotCsvError(f"is not valid CSV in UTF-8 (byte 0x{byte:02x})", hint, line)
    return NotCsvError("is not valid CSV in UTF-8")


def _other_format(data: bytes) -> str:
    """What a file is that is no text in an encoding of bytes; "" where it may be one."""
    known = next((kind for start, kind in OTHER_FORMATS.items() if data.startswith(start)), "")
    return known or ("it has zero bytes: UTF-16, or no text" if b"\0" in data else "")


def numbered(data: bytes, delimiter: str = ",") -> list[tuple[int, list[str]]]:
    """The records of a table in UTF-8 with their lines, its header first; [] is an empty line.

    Empty lines above the header are left out, and so is a first line that names the separator, as Excel writes it: that
    one counts. Raises NotCsvError.
    """
    if kind := _other_format(data):
        raise NotCsvError(f"is not valid CSV in UTF-8 ({kind})")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable(data, error) from None
    first, end, rest = text.partition("\n")
    above, sign = int(bool(named := separator_line(first + end))), named or delimiter
    reader = csv.reader(io.StringIO(rest if above else text, newline=""), delimiter=sign, strict=True)
    records, line = [], above + 1
    try:
        for cells in reader:
            records += [(line, cells)] if records or not is_blank(cells) else []
            line = above + reader.line_num + 1
    except csv.Error as error:
        raise _other_separator(records[0][1] if records else [first], sign) or unreadable(data, error, line) from None
    if records and (wrong := _other_separator(records[0][1], sign)):
        raise wrong
    return records


def _other_separator(header: list[str], sign: str) -> NotCsvError | None:
    """The error of a table with another separator than the expected one, if its header shows that."""
    name, expected = separated_by(header, sign), SEPARATORS.get(sign, repr(sign))
    known = next((letter for letter, other in SEPARATORS.items() if other == name), "")
    what = f"looks separated by {name}, not {expected}"
    return NotCsvError(what, f"save it as CSV with {expected}", separator=known) if name else None


def lines(data: bytes) -> list[list[str]]:
    """The lines of a table as `numbered` reads them, without their numbers."""
    return [cells for _, cells in numbered(data)]


def rows(path: Path, letters: int) -> Iterator[dict[str, str]]:
    """The rows of a CSV file in UTF-8 whose cells have at most so many letters; missing cells are ""."""
    with longest(letters), path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, restval="")
