"""Whether series and data frames that are given together mean the same rows: values are taken in the order given."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from accord.errors import Collector
from accord.text.identity import identity

HINT = "put them in one order, as in {name} = {name}.loc[{first}.index], or give .to_numpy() to take them as they come"


def check_indices(given: Mapping[str, Any], problems: Collector) -> list[str]:
    """Add series and data frames to `problems` whose index says that their rows are in another order than the first's.

    Returns a sentence for each of which the index says nothing of that: it only counts rows, or shares no label.
    """
    remarks: list[str] = []
    indices = {name: index for one in given.items() for name, index in _indices(*one)}
    if len(indices) < 2:
        return remarks
    first, *others = indices
    for name in others:
        one, other = indices[first], indices[name]
        if len(one) != len(other) or one.equals(other):
            continue
        one, other = _spelled_alike(one, other)
        if one.equals(other):
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


def _indices(name: str, value: Any) -> Iterator[tuple[str, pd.Index]]:
    """The index of a series or a data frame, or of each series in a map or a list, with what it is called."""
    if isinstance(value, pd.Series | pd.DataFrame):
        yield name, value.index
    elif isinstance(value, Mapping | list | tuple):
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        yield from ((f"{name}[{key!r}]", part.index) for key, part in parts if isinstance(part, pd.Series))


def _spelled_alike(one: pd.Index, other: pd.Index) -> tuple[pd.Index, pd.Index]:
    """Both indices with ids as texts (`accord.text.identity`) where one has other kinds of labels than numbers."""
    if {one.dtype.kind, other.dtype.kind} <= set("iufb") or pd.MultiIndex in (type(one), type(other)):
        return one, other
    return pd.Index(map(identity, one)), pd.Index(map(identity, other))


def _counts(index: pd.Index) -> bool:
    """Whether an index only counts rows from 0."""
    return index.equals(pd.RangeIndex(len(index)))
