"""The fairness benchmark of a table of one's own: a data frame, CSV or Parquet, without the workflow."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.plain import names, reading
from accord.analyse.plain.options import MOST_BOOTSTRAPS, SOME_BOOTSTRAPS, check_seed
from accord.analyse.scoring.detectors import benchmark, cells
from accord.analyse.scoring.individual import EVERY
from accord.errors import Collector, all_problems
from accord.grouping import WHOLE
from accord.statistics.clusters import joined

LISTS = (list, tuple, set, dict, np.ndarray)
SHOWN = 20
SCORES = (*names.Y_SCORE, "score", "probability_fake", "p_fake")


class Found(NamedTuple):
    """unfairness: a table like Unfairness; utility: like Utility; remarks: sentences."""

    unfairness: pd.DataFrame
    utility: pd.DataFrame
    remarks: tuple[str, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Name of a file -> its table."""
        return {"unfairness": self.unfairness, "utility": self.utility}


def analyse_fairness(
    table: pd.DataFrame | Path | str,
    *,
    attributes: Sequence[str],
    y_true: str = "",
    y_score: str = "",
    pos_label: Any = 1,
    subject: str = "",
    crossed: Sequence[str] = (),
    most: int = 1,
    threshold: float = 0.5,
    features: Sequence[str] = (),
    pairs: int = EVERY,
    bootstraps: int = 1000,
    seed: int = 1,
) -> Found:
    """Utility and AI-Face's fairness metrics of a detector's table with a row per face.

    y_true: truths, of which `pos_label` is fake and any other one real (where all faces are of one kind, metrics that
    take both are missing); y_score: the probability of being fake; subject: of whom the bootstrap draws. These are told
    by usual names where not given; without people each row is drawn alone. People whose faces are in one image, where
    a column is named like images, are drawn together. attributes: columns of groups; crossed:
    those that intersections of up to `most` combine, none for all. features: columns of numbers (`f*` is all that begin
    so) in which F_IND measures distances: of all pairs up to `pairs` of them, else of as many drawn ones. Raises
    AccordError with all problems at once.
    """
    known = reading.read(table, (*attributes, y_true, y_score, subject, *crossed, *features))
    known = known.set_axis(known.columns.map(str), axis=1)
    told = (("y_true", y_true, names.Y_TRUE), ("y_score", y_score, SCORES), ("subject", subject, names.SUBJECT))
    free = [name for name in known.columns if name not in attributes]
    columns = {role: said or names.first(free, usual) for role, said, usual in told}
    columns["image"] = names.first([name for name in free if name not in columns.values()], names.IMAGE)
    with all_problems() as problems:
        _check_options(most, threshold, pairs, bootstraps, problems)
        check_seed(seed, problems)
        chosen = _check_columns(known, columns, attributes, features, problems)
        for name in sorted(set(crossed) - set(attributes)):
            problems.add("crossed", f"{name!r} is not one of the attributes", "name it under both")
    with all_problems() as problems:
        labels = cells.labels(known[columns["y_true"]], pos_label, problems)
        scores = cells.scores(known[columns["y_score"]], problems)
        single = {name: cells.groups(known[name], problems) for name in attributes}
        people = cells.people(known[columns["subject"]], problems) if columns["subject"] else None
        images = cells.images(known[columns["image"]]) if columns["image"] else None
        points = cells.points(known, chosen, problems) if chosen else None
    units = people if images is None else joined(images, np.arange(len(known)) if people is None else people)
    faces = benchmark.Faces(labels, scores, units, benchmark.intersected(single, crossed or attributes, most))
    found = benchmark.unfairness(faces, threshold=threshold, bootstraps=bootstraps, seed=seed)
    if points is not None:
        space = "1 column" if len(chosen) == 1 else f"{len(chosen)} columns"
        found = pd.concat([found, benchmark.individuals(scores, points, space, every=pairs, seed=seed)])
    remarks = [
        f"{role} is column {name!r}." for role, name in columns.items() if name not in ("", y_true, y_score, subject)
    ]
    remarks += _remarks(labels, scores, threshold)
    if not columns["subject"]:
        remarks.append("No column of people is known, so intervals draw each face by itself.")
    return Found(found.reset_index(drop=True), benchmark.utility(faces, threshold=threshold), tuple(remarks))


def _remarks(labels: np.ndarray, scores: np.ndarray, threshold: float) -> list[str]:
    """What figures can't tell of these truths and scores, or would be misread for."""
    found = []
    if labels.all() or not labels.any():
        kind, missing = ("fake", "FPR") if labels.all() else ("real", "TPR")
        found.append(
            f"All faces are {kind}: AUC, AP, EER, {missing}, F_MEO and F_EO take both kinds and are undefined."
        )
    if idle := benchmark.idle(scores, threshold):
        found.append(f"{idle}: that it treats groups alike shows nothing.")
    elif (scores == labels).all():
        found.append("Every score is the truth itself: check that the columns are the right ones.")
    return found


def _check_options(most: int, threshold: float, pairs: int, bootstraps: int, problems: Collector) -> None:
    if not 1 <= most <= 4:
        problems.add("most", f"is {most}", "intersect 1 to 4 attributes")
    if not 0 < threshold <= 1:
        problems.add("threshold", f"is {threshold}", "give a probability above 0 and at most 1")
    if pairs < 2:
        problems.add("pairs", f"is {pairs}", "compare at least 2 pairs of faces")
    if bootstraps and not 100 <= bootstraps <= MOST_BOOTSTRAPS:
        problems.add("bootstraps", f"is {bootstraps}", f"give 0 (no intervals), or {SOME_BOOTSTRAPS}")


def _check_columns(
    table: pd.DataFrame, roles_: dict[str, str], attributes: Sequence[str], features: Sequence[str], problems: Collector
) -> list[str]:
    """The feature columns; problems of what isn't there."""
    if not len(table):
        problems.add("table", "has no rows", "give a row per face")
    for role in ("y_true", "y_score"):
        if not roles_[role]:
            problems.add(role, "no column has a usual name", f"name it: --{role.replace('_', '-')} COLUMN")
    if not attributes:
        problems.add("attributes", "are not given", "name the columns of groups: --attributes COLUMN ...")
    if roles_["y_true"] and roles_["y_true"] == roles_["y_score"]:
        problems.add(
            "y_score", f"is column {roles_['y_true']!r}, the truth itself", "name the detector's probabilities"
        )
    if WHOLE in attributes:
        problems.add("attributes", f"{WHOLE!r} is what all faces together are called", "rename the column")
    for name in sorted({name for name in attributes if list(attributes).count(name) > 1}):
        problems.add("attributes", f"{name!r} is named more than once")
    for name in dict.fromkeys([*filter(None, roles_.values()), *attributes]):
        if name not in table.columns:
            hint = f"its columns are {', '.join(map(repr, table.columns[:SHOWN]))}"
            problems.add("table", f"has no column {name!r}", hint)
        elif list(table.columns).count(name) > 1:
            problems.add("table", f"has column {name!r} more than once", "give each column a unique name")
        elif table[name].map(lambda cell: isinstance(cell, LISTS)).any():
            problems.add(f"column {name!r}", "holds lists", "give one value in each cell")
    found = {pattern: [c for c in table.columns if c == pattern or fnmatchcase(c, pattern)] for pattern in features}
    for pattern in (pattern for pattern, some in found.items() if not some):
        problems.add("features", f"no column is {pattern!r}", "name columns of numbers, or a beginning such as 'f*'")
    return list(dict.fromkeys(name for some in found.values() for name in some))
