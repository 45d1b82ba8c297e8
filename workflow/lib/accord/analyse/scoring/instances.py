"""What is scored: the people that a model was asked about, in images of the release."""

from typing import Any

import numpy as np
import pandas as pd

from accord.analyse.tables.scores import Scores
from accord.engine.table import arrow_schema, check, empty

Passing = pd.DataFrame | frozenset[str]
"""The verdicts, or the images that pass."""

KEY = ["image", "subject"]


def released(table: pd.DataFrame, verdicts: Passing) -> pd.DataFrame:
    """The rows of a table with a column `image` that belong to images which pass."""
    return of_images(table, passing(verdicts) if isinstance(verdicts, pd.DataFrame) else verdicts)


def passing(verdicts: pd.DataFrame) -> frozenset[str]:
    """The images that pass: for who has many tables, each of some images."""
    return frozenset(verdicts.loc[verdicts["verdict"] == "pass", "image"])


def of_images(table: pd.DataFrame, images: frozenset[str]) -> pd.DataFrame:
    """The rows of a table with a column `image` that belong to some images. Takes no longer for more of these."""
    kept = np.array([image in images for image in table["image"]], bool)
    return table[kept].reset_index(drop=True)


def asked_of(asked: pd.DataFrame, task: str, truth: pd.DataFrame, verdicts: Passing) -> pd.DataFrame:
    """One row per (model, image, subject) of the release that was asked about in `task` and has ground truth."""
    wanted = released(asked[asked["task"] == task], verdicts)
    return wanted[["model", *KEY]].merge(truth, on=KEY, validate="many_to_one")


def scores(instances: pd.DataFrame, task: str, metric: str, values: Any, notes: Any = "") -> pd.DataFrame:
    """A Scores table of `values`, one per row of `instances` (model, image, subject), sorted by its key."""
    columns = {"task": task, "metric": metric, "value": values, "note": notes}
    made = instances[["model", *KEY]].assign(**columns).sort_values(["model", *KEY])
    return check(made[arrow_schema(Scores).names], Scores, Scores.__name__) if len(made) else empty(Scores)


def joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """One Scores table of those of all shards: metric after metric, sorted by their keys."""
    filled = [part for part in parts if len(part)]
    if not filled:
        return empty(Scores)
    whole = pd.concat(filled, ignore_index=True)
    order = whole[["model", *KEY]].assign(metric=pd.factorize(whole["metric"])[0])
    return whole.loc[order.sort_values(["metric", "model", *KEY]).index]
