"""The tables of a Rapid Test of one's own: scores of services, faces, groups, hand labels. All problems at once."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.identities.tables import LABELS, Confidences, Faces, HandLabels, QueryGroups
from accord.analyse.plain import reading
from accord.engine.table import check, empty
from accord.errors import Collector, all_problems
from accord.text.nouns import counted

SHOWN = 5
COLUMNS = {
    "confidences": ("service", "left", "right", "score"),
    "faces": ("face", "query"),
    "hand labels": ("face", "label"),
    "queries": ("query",),
}


class Inputs(NamedTuple):
    """What is known: confidences of pairs of faces, whose query a face is of, groups of queries, hand labels. lost:
    pictures of which nothing was compared, as `coverage` counts faces (query, face, reason)."""

    confidences: pd.DataFrame
    faces: pd.DataFrame
    groups: pd.DataFrame
    hand: pd.DataFrame
    lost: pd.DataFrame | None = None


def read(confidences: Path, faces: Path, queries: Path | None = None, hand: Path | None = None) -> Inputs:
    """Read CSV or Parquet files. `queries` has a column per attribute. Raises AccordError with all that is wrong."""
    paths = {"confidences": confidences, "faces": faces, "queries": queries, "hand labels": hand}
    found = {name: _texts(reading.read(path)) for name, path in paths.items() if path is not None}
    with all_problems() as problems:
        for name, some in found.items():
            for column in sorted({*COLUMNS[name]} - {*some.columns}):
                problems.add(str(paths[name]), f"has no column {column!r}", f"it needs {', '.join(COLUMNS[name])}")
    with all_problems() as problems:
        made = _made(found, problems)
        _agree(made, {name: str(path) for name, path in paths.items()}, problems)
    return made


def _made(found: dict[str, pd.DataFrame], problems: Collector) -> Inputs:
    scores = found["confidences"]
    for name, blank in {"version": "", "status": ""}.items():
        scores[name] = scores.get(name, blank)
    scores["score"] = _numbers(scores["score"], "score", problems)
    hand = found.get("hand labels", pd.DataFrame(columns=["face", "label"]))
    hand["label"] = _numbers(hand["label"], "label", problems)
    wrong = ~hand["label"].isin(LABELS)
    _tell("column 'label'", wrong, "is none of 1, 0, -1", problems)
    groups = found.get("queries", pd.DataFrame(columns=["query"]))
    long = groups.drop_duplicates("query").melt("query", var_name="attribute", value_name="group")
    _tell("column 'query'", groups.duplicated("query"), "names a query of a row above", problems)
    hand = hand[~wrong & ~hand.duplicated("face")]
    return Inputs(scores, found["faces"], long[long["group"] != ""], hand)


def _agree(made: Inputs, where: dict[str, str], problems: Collector) -> None:
    """Faces that are named twice or unknown, pairs of one face or given again, versions that change within a run."""
    scores, faces = made.confidences, made.faces
    _tell(where["faces"], faces.duplicated("face"), "names a face of a row above", problems)
    _tell(where["faces"], (faces == "").any(axis=1), "has an empty cell", problems)
    for side in ("left", "right"):
        _tell(where["confidences"], ~scores[side].isin(faces["face"]), f"{side}: a face that no query has", problems)
    _tell(where["confidences"], scores["left"] == scores["right"], "compares a face with itself", problems)
    again = scores.duplicated(["service", "version", "left", "right"])
    _tell(where["confidences"], again, "has the service, left and right of a row above", problems)
    _tell(where["hand labels"], ~made.hand["face"].isin(faces["face"]), "labels a face that no query has", problems)
    versions = scores.groupby("service")["version"].nunique()
    for name in versions[versions > 1].index:
        hint = "test each version by a run of its own, and compare them"
        problems.add(where["confidences"], f"service {name!r} has {versions[name]} versions", hint)


def typed(made: Inputs) -> Inputs:
    """The same, as typed tables."""
    models = (Confidences, Faces, QueryGroups, HandLabels)
    named = (some[[*model.to_schema().columns]] for some, model in zip(made[:4], models, strict=True))
    checked = (check(some, model, model.__name__) if len(some) else empty(model)
               for some, model in zip(named, models, strict=True))  # fmt: skip
    return Inputs(*checked, lost=made.lost)


def _texts(table: pd.DataFrame) -> pd.DataFrame:
    return table.reset_index(drop=True).fillna("").astype(str).apply(lambda column: column.str.strip())


def _numbers(cells: pd.Series, name: str, problems: Collector) -> pd.Series:
    numbers = pd.to_numeric(cells.where(cells != ""), errors="coerce").astype(float)
    wrong = (cells != "").to_numpy() & ~np.isfinite(numbers.to_numpy())
    _tell(f"column {name!r}", pd.Series(wrong), "is not a finite number", problems)
    return numbers


def _tell(where: str, wrong: pd.Series, what: str, problems: Collector) -> None:
    if wrong.any():
        rows = ", ".join(str(row + 1) for row in np.flatnonzero(wrong)[:SHOWN])
        problems.add(where, f"{counted(int(wrong.sum()), 'row')}, first {rows}: {what}")
