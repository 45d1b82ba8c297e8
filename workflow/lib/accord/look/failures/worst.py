"""What a model did worst: the scores of one metric, of a group's people, the worst first."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from accord.analyse.scoring.metrics import METRICS, direction
from accord.command_line import meant
from accord.errors import AccordError, Problem
from accord.grouping import BETWEEN, WHOLE

SCORES, MEMBERS = "analyse/scores/*.parquet", "analyse/members.parquet"
KEY = ["image", "subject"]
CHOICES = 12
"""Groups that are listed where a name fits several."""


class Failure(NamedTuple):
    """A score of one person in one image."""

    image: str
    subject: str
    value: float


class Found(NamedTuple):
    """Of which task and metric, of which groups, how many people in images have a score, and the worst of these."""

    task: str
    metric: str
    groups: tuple[str, ...]
    scored: int
    failures: list[Failure]

    @property
    def label(self) -> str:
        """What people call the metric."""
        return METRICS[self.metric].label if self.metric in METRICS else self.metric


def find(results: Path, model: str, metric: str = "", groups: Sequence[str] = (), most: int = 200) -> Found:
    """The `most` worst scores of a model, of people who belong to all of the groups.

    metric: the first of its task, in METRICS' order, where none is given; groups: `attribute=group`, or a group's name
    if one attribute alone has it. Raises AccordError where a name fits nothing or several things.
    """
    scores = _of_model(results, model)
    there = set(scores["metric"])
    known = [*(name for name in METRICS if name in there), *sorted(there - METRICS.keys())]
    if metric and metric not in known:
        raise AccordError(_unknown("--metric", metric, known, f"{model} has"))
    metric = metric or known[0]
    some = scores[(scores["metric"] == metric) & scores["value"].notna()]
    named = []
    for group in groups:
        attribute, name, members = _members(results, group)
        some = some.merge(members, on=KEY)
        named.append(f"{attribute}: {name}")
    order = np.lexsort((some["subject"], some["image"], direction(metric) * some["value"].to_numpy(float)))
    worst = some.iloc[order[:most]]
    failures = [Failure(*row) for row in worst[[*KEY, "value"]].itertuples(index=False)]
    return Found(scores.loc[scores["metric"] == metric, "task"].iloc[0], metric, tuple(named), len(some), failures)


def _of_model(results: Path, model: str) -> pd.DataFrame:
    files = sorted(results.glob(SCORES))
    if not files:
        hint = "run the workflow first, or give --config with the files of the run"
        raise AccordError(Problem(f"{results.as_posix()}/analyse/scores", "there are no scores", hint))
    read = ["task", "model", "metric", *KEY, "value"]
    scores = pd.concat([pq.read_table(file, columns=read, partitioning=None).to_pandas() for file in files])
    found = scores[scores["model"] == model]
    if found.empty:
        raise AccordError(_unknown("model", model, sorted(scores["model"].unique()), "scores are there of"))
    return found.reset_index(drop=True)


def _members(results: Path, group: str) -> tuple[str, str, pd.DataFrame]:
    """Attribute and name of the group that is meant, and the people in images (KEY) who belong to it."""
    members = pq.read_table(results / MEMBERS, partitioning=None).to_pandas()
    pairs = members[["attribute", "group"]].drop_duplicates().sort_values(["attribute", "group"])
    attribute, _, name = group.rpartition("=")
    told = [(a, g) for a, g in pairs.itertuples(index=False) if attribute in ("", a)]
    exact = [pair for pair in told if name in (pair[1], _plain(pair[1]))]
    near = exact or [(a, g) for a, g in told if name.casefold() in g.casefold() and BETWEEN not in g]
    if len(near) != 1 or not name:
        choices = near or [(a, g) for a, g in told if BETWEEN not in g] or list(pairs.itertuples(index=False))
        shown = ", ".join(f"{a}={g}" for a, g in choices[:CHOICES]) + (", ..." if len(choices) > CHOICES else "")
        what = "fits several groups" if near and name else "is not a group of this run"
        like = "" if near else meant(name, [_plain(g) for _, g in choices])
        raise AccordError(Problem(f"--group {group}", what + like, f"give one of: {shown}"))
    ((attribute, name),) = near
    of = members[(members["attribute"] == attribute) & (members["group"] == name)]
    return attribute, name, of[KEY].drop_duplicates()


def _plain(group: str) -> str:
    """A group's name without its number: `She/her/hers` of `0. She/her/hers`."""
    number, dot, name = group.partition(". ")
    return name if dot and number.isdigit() else group


def _unknown(where: str, word: str, known: Sequence[str], says: str) -> Problem:
    return Problem(f"{where} {word}", f"there is none of that name{meant(word, known)}", f"{says} {', '.join(known)}")


def title(model: str, found: Found) -> str:
    """What is looked at, in words."""
    return f"{model}: {found.label.lower()}, {'; '.join(found.groups) or WHOLE}"
