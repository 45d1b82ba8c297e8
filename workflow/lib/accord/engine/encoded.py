"""Texts of which each is kept once, with a number in each row: ids and names of millions of rows in less memory.

A view of a table says so of a column by `pd.CategoricalDtype`. Parquet has them so already; numbers are in the order of
the texts, so that sorting and grouping give what they give of texts.
"""

import numpy as np
import pandas as pd
import pyarrow

TEXTS = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())


def columns(schema: pyarrow.Schema) -> list[str]:
    """Names of the columns of such texts."""
    return [field.name for field in schema if field.type == TEXTS]


def sorted_texts(table: pd.DataFrame) -> pd.DataFrame:
    """The table, its texts numbered in their order."""
    made = {name: _sorted(table[name]) for name in table if isinstance(table[name].dtype, pd.CategoricalDtype)}
    return table.assign(**made) if made else table


def numbers(parts: list[pd.Series]) -> tuple[list[np.ndarray], int]:
    """The numbers of the texts of several columns, in the order of the texts, and how many there are."""
    every = [part.array.categories for part in parts]
    whole = every[0].append(every[1:]).unique().sort_values()
    each = [whole.get_indexer(of)[part.array.codes] for of, part in zip(every, parts, strict=True)]
    return each, len(whole)


def _sorted(column: pd.Series) -> pd.Series:
    return column.cat.reorder_categories(column.cat.categories.sort_values())
