"""Labels of truths and predictions, of whatever type they come in."""

from collections.abc import Iterable
from typing import Any

import numpy as np


def plain(values: Iterable[Any]) -> np.ndarray:
    """(n,) objects in which 1, 1.0, True and "1" are the same: a CSV has texts, a data frame may have any of them."""
    return np.array([*map(_label, values), None], object)[:-1]


def missing(values: np.ndarray) -> np.ndarray:
    """(n,) bool: which are None, NaN or empty texts."""
    return np.array([value is None or value == "" or value != value for value in values], bool)


def _label(value: Any) -> Any:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, bool | np.bool_):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return value
    return int(number) if number.is_integer() else number
