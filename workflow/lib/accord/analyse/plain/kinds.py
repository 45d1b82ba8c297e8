"""What the cells of a column hold: numbers, or what is neither a number nor a text."""

import datetime
from collections.abc import Iterable

import numpy as np
import pandas as pd

from accord.text.nouns import counted

LISTS, RECORDS, BYTES, TIMES = "lists", "records", "bytes, not text", "dates or times, not numbers"
OF_TYPES = {
    LISTS: (list, tuple, set, np.ndarray),
    RECORDS: (dict,),
    TIMES: (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64),
}
SINGLE = "name a column with one number or text in each row"
HINTS = {LISTS: SINGLE, RECORDS: SINGLE, BYTES: "save it as text in UTF-8, or leave it out", TIMES: "name other scores"}


EMPTY = ("nan", "NaN", "<NA>", "NaT")
"""What NumPy and pandas write for a missing value where they make texts of a column."""


def kind(column: pd.Series) -> str:
    """One of LISTS, RECORDS, BYTES (not of UTF-8) and TIMES, if any cell is of it; "" for numbers and texts."""
    if column.dtype.kind in "mM":
        return TIMES
    if column.dtype != object:
        return ""
    types = {type(value) for value in column}
    if any(issubclass(one, bytes) for one in types) and not all(map(_is_text, column)):
        return BYTES
    types.discard(type(pd.NaT))
    return next((name for name, of in OF_TYPES.items() if any(issubclass(one, of) for one in types)), "")


def numeric(column: pd.Series) -> pd.Series | None:
    """A column as numbers, NaN where a cell is empty; None if any other cell is no number."""
    if isinstance(column.dtype, pd.StringDtype):  # each text once: there are few
        code, texts = pd.factorize(column)
        known = _numeric(pd.Series(texts))
        return None if known is None else pd.Series(np.append(known, np.nan)[code], column.index, name=column.name)
    return _numeric(column)


def with_missing(table: pd.DataFrame, names: Iterable[str]) -> tuple[pd.DataFrame, list[str]]:
    """The table with cells of some columns that say EMPTY as missing, and a sentence for each column that has any."""
    told = []
    for name in dict.fromkeys(names):
        column = table[name]
        if column.dtype.kind in "iufbmM" or kind(column):
            continue
        if count := int((empty := column.isin(EMPTY)).sum()):
            table = table.assign(**{name: column.mask(empty, None)})
            told.append(f"{name!r} has {counted(count, 'cell')} that say nan: they count as missing.")
    return table, told


def without_number(column: pd.Series) -> tuple[int, int]:
    """How many cells hold something else than a finite number; and how many aren't empty."""
    if kind(column):
        filled = int(column.notna().sum())
        return filled, filled
    empty = _empty(column)
    found = pd.to_numeric(column.where(~empty), errors="coerce").to_numpy(float, na_value=np.nan)
    return int((~np.isfinite(found) & ~empty).sum()), int((~empty).sum())


def _numeric(column: pd.Series) -> pd.Series | None:
    if column.dtype.kind == "b" or kind(column):
        return None
    empty = _empty(column)
    found = pd.to_numeric(column.where(~empty), errors="coerce")
    return None if empty.all() or bool((found.isna() & ~empty).any()) else found.astype(float)


def _empty(column: pd.Series) -> pd.Series:
    """Which cells are empty, or hold blanks alone."""
    empty = column.isna()
    return empty if column.dtype.kind in "iuf" else empty | (column.astype(str).str.strip() == "")


def _is_text(value: object) -> bool:
    """Whether a value is text, if it is of bytes."""
    try:
        if isinstance(value, bytes):
            value.decode()
    except UnicodeDecodeError:
        return False
    return True
