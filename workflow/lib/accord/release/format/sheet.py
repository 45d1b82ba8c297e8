"""A CSV of FHIBE's kind, written row by row and sorted in the end, without holding it in memory."""

import csv
import io
from collections.abc import Iterator
from typing import IO, Any


class Sheet:
    """Rows are appended to a temporary file in any order; `rows` gives them sorted by their keys."""

    def __init__(self, columns: tuple[str, ...], file: IO[bytes]):
        self._columns = columns
        self._file = file
        self._lines: list[tuple[tuple[str, ...], int, int]] = []

    def add(self, key: tuple[str, ...], row: dict[str, Any]) -> None:
        """Append a row; columns that it lacks are empty, keys that are no columns are left out."""
        line = _line(cell(row.get(column)) for column in self._columns)
        self._lines.append((key, self._file.tell(), self._file.write(line)))

    def chunks(self) -> Iterator[bytes]:
        """The CSV in pieces."""
        yield header(self._columns)
        yield from self.rows()

    def rows(self) -> Iterator[bytes]:
        """The rows without the header."""
        for _, start, length in sorted(self._lines):
            self._file.seek(start)
            yield self._file.read(length)


def header(columns: tuple[str, ...]) -> bytes:
    """The first row of a CSV."""
    return _line(columns)


def cell(value: Any) -> str:
    """A value as FHIBE writes it: lists and objects as Python literals, nothing as an empty cell."""
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value)


def _line(cells: Any) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()
