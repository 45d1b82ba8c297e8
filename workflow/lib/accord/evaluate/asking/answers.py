"""What every predict step does with a model's answers: hold them against the question, and say who was asked."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.evaluate.tables.predictions import Evaluated


def one_each(model: dict, answers: Sequence[Any], count: int, of: str = "pictures") -> list[Any]:
    """The answers as a list. Raises AccordError unless there is one for each of `count` pictures, or texts (`of`)."""
    answers = list(answers)
    if len(answers) != count:
        what = f"gave {len(answers)} answers for {count} {of}"
        raise AccordError(Problem(f"model {model['name']}", what, "an adapter must return one item for each"))
    return answers


def finite(model: dict, *arrays: np.ndarray) -> None:
    """Raises AccordError where a model answers with NaN or infinity: such a score would spoil every mean."""
    if not all(np.isfinite(array).all() for array in arrays):
        hint = "an adapter must leave out unknown values"
        raise AccordError(Problem(f"model {model['name']}", "returned numbers that are not finite", hint))


def unit(model: dict, vector: np.ndarray) -> np.ndarray:
    """A vector that isn't all zeros at length 1: (d,) float32."""
    finite(model, vector)
    precise = np.asarray(vector, dtype=np.float64).ravel()
    return (precise / np.linalg.norm(precise)).astype(np.float32)


def asked(model: dict, who: pd.DataFrame) -> pd.DataFrame:
    """The Evaluated table of a model that was asked about each `image` and `subject` in `who`."""
    ordered = who[["image", "subject"]].drop_duplicates().sort_values(["image", "subject"])
    pairs = ordered.itertuples(index=False)
    return rows(((model["name"], model["task"], pair.image, pair.subject) for pair in pairs), Evaluated)
