"""A row of a CSV table of a delivery: its cells, where it stands, and how it was written."""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from accord.intake.delivered.place import Place
from accord.intake.delivered.sheets import NAMING, SHEETS
from accord.text.references import normal

NONE: Mapping = MappingProxyType({})


class Row(dict[str, str]):
    """The cells of a row by column, references in the one spelling that counts.

    table, line: where it stands; spelled: column -> reference, where it was written in another spelling; others: column
    -> the row of another table that it was taken from.
    """

    __slots__ = ("line", "others", "spelled", "table")

    def __init__(self, cells: dict[str, str], table: str = "", line: int = 0):
        super().__init__(cells)
        self.table, self.line = table, line
        self.spelled: Mapping[str, str] = NONE
        self.others: Mapping[str, Row] = NONE

    def place(self, column: str, labels: Iterable[str] = (), value: str | None = None) -> Place:
        """Where a cell stands; `value`: the part of it that is meant, else all."""
        row = self.others.get(column, self)
        return Place(row.table, row.line, column, self[column] if value is None else value, tuple(labels))

    def joined(self, **others: "Row") -> "Row":
        """The row with columns of other rows, by their names."""
        made = Row({**self, **{column: row[column] for column, row in others.items()}}, self.table, self.line)
        made.spelled, made.others = self.spelled, others
        return made


def row_of(name: str, header: list[str], cells: list[str], line: int = 0) -> Row:
    """The row of a table that some cells are, with all columns of its sheet."""
    given = dict(zip(header, map(str.strip, cells), strict=True))
    row = Row({column: given.get(column, "") for column in _columns(name)}, name, line)
    written = {column: row[column] for column in _naming(name) if normal(row[column]) != row[column]}
    row |= {column: normal(reference) for column, reference in written.items()}
    row.spelled = written or NONE
    return row


@cache
def _columns(name: str) -> tuple[str, ...]:
    return (*SHEETS[name].required, *SHEETS[name].optional)


@cache
def _naming(name: str) -> tuple[str, ...]:
    return tuple(column for column in _columns(name) if column in NAMING)
