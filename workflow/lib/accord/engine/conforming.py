"""A quick look at a table: most are in order, and for these pandera's report of what is wrong needn't be prepared.

Of the milliseconds that pandera's `validate` takes for a table of any size, most go into reports of failures that there
aren't. Here types, nulls, keys and pandera's own checks are looked at and no more (benchmarks/tables.py).
"""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pandera.pandas as pa


def conforming(table: pd.DataFrame, model: type[pa.DataFrameModel]) -> pd.DataFrame | None:
    """The table in the model's types and order of columns, rows numbered anew; None where anything may be wrong.

    A strict model's: no other columns, coerced as pandera coerces. What is None here, pandera may still accept.
    """
    schema = _schema(model)
    if set(table.columns) != set(schema.columns) or not table.columns.is_unique or schema.parsers:
        return None
    given = {name: table[name] for name in schema.columns}
    columns = {name: _conforming(given[name], column) for name, column in schema.columns.items()}
    if any(column is None for column in columns.values()):
        return None
    as_given = list(table) == list(columns) and all(columns[name] is series for name, series in given.items())
    found = table if as_given else pd.DataFrame(columns, index=table.index)
    if schema.unique and found.duplicated(schema.unique).any():
        return None
    if not all(check(found).check_passed for check in schema.checks):
        return None
    return found.reset_index(drop=True)


@cache
def _schema(model: type[pa.DataFrameModel]) -> Any:
    return model.to_schema()


def _conforming(series: pd.Series, column: Any) -> pd.Series | None:
    """The column in its type; None where it has another that can't be had, a null or a value too many."""
    if series.dtype != column.dtype.type:
        try:
            # NumPy warns of a number that is too large for an integer; pandas refuses it.
            with np.errstate(invalid="ignore"):
                series = column.dtype.coerce(series)
        except (TypeError, ValueError, OverflowError):
            return None
    if not column.nullable and _has_null(series):
        return None
    if column.unique and series.duplicated().any():
        return None
    return series if all(check(series).check_passed for check in column.checks) else None


def _has_null(series: pd.Series) -> bool:
    """What `series.isna().any()` says, without a series of its own, and of whole numbers without a look."""
    if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iub":
        return False
    return bool(pd.isna(series.array).any())
