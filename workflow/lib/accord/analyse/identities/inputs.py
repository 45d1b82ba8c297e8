"""The tables of a Rapid Test of one's own: scores of services, faces, groups, hand labels. All problems at once."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.identities.over_time import SETS
from accord.analyse.identities.tables import LABELS, Confidences, Faces, HandLabels, QueryGroups
from accord.analyse.plain import reading
from accord.engine.table import check, empty
from accord.errors import Collector, all_problems
from accord.text.identity import identities
from accord.text.nouns import counted

SHOWN = 5
IDS = ("left", "right", "face", "query")
COLUMNS = {
    "confidences": ("service", "left", "right", "score"),
    "before": ("service", "left", "right", "score"),
    "faces": ("face", "query"),
    "hand labels": ("face", "label"),
    "queries": ("query",),
}


class Inputs(NamedTuple):
    """What is known: confidences of pairs of faces, whose query a face is of, groups of queries, hand labels. lost:
    pictures of which nothing was compared, as `coverage` counts faces (query, face, reason); before: confidences of an
    earlier test, under the services' names of today; pictures: face, pictures (old, new), unless they are one set."""

    confidences: pd.DataFrame
    faces: pd.DataFrame
    groups: pd.DataFrame
    hand: pd.DataFrame
    lost: pd.DataFrame | None = None
    before: pd.DataFrame | None = None
    pictures: pd.DataFrame | None = None


def read(
    confidences: Path,
    faces: Path,
    queries: Path | None = None,
    hand: Path | None = None,
    before: Path | None = None,
) -> Inputs:
    """Read CSV or Parquet files. `queries` has a column per attribute. Raises AccordError with all that is wrong."""
    paths = {"confidences": confidences, "faces": faces, "queries": queries, "hand labels": hand, "before": before}
    found = {name: _texts(reading.read(path)) for name, path in paths.items() if path is not None}
    with all_problems() as problems:
        for name, some in found.items():
            for column in sorted({*COLUMNS[name]} - {*some.columns}):
                problems.add(str(paths[name]), f"has no column {column!r}", f"it needs {', '.join(COLUMNS[name])}")
    with all_problems() as problems:
        where = {name: str(path) for name, path in paths.items()}
        made = _made(found, where, problems)
        _agree(made, where, problems)
    return made


def unmatched(made: Inputs, queries: Path | None) -> list[str]:
    """How many queries of `--queries` have no face, and how many of `--faces` no group: ids may be spelt otherwise."""
    if queries is None:
        return []
    grouped, asked = set(made.groups["query"]), set(made.faces["query"])
    counts = {"without a face: {} of --queries": grouped - asked,
              "without a group: {} of --faces": asked - grouped}  # fmt: skip
    return [what.format(counted(len(some), "query")) for what, some in counts.items() if some]


def _made(found: dict[str, pd.DataFrame], where: dict[str, str], problems: Collector) -> Inputs:
    scores = _scores(found["confidences"], where["confidences"], problems)
    before = _scores(found["before"], where["before"], problems) if "before" in found else None
    faces = found["faces"]
    sets = faces[["face", "pictures"]].drop_duplicates("face") if "pictures" in faces else None
    if sets is not None:
        other = ~faces["pictures"].isin(SETS)
        _tell(f"{where['faces']}, column 'pictures'", other, f"is none of {', '.join(SETS)}", problems)
    hand = found.get("hand labels", pd.DataFrame(columns=["face", "label"]))
    labels = f"{where['hand labels']}, column 'label'"
    hand["label"] = _numbers(hand["label"], labels, problems)
    wrong = ~hand["label"].isin(LABELS)
    _tell(labels, wrong, "is none of 1, 0, -1", problems)
    _tell(where["hand labels"], hand.duplicated("face"), "labels a face of a row above", problems)
    groups = found.get("queries", pd.DataFrame(columns=["query"]))
    # Unlike `melt`, this lets an attribute have any name, also that of a column of the table that comes out.
    named = groups.drop_duplicates("query").set_index("query").rename_axis(columns="attribute")
    long = named.unstack().rename("group").reset_index()
    _tell(where["queries"], groups.duplicated("query"), "names a query of a row above", problems)
    hand = hand[~wrong & ~hand.duplicated("face")]
    return Inputs(scores, faces, long[long["group"] != ""], hand, before=before, pictures=sets)


def _scores(some: pd.DataFrame, where: str, problems: Collector) -> pd.DataFrame:
    """Confidences with all their columns."""
    _tell(f"{where}, column 'service'", some["service"] == "", "is empty", problems)
    blank = {name: some.get(name, "") for name in ("version", "status")}
    return some.assign(**blank, score=_numbers(some["score"], f"{where}, column 'score'", problems))


def _agree(made: Inputs, where: dict[str, str], problems: Collector) -> None:
    """Faces that are named twice or unknown, pairs of one face or given again, versions that change within a run."""
    scores, faces = made.confidences, made.faces
    _tell(where["faces"], faces.duplicated("face"), "names a face of a row above", problems)
    _tell(where["faces"], (faces == "").any(axis=1), "has an empty cell", problems)
    for side in ("left", "right"):
        _tell(where["confidences"], ~scores[side].isin(faces["face"]), f"{side}: a face that no query has", problems)
    _tell(where["confidences"], scores["left"] == scores["right"], "compares a face with itself", problems)
    _tell(where["hand labels"], ~made.hand["face"].isin(faces["face"]), "labels a face that no query has", problems)
    _one_version(where["confidences"], scores, problems)
    if made.before is not None:
        _one_version(where["before"], made.before, problems)
        _before(where["before"], scores, made.before, problems)


def _one_version(where: str, scores: pd.DataFrame, problems: Collector) -> None:
    """Each service has one version in a table, which gives a pair one score."""
    again = scores.duplicated(["service", "version", "left", "right"])
    _tell(where, again, "has the service, left and right of a row above", problems)
    versions = scores.groupby("service")["version"].nunique()
    for name in versions[versions > 1].index:
        hint = "give the scores of the earlier version as --before"
        problems.add(where, f"service {name!r} has {versions[name]} versions", hint)


def _before(where: str, scores: pd.DataFrame, before: pd.DataFrame, problems: Collector) -> None:
    """An earlier test is one of the same services in other versions."""
    now, then = (some.groupby("service")["version"].first() for some in (scores, before))
    both = sorted(now.index.intersection(then.index))
    if not both:
        problems.add(where, "has no service that is tested now", "services go by their names: call both alike")
    for name in both:
        if now[name] and now[name] == then[name]:
            what = f"service {name!r} has the same version in both tests"
            problems.add(where, what, "a change over time is one between two versions: give each its own")


def typed(made: Inputs) -> Inputs:
    """The same, as typed tables."""
    models = (Confidences, Faces, QueryGroups, HandLabels)
    named = (some[[*model.to_schema().columns]] for some, model in zip(made[:4], models, strict=True))
    checked = (check(some, model, model.__name__) if len(some) else empty(model)
               for some, model in zip(named, models, strict=True))  # fmt: skip
    return made._replace(**dict(zip(Inputs._fields, checked, strict=False)))


def _texts(table: pd.DataFrame) -> pd.DataFrame:
    plain = table.reset_index(drop=True)
    ids = {name: identities(plain[name]) for name in IDS if name in plain}
    return plain.fillna("").astype(str).apply(lambda column: column.str.strip()).assign(**ids)


def _numbers(cells: pd.Series, where: str, problems: Collector) -> pd.Series:
    numbers = pd.to_numeric(cells.where(cells != ""), errors="coerce").astype(float)
    wrong = (cells != "").to_numpy() & ~np.isfinite(numbers.to_numpy())
    _tell(where, pd.Series(wrong), "is not a finite number", problems)
    return numbers


def _tell(where: str, wrong: pd.Series, what: str, problems: Collector) -> None:
    if wrong.any():
        rows = ", ".join(str(row + 1) for row in np.flatnonzero(wrong)[:SHOWN])
        problems.add(where, f"{counted(int(wrong.sum()), 'row')}, first {rows}: {what}")
