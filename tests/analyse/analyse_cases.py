"""Small tables to analyse: people, groups and scores that are made up at random."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from scipy import sparse

from accord.engine import by_shard
from accord.engine.parameter_types import Pieces
from accord.statistics.cohort import Cohort, cohort

TEST = {"task": "face_localization", "model": "m", "metric": "ar_iou"}


def scores_of(values, subjects, **test) -> pd.DataFrame:
    """A Scores table: one image per value."""
    count = len(values)
    images = [f"i{n:05d}" for n in range(count)]
    names = [f"s{n:04d}" for n in subjects]
    return pd.DataFrame({**TEST, **test, "image": images, "subject": names, "value": values, "note": ""})


def members_of(scores: pd.DataFrame, attribute: str, labels) -> pd.DataFrame:
    """A Members table: the image of row n belongs to the group, or the groups, labels[n]."""
    made = scores[["image", "subject"]].drop_duplicates().assign(attribute=attribute, group=list(labels))
    return made.explode("group").dropna().astype({"group": str}).reset_index(drop=True)


def cohort_of(values, subjects, labels):
    """A cohort of values with their subjects and groups (numbers, or lists of them)."""
    scores = scores_of(values, subjects)
    return cohort(scores, members_of(scores, "a", labels))


def plain_cohort(values, subjects, labels) -> Cohort:
    """A cohort of rows in the order in which they are given, one group each: without a detour over tables, so fast."""
    groups, column = np.unique(labels, return_inverse=True)
    member = sparse.csc_array((np.ones(len(column)), (np.arange(len(column)), column)))
    return Cohort(np.asarray(values, float), np.asarray(subjects), member, tuple(map(str, groups)))


def verdicts_of(images, failed=()) -> pd.DataFrame:
    """A Verdicts table in which all images pass but those in `failed`."""
    verdicts = ["fail" if image in failed else "pass" for image in images]
    return pd.DataFrame(
        {"image": list(images), "subject": "s", "verdict": verdicts, "room": "", "check": "", "reason": ""}
    )


def asked_of(model: str, task: str, keys) -> pd.DataFrame:
    """An Evaluated table of (image, subject) keys."""
    return pd.DataFrame([(model, task, *key) for key in keys], columns=["model", "task", "image", "subject"])


def by_shards(run: Callable, **given) -> Any:
    """What a step gives of the same tables in three shards of images, one after the other."""
    names = [name for name in getattr(run, by_shard.MARK).tables if name in given]
    images = sorted(set().union(*(given[name]["image"] for name in names)))

    def read(name: str, paths: list[Path]) -> pd.DataFrame:
        mine = {image for place, image in enumerate(images) if place % 3 == int(paths[0].parent.name)}
        return given[name][given[name]["image"].isin(mine)].reset_index(drop=True)

    paths = {name: [Path(f"{shard:02}", f"{name}.parquet") for shard in range(3)] for name in names}
    others = {name: value for name, value in given.items() if name not in names}
    with patch.object(by_shard, "AT_ONCE", -1):
        made = by_shard.results(run, paths, read, others)
    return pd.concat([*made.rows], ignore_index=True) if isinstance(made, Pieces) else made
