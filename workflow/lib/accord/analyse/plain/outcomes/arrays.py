"""Arrays in place of columns, as fairlearn's MetricFrame takes them: truths, predictions, people, groups."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.plain.outcomes.indices import check_indices
from accord.analyse.plain.reading import read, without_blank_rows
from accord.errors import all_problems

SHOWN = 5
"""Arrays of another length that are named."""
ROLES = ("y_true", "y_pred", "y_score", "subject", "image")


class Gathered(NamedTuple):
    """A table with all that was given; the column of each of ROLES, "" for none; the attributes that were named; how
    rows were put together, a sentence each."""

    table: pd.DataFrame
    named: dict[str, str]
    attributes: tuple[str, ...]
    remarks: tuple[str, ...]


def gather(
    table: Any, given: Mapping[str, Any], features: Any, attributes: Sequence[str], columns: Sequence[str] = ()
) -> Gathered:
    """The table with given arrays as columns. given: each of ROLES, as a column's name, an array, or nothing.

    features: names of columns, or a series, a data frame, a map, a list or an array of groups; columns: more names of
    columns that are asked for. Raises AccordError.
    """
    arrays = {name: _flat(value) for name, value in given.items() if value is not None and not isinstance(value, str)}
    names = [*attributes, *columns, *(value for value in (*given.values(), features) if isinstance(value, str))]
    names += [name for name in features if isinstance(name, str)] if isinstance(features, list | tuple) else []
    known = None if table is None else read(table, names)
    as_names = _are_names(features, known)
    groups = {} if features is None or as_names else _columns(features)
    named = {name: value if isinstance(value, str) else "" for name, value in given.items()}
    chosen = (*attributes, *(_names(features) if as_names else groups))
    indices = {"table": table, **given, "sensitive_features": features}
    with all_problems() as problems:
        said = check_indices(indices, problems)
        if table is None and not arrays:
            problems.add("table", "is missing", "give a table, or y_true and y_pred")
        for name in (name for name, values in arrays.items() if any(np.ndim(value) for value in values)):
            problems.add(name, "has several columns", "give one value per row")
        sizes = {name: len(column) for name, column in {**arrays, **groups}.items()}
        if len(set(sizes.values())) > 1:
            told = ", ".join([f"{name} {size:,}" for name, size in sizes.items()][:SHOWN])
            more = f" and {len(sizes) - SHOWN:,} more" if len(sizes) > SHOWN else ""
            problems.add("arrays", f"differ in length: {told}{more}", "give one value per row in each")
    known = pd.DataFrame(index=range(max(sizes.values()))) if known is None else known
    known = known if arrays or groups else without_blank_rows(known)
    with all_problems() as problems:
        if arrays and len(known) != next(iter(sizes.values())):
            told = f"has {len(known):,} rows, but the arrays have {next(iter(sizes.values())):,} values"
            problems.add("table", told, "give one value per row")
        for name in sorted({*arrays, *groups} & set(known.columns)):
            problems.add(f"column {name!r}", "is in the table and given as an array", "give one of them")
    if arrays or groups:
        known = known.assign(**{name: pd.Series(column, dtype=object) for name, column in {**arrays, **groups}.items()})
    return Gathered(known, named | {name: name for name in arrays}, chosen, tuple(said))


def _flat(values: Any) -> list:
    """The values of an array, a series, a list, or a table of one column."""
    shape = np.shape(values)
    return list(np.asarray(values).ravel() if len(shape) == 2 and shape[1] == 1 else values)


def _are_names(features: Any, table: pd.DataFrame | None) -> bool:
    """Whether features are names of columns. A list with a text per row is groups, unless all are names."""
    if isinstance(features, str):
        return True
    if table is None or not isinstance(features, list | tuple) or not all(isinstance(one, str) for one in features):
        return False
    return len(features) != len(table) or set(features) <= set(table.columns)


def _names(features: Any) -> tuple[str, ...]:
    return (features,) if isinstance(features, str) else tuple(features)


def _columns(features: Any) -> dict[str, list]:
    if isinstance(features, pd.DataFrame):
        return {str(name): features[name].tolist() for name in features.columns}
    if isinstance(features, Mapping):
        return {str(name): list(column) for name, column in features.items()}
    if isinstance(features, pd.Series):
        features = [features]
    if isinstance(features, list | tuple) and features and all(isinstance(one, pd.Series) for one in features):
        return {str(one.name or f"sensitive_feature_{place}"): one.tolist() for place, one in enumerate(features)}
    array = np.asarray(features, object)
    table = array.reshape(len(array), -1) if len(array) else array.reshape(0, 1)
    return {f"sensitive_feature_{place}": table[:, place].tolist() for place in range(table.shape[1])}
