"""The cells of a column of groups: the values that each names, one or several."""

import numpy as np
import pandas as pd

from accord.release.format.literals import literal
from accord.text.identity import clashes, identity


def labels(column: pd.Series, separator: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each value in each cell: its row, counted from 0; the value, as a place among all; and all, sorted.

    A value in several spellings is one.

    column: of texts, numbers or lists; separator: between the values of a text, "" for none.
    """
    cells = _filled(column)
    code, told = pd.factorize(cells, sort=False)
    parts = [_parts(text, separator) for text in told]
    counts = np.array([len(some) for some in parts], int)
    start = np.cumsum(counts) - counts
    row = np.repeat(cells.index.to_numpy(int), counts[code])
    within = np.arange(len(row)) - np.repeat(np.cumsum(counts[code]) - counts[code], counts[code])
    flat = pd.Series([part for some in parts for part in some], dtype=object)
    if same := {text: identity(text) or text for several in clashes(flat.unique()) for text in several}:
        flat = flat.map(lambda text: same.get(text, text))
    label, names = pd.factorize(flat, sort=True)
    return row, label[np.repeat(start[code], counts[code]) + within], names


def spellings(column: pd.Series, separator: str) -> list[list[str]]:
    """The values that are one in several spellings (`accord.text.identity`), as `labels` takes them."""
    return clashes(part for text in _filled(column).unique() for part in _parts(text, separator))


def texts(column: pd.Series) -> pd.Series:
    """Each value as text: whole numbers without `.0`."""
    return pd.Series(list(map(_text, column.to_numpy(object))), index=column.index, dtype=str)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _filled(column: pd.Series) -> pd.Series:
    """The cells that aren't empty, as texts, those of a list each; numbered by their row."""
    column = column.reset_index(drop=True)
    if isinstance(column.dtype, pd.StringDtype):
        return column[(column.notna() & (column != "")).to_numpy(bool)]
    cells = column.astype(object).explode()
    return texts(cells[cells.notna().to_numpy() & (cells.astype(str) != "").to_numpy()])


def _parts(text: str, separator: str) -> list[str]:
    """The groups that a cell names: of a list in Python's spelling, of texts between separators, or the text."""
    if separator and separator in text:
        return list(dict.fromkeys(part.strip() for part in text.split(separator) if part.strip()))
    if text.startswith("[") and text.endswith("]"):
        try:
            value = literal(text)
        except ValueError:
            return [text]
        if all(isinstance(part, str) for part in value):
            return list(dict.fromkeys(value))
    return [text]
