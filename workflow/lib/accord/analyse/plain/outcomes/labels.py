"""Labels of truths and predictions, of whatever type they come in."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from accord.text.nouns import counted

TRUTH = {"true": 1, "false": 0}
"""What a CSV has where a data frame has True and False."""


def plain(values: Iterable[Any]) -> np.ndarray:
    """(n,) objects in which 1, 1.0, True, "1" and "True" are the same: a CSV has texts, a data frame may have any."""
    return np.array([*map(_label, values), None], object)[:-1]


def missing(values: np.ndarray) -> np.ndarray:
    """(n,) bool: which are None, NaN or empty texts."""
    return np.array([value is None or value == "" or value != value for value in values], bool)


def no_probabilities(values: np.ndarray) -> int:
    """How many values are no numbers from 0 to 1."""
    return sum(not (isinstance(value, int | float) and 0 <= value <= 1) for value in values.tolist())


def strangers(true: np.ndarray, predicted: np.ndarray) -> tuple[str, str] | None:
    """What is wrong where no prediction is a label of the truth, and a hint; None where one is, or all are 0 and 1."""
    known, said = ({*some[~missing(some)].tolist()} for some in (true, predicted))
    if not known or not said or known & said or known | said <= {0, 1}:
        return None
    what = f"has no label that y_true has: y_true has {_told(known)}, y_pred {_told(said)}"
    if any(isinstance(one, float) for one in said):
        return what, "give probabilities as y_score (--y-score), or a column of predicted labels as y_pred"
    return what, "write labels the same way in both columns"


def _told(some: set) -> str:
    """Of what kind labels are, and how many: not which, since any text may be data about people."""
    if any(isinstance(one, float) for one in some):
        return "numbers with decimals"
    return counted(len(some), "whole number" if all(isinstance(one, int) for one in some) else "text")


def _label(value: Any) -> Any:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, bool | np.bool_):
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return TRUTH.get(value.strip().lower(), value) if isinstance(value, str) else value
    return int(number) if number.is_integer() else number
