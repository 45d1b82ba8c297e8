"""A table of one's own, from a data frame, CSV or Parquet."""

import csv
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.io.common import get_handle

from accord.errors import AccordError, Problem, all_problems
from accord.text.cells import longest, separated_by, separator_line, unreadable
from accord.text.identity import clashes, known_as
from accord.text.spreadsheets import as_written

LONGEST_CELL = 8_000_000
"""Characters: a list of labels, at most."""


def read(table: pd.DataFrame | Path | str, names: Iterable[str] = ()) -> pd.DataFrame:
    """A table with rows numbered from 0, or that of a file: CSV with every cell as text, or Parquet.

    names: columns that are asked for; one that the table has in another spelling (`accord.text.identity`) gets the name
    it was asked for by. Rows of a file without any value, which spreadsheets write for deleted ones, are passed over.
    Raises AccordError of what is no table, and of columns that have one name in two spellings.
    """
    columns = _read(table)
    if several := clashes(columns.columns):
        spellings = ", ".join(ascii(name)[1:-1] for name in several[0])
        problem = f"{len(several[0])} have one name in several spellings: {spellings}"
        raise AccordError(Problem("columns", problem, "rename one of them: nobody can tell them apart"))
    return columns.rename(columns={known_as(name, columns.columns): name for name in names if name})


def _read(table: pd.DataFrame | Path | str) -> pd.DataFrame:
    if isinstance(table, pd.DataFrame):
        _check_names(table)
        return _without_index(table)
    return without_blank_rows(_of_file(table))


def without_blank_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The rows in which any cell has a value, numbered from 0."""
    filled = np.zeros(len(table), bool)
    for name in table.columns if len(table) else ():
        column = table[name]
        blank = column.isna() if column.dtype.kind in "iufbmM" else column.isna() | column.map(_is_blank)
        filled |= ~blank.to_numpy(bool)
        if filled.all():
            return table
    return table[filled].reset_index(drop=True)


def _is_blank(cell: object) -> bool:
    return isinstance(cell, str) and not cell.strip()


def _of_file(table: Path | str) -> pd.DataFrame:
    path = Path(table)
    if path.suffix.lower() in (".json", ".jsonl"):
        raise AccordError(Problem(str(path), "is JSON, not a table", "save it as CSV in UTF-8, or Parquet"))
    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            return _without_index(pd.read_parquet(path))
        sign = _check_form(path)
        how = {"sep": sign, "skiprows": 1} if sign else {}
        return as_written(pd.read_csv(path, dtype=str, keep_default_na=False, index_col=False, **how))
    except FileNotFoundError:
        raise AccordError(Problem(str(path), "does not exist")) from None
    except UnicodeError as error:
        raise AccordError(_not_utf_8(path, error)) from None
    except (ValueError, OSError, csv.Error) as error:
        what = f"is not a readable table ({type(error).__name__})"
        raise AccordError(Problem(str(path), what, "use CSV in UTF-8 with a header line, or Parquet")) from None


def _not_utf_8(path: Path, error: UnicodeError) -> Problem:
    """The problem of a file that isn't in UTF-8: the line of the first such byte, if it is text at all."""
    with get_handle(path, "rb", compression="infer", is_text=False) as opened:
        found = unreadable(opened.handle.read(), error)
    return Problem(f"{path}, line {found.line}" if found.line else str(path), found.what, found.hint)


def _without_index(table: pd.DataFrame) -> pd.DataFrame:
    """The table with rows numbered from 0; named columns of its index, such as people's ids, are columns.

    A range only numbers the rows, whatever its name.
    """
    index = table.index
    names = [] if isinstance(index, pd.RangeIndex) else [name for name in index.names if isinstance(name, str)]
    columns = {name: index.get_level_values(name) for name in names if name not in table.columns}
    plain = table.reset_index(drop=True)
    for place, (name, values) in enumerate(columns.items()):
        plain.insert(place, name, values)
    return plain


def _check_names(table: pd.DataFrame) -> None:
    """Raise AccordError of columns whose names are no texts."""
    if strange := [name for name in table.columns if not isinstance(name, str)]:
        what = f"have {len(strange)} names that are not text, first {strange[0]!r}"
        raise AccordError(Problem("columns", what, "name them: table.columns = table.columns.map(str)"))


def _check_form(path: Path) -> str:
    """The separator that the first line names, as Excel writes it; "" where that is the header.

    Raises AccordError of rows that pandas would fill, cut or shift, and of columns that it would rename.
    """
    packed = get_handle(path, "r", encoding="utf-8-sig", compression="infer")
    with packed as opened, longest(LONGEST_CELL), all_problems() as problems:
        first = opened.handle.readline()
        above = int(bool(sign := separator_line(first)))
        reader = csv.reader(
            opened.handle if sign else chain([first], opened.handle), delimiter=sign or ",", strict=True
        )
        header = next(reader, [])
        if name := separated_by(header, sign or ","):
            problems.add(str(path), f"looks separated by {name}", "save it as CSV with commas")
            return sign
        for name in sorted({name for name in header if header.count(name) > 1}):
            problems.add(
                f"{path}, line {1 + above}", f"has column {name!r} more than once", "give each column a unique name"
            )
        for cells in reader:
            if cells and len(cells) != len(header):
                hint = "put cells with a comma in quotes; check that the file is complete"
                where = f"{path}, line {above + reader.line_num}"
                problems.add(where, f"has {len(cells)} cells, not {len(header)}", hint)
    return sign
