"""Whether series and data frames that are given together mean the same rows: values are taken in the order given."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from accord.errors import Collector

HINT = "put them in one order, as in {name} = {name}.loc[{first}.index], or give .to_numpy() to take them as they come"


def check_indices(given: Mapping[str, Any], problems: Collector) -> list[str]:
    """Add series and data frames to `problems` whose index says that their rows are in another order than the first's.

    Returns a sentence for each of which the index says nothing of that: it only counts rows, or shares no label.
    """
    remarks: list[str] = []
    indices = {name: value.index for name, value in given.items() if isinstance(value, pd.Series | pd.DataFrame)}
    if len(indices) < 2:
        return remarks
    first, *others = indices
    for name in others:
        one, other = indices[first], indices[name]
        if len(one) != len(other) or one.equals(other):
            continue
        shared = int(other.isin(one).sum())
        if shared == len(other):
            what = f"has the index of {first} in another order: its values would go to other rows"
        elif shared and not _counts(one) and not _counts(other):
            what = f"has another index than {first}, though {shared:,} of {len(other):,} labels are the same"
        else:
            remarks.append(f"{name} has another index than {first}: its values were taken in the order given.")
            continue
        problems.add(name, what, HINT.format(name=name, first=first))
    return remarks


def _counts(index: pd.Index) -> bool:
    """Whether an index only counts rows from 0."""
    return index.equals(pd.RangeIndex(len(index)))
