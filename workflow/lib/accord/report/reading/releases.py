"""Two runs of the workflow held against each other: what is read of each, and which models are others."""

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pandera.pandas as pa

from accord.analyse.compared import run as compare
from accord.analyse.tables.scores import Scores, WorstAndBest
from accord.engine import provenance, table
from accord.engine.table import Table
from accord.errors import AccordError, Problem

SCORES, HELD, RECORD = "analyse/scores/*.parquet", "analyse/disparities.parquet", "release/release.json"
PAIR = ["task", "model", "metric", "attribute", "worst"]


class Differences(WorstAndBest):
    """What is read of a table Disparities, one row per (task, model, metric, attribute), units as there.

    Columns that nothing here is told from are passed over: runs of other versions have fewer or more of them.
    """

    disparity: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    claimed: bool

    class Config(Table.Config):
        strict = "filter"
        unique = ["task", "model", "metric", "attribute"]  # noqa: RUF012


class Run(NamedTuple):
    """What a report compares of a run: its release's record, scores, disparities; model -> what it was made of."""

    release: dict
    scores: pd.DataFrame
    disparities: pd.DataFrame
    models: dict[str, str]


def read(results: Path) -> Run:
    """A run from its folder of results. Raises AccordError where it isn't whole."""
    found = sorted(results.glob(SCORES))
    needed = [results / HELD, results / RECORD, *([] if found else [results / SCORES])]
    hint = "give the `results` folder of a run, or a copy of it"
    if missing := [Problem(str(path), "is missing", hint) for path in needed if not path.is_file()]:
        raise AccordError(missing)
    record = json.loads((results / RECORD).read_text())
    return Run(record, table.read(found, Scores), table.read(results / HELD, Differences), _models(results))


def _models(results: Path) -> dict[str, str]:
    """Model -> what its predictions depend on: adapter, its code, weights, options."""
    told = {}
    for path in sorted(results.glob("evaluate/*/*.parquet")):
        record = provenance.of(path) or {}
        params = record.get("params", {})
        # One model by itself, or several that were asked together.
        for model in (params.get("model"), *(params.get("entries") or {}).values()):
            if isinstance(model, dict) and "name" in model:
                told[model["name"]] = json.dumps([record.get("code"), model], sort_keys=True)
    return told


def others(before: Run, after: Run) -> dict[str, bool]:
    """Model -> whether its code, weights or options are others; without models that either run tells nothing of."""
    both = before.models.keys() & after.models.keys()
    return {name: before.models[name] != after.models[name] for name in sorted(both)}


def compared(before: Run, after: Run, margin: float, seed: int) -> pd.DataFrame:
    """Table `Compared` of all that both runs scored."""
    found = compare(before.scores, after.scores, margin=margin, seed=seed)
    return found[found["kind"] == "versions"].reset_index(drop=True)


def held(before: Run, after: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The disparities that are claimed now and were not, and those that were and are not."""
    old, new = (run.disparities[run.disparities["claimed"]] for run in (before, after))
    return _without(new, old), _without(old, new)


def _without(some: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    known = pd.MultiIndex.from_frame(others[PAIR])
    return some[~pd.MultiIndex.from_frame(some[PAIR]).isin(known)]
