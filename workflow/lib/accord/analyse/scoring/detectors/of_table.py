"""The fairness benchmark of a table of one's own: a data frame, CSV or Parquet, without the workflow."""

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.plain import names, reading, roles
from accord.analyse.plain.options import MOST_BOOTSTRAPS, SOME_BOOTSTRAPS, check_seed
from accord.analyse.scoring.detectors import benchmark
from accord.analyse.scoring.individual import EVERY
from accord.errors import Collector, all_problems
from accord.grouping import WHOLE

MOST_GROUPS = 200
"""A column of text with more values is taken for ids."""
LISTS = (list, tuple, set, dict, np.ndarray)
SHOWN = 20
WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")
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

    y_true: truths, two values, of which `pos_label` is fake; y_score: the probability of being fake; subject: of whom
    the bootstrap draws. These are told by usual names where not given; without people each row is drawn alone.
    attributes: columns of groups; crossed: those that intersections of up to `most` combine, none for all. features:
    columns of numbers (`f*` is all that begin so) in which F_IND measures distances: of all pairs up to `pairs` of
    them, else of as many drawn ones. Raises AccordError with all problems at once.
    """
    known = reading.read(table)
    known = known.set_axis(known.columns.map(str), axis=1)
    told = (("y_true", y_true, names.Y_TRUE), ("y_score", y_score, SCORES), ("subject", subject, names.SUBJECT))
    free = [name for name in known.columns if name not in attributes]
    columns = {role: said or names.first(free, usual) for role, said, usual in told}
    with all_problems() as problems:
        _check_options(most, threshold, pairs, bootstraps, problems)
        check_seed(seed, problems)
        chosen = _check_columns(known, columns, attributes, features, problems)
        for name in sorted(set(crossed) - set(attributes)):
            problems.add("crossed", f"{name!r} is not one of the attributes", "name it under both")
    with all_problems() as problems:
        labels = _labels(known[columns["y_true"]], pos_label, problems)
        scores = _scores(known[columns["y_score"]], problems)
        single = {name: _groups(known[name], problems) for name in attributes}
        people = _people(known[columns["subject"]], problems) if columns["subject"] else None
        points = _points(known, chosen, problems) if chosen else None
    faces = benchmark.Faces(labels, scores, people, benchmark.intersected(single, crossed or attributes, most))
    found = benchmark.unfairness(faces, threshold=threshold, bootstraps=bootstraps, seed=seed)
    if points is not None:
        space = "1 column" if len(chosen) == 1 else f"{len(chosen)} columns"
        found = pd.concat([found, benchmark.individuals(scores, points, space, every=pairs, seed=seed)])
    remarks = [
        f"{role} is column {name!r}." for role, name in columns.items() if name not in ("", y_true, y_score, subject)
    ]
    if (scores == labels).all():
        remarks.append("Every score is the truth itself: check that the columns are the right ones.")
    alone = [] if columns["subject"] else ["No column of people is known, so intervals draw each face by itself."]
    return Found(found.reset_index(drop=True), benchmark.utility(faces, threshold=threshold), (*remarks, *alone))


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


def _labels(column: pd.Series, positive: Any, problems: Collector) -> np.ndarray:
    where, cells = f"column {column.name!r}", _texts(column, _label)
    values, fake = set(cells.cat.categories), _label(positive)
    if lacking := int(cells.isna().sum()):
        problems.add(where, f"{lacking:,} row(s) have no truth", "every face needs one")
    elif len(values) != 2 or fake not in values:
        what = f"has {len(values)} different values" + (
            "" if fake in values else ", none of which is the label of fakes"
        )
        problems.add(where, what, "it needs two: the label of fakes (--pos-label, 1 by default) and that of real faces")
    return (cells == fake).to_numpy(bool)


def _scores(column: pd.Series, problems: Collector) -> np.ndarray:
    where, found = f"column {column.name!r}", roles.numeric(_as_printed(column))
    if found is None:
        problems.add(where, "has cells that are no numbers", "it needs the probability of being fake")
        return np.zeros(len(column))
    if lacking := int(found.isna().sum()):
        problems.add(where, f"{lacking:,} row(s) have no score", "every face needs one; leave out those without")
    elif not found.between(0, 1).all():
        hint = "give probabilities: 1 / (1 + exp(-logit)) of logits"
        problems.add(where, f"{int((~found.between(0, 1)).sum()):,} score(s) are not in [0, 1]", hint)
    return found.to_numpy(float)


def _groups(column: pd.Series, problems: Collector) -> pd.Categorical:
    found = _texts(column)
    if len(found.cat.categories) > MOST_GROUPS:
        what = f"has {len(found.cat.categories):,} different values"
        problems.add(f"column {column.name!r}", what, f"bin it into groups, {MOST_GROUPS} at most")
    elif not len(found.cat.categories):
        problems.add(f"column {column.name!r}", "is empty", "name a column of groups")
    return found.array


def _people(column: pd.Series, problems: Collector) -> np.ndarray:
    codes = _texts(column).cat.codes.to_numpy()
    if lacking := int((codes < 0).sum()):
        problems.add(f"column {column.name!r}", f"{lacking:,} row(s) have no subject", "every row needs a subject")
    return codes


def _points(table: pd.DataFrame, chosen: Sequence[str], problems: Collector) -> np.ndarray:
    made = np.zeros((len(table), len(chosen)))
    for place, name in enumerate(chosen):
        found = roles.numeric(table[name])
        if found is None or not np.isfinite(found).all():
            hint = "features are numbers, without gaps"
            problems.add(f"column {name!r}", "has cells that are no finite numbers", hint)
        else:
            made[:, place] = found
    return made


def _as_printed(column: pd.Series) -> pd.Series:
    """Numbers of 32 bits or fewer as the decimals that they are printed as: 0.7 is not below a threshold of 0.7."""
    if column.dtype.kind != "f" or getattr(column.dtype, "itemsize", 8) >= 8:
        return column
    short = column.to_numpy(np.dtype(f"f{column.dtype.itemsize}"), na_value=np.nan)
    return pd.Series(short.astype(str).astype(float), column.index, name=column.name)


def _texts(column: pd.Series, text_of: Callable[[Any], str] | None = None) -> pd.Series:
    """A column as categories of text, sorted; empty cells are none. 1.0 is the same as 1."""
    found = column.astype("category").cat
    texts = [(text_of or _text)(value) for value in found.categories]
    kept = sorted({*texts} - {""})
    place = {text: code for code, text in enumerate(kept)}
    codes = np.array([*(place.get(text, -1) for text in texts), -1])[found.codes]
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(kept, dtype=object)), name=column.name)


def _label(value: Any) -> str:
    """A label as `_text` of what a text of it says: `1.0` and `True` are 1, as where a file knows types."""
    text = _text(value)
    if whole := WHOLE_NUMBER.fullmatch(text):
        return whole[1]
    return {"true": "1", "false": "0"}.get(text.casefold(), text)


def _text(value: Any) -> str:
    whole = isinstance(value, bool | np.bool_ | float | np.floating) and float(value).is_integer()
    return str(int(value)) if whole else str(value).strip()
