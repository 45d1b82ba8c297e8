"""What is scored: the people that a model was asked about, in images of the release."""

from typing import Any

import pandas as pd

from accord.analyse.tables.scores import Scores
from accord.engine.table import rows

KEY = ["image", "subject"]


def released(table: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table with a column `image` that belong to images which pass."""
    passed = verdicts.loc[verdicts["verdict"] == "pass", "image"]
    return table[table["image"].isin(passed)].reset_index(drop=True)


def asked_of(asked: pd.DataFrame, task: str, truth: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """One row per (model, image, subject) of the release that was asked about in `task` and has ground truth."""
    wanted = released(asked[asked["task"] == task], verdicts)
    return wanted[["model", *KEY]].merge(truth, on=KEY, validate="many_to_one")


def scores(instances: pd.DataFrame, task: str, metric: str, values: Any, notes: Any = "") -> pd.DataFrame:
    """A Scores table of `values`, one per row of `instances` (model, image, subject), sorted by its key."""
    columns = {"task": task, "metric": metric, "value": values, "note": notes}
    made = instances[["model", *KEY]].assign(**columns).sort_values(["model", *KEY])
    return rows(made.to_dict("records"), Scores)
