"""Tables of all shards as one."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd

from accord.engine.parameter_types import Pieces

ROWS = 1 << 19
"""So many rows of all shards are sorted at a time, or as many as an image has."""


def gathered(parts: list[pd.DataFrame], by: list[str]) -> pd.DataFrame:
    """The rows of `parts`, sorted; they are taken out of it, and column by column, so that none is in memory twice."""
    whole = pd.concat(parts, ignore_index=True)
    parts.clear()
    order = whole[by].sort_values(by, kind="stable").index.to_numpy()
    return pd.DataFrame({name: whole.pop(name).take(order).reset_index(drop=True) for name in [*whole.columns]})


def encoded(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, each text kept once: to hold those of all shards."""
    return rows.astype(dict.fromkeys(rows.select_dtypes("str"), "category"))


def in_pieces(parts: list[pd.DataFrame], by: list[str]) -> Pieces:
    """The rows of `parts`, sorted, some at a time. parts: each `encoded` and sorted by the first of `by`, the image."""
    return Pieces(_pieces(parts, by), by[0])


def _pieces(parts: list[pd.DataFrame], by: list[str]) -> Iterator[pd.DataFrame]:
    parts = [part for part in parts if len(part)]
    starts = [_starts(part[by[0]]) for part in parts]
    if not parts:
        return
    counts = pd.concat([some.diff().shift(-1).iloc[:-1] for some in starts]).groupby(level=0).sum()
    first = np.flatnonzero(np.diff((counts.cumsum() - counts).to_numpy() // ROWS, prepend=-1))
    limits = [*counts.index[first], None]
    for low, end in pairwise(limits):
        some = [_between(part, at, low, end) for part, at in zip(parts, starts, strict=True)]
        yield pd.concat(some).sort_values(by, kind="stable", ignore_index=True)


def _starts(items: pd.Series) -> pd.Series:
    """Item -> its first row, of sorted ones; and behind them the number of rows."""
    codes = items.cat.codes.to_numpy()
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    return pd.Series([*first, len(codes)], index=[*items.cat.categories[codes[first]], None])


def _between(part: pd.DataFrame, starts: pd.Series, low: str | None, end: str | None) -> pd.DataFrame:
    """The rows of the items from `low` to below `end`, as they were before they were encoded."""
    names = starts.index[:-1]
    rows = slice(*(starts.iloc[len(names) if at is None else names.searchsorted(at)] for at in (low, end)))
    return part.iloc[rows].astype(dict.fromkeys(part.select_dtypes("category"), "str"))
