"""Functions of truths and predictions, as scikit-learn's: which of them are means over rows."""

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

Function = Callable[..., Any]
"""Takes truths and predictions, (n,) each, and gives a number."""
PARTS, TOLERANCE, UNIQUE = 20, 1e-9, 2000
"""By how many random parts of the rows a function is tried; most different pairs of truth and prediction for that."""
FEW = 30
"""So many rows are looked at first."""
USUAL = 1
"""The positive label of scikit-learn's functions: only another is handed to them."""
REFUSALS = Exception
"""A function of the user's may raise anything: it has no figure there."""


def of_rows(function: Function, true: np.ndarray, other: np.ndarray) -> np.ndarray | None:
    """The value of each row, if the function of all rows, and of random parts, is the mean of those; else None."""
    code, unique = pd.factorize(pd.MultiIndex.from_arrays([true, other]))
    if not 0 < len(unique) <= UNIQUE:
        return None
    first = np.unique(code, return_index=True)[1]
    rng = np.random.default_rng(0)
    parts = [np.arange(len(true)), *(np.flatnonzero(rng.random(len(true)) < 0.5) for _ in range(PARTS))]
    try:
        few = rng.choice(len(true), min(len(true), FEW), replace=False)
        singles = [of_some(function, true, other, row) for row in few[:, np.newaxis]]
        if not abs(of_some(function, true, other, few) - np.mean(singles)) <= TOLERANCE:
            return None
        each = np.array([of_some(function, true, other, first[[one]]) for one in range(len(first))])[code]
        found = [(of_some(function, true, other, part), each[part].mean()) for part in parts if len(part)]
    except REFUSALS:
        return None
    alike = all(abs(whole - mean) <= TOLERANCE for whole, mean in found)
    return each if alike and bool(np.isfinite(each).all()) else None


def with_positive(function: Function, positive: Any) -> Function:
    """The function with the positive label, where it takes one as `pos_label` and nobody has bound it."""
    if positive == USUAL or "pos_label" in getattr(function, "keywords", {}):
        return function
    try:
        takes = "pos_label" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # of a function in C, nothing is known
        return function
    return partial(function, pos_label=positive) if takes else function


def refusal(function: Function, true: np.ndarray, other: np.ndarray) -> str:
    """The kind of error that a function raises of all rows; "" for none. Its words may hold data, so are not told."""
    try:
        of_some(function, true, other, np.arange(len(true)))
    except REFUSALS as error:
        return type(error).__name__
    return ""


def of_some(function: Function, true: np.ndarray, other: np.ndarray, rows: np.ndarray) -> float:
    """The function of some rows, given by number. What it warns of, such as a class without rows, isn't told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(function(true[rows], other[rows]))
