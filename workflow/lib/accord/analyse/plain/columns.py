"""The columns of a plain table: scores as numbers, attributes as groups."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.plain import cells, kinds
from accord.analyse.plain.found import ONE
from accord.analyse.plain.scale import check_scale
from accord.analyse.scoring.metrics import BOUNDED
from accord.analyse.tables.scores import Scores
from accord.engine.table import empty
from accord.errors import Collector
from accord.grouping import BETWEEN
from accord.statistics.cohort import PERSON, numbered
from accord.statistics.distinct import distinct
from accord.text.identity import clashes, identity
from accord.text.nouns import counted

MANY = 500
"""An attribute with more groups is a number or a name, and no attribute."""
SHOWN = 5
UNDEFINED = "no score"
NOT_DEFINED = "the metric leaves them out"
"""Of rows: precision does those that are not predicted positive."""
TRUTHS = {"true": 1.0, "false": 0.0, "": np.nan}


class Columns(NamedTuple):
    """Which column says what; "" for none. scores: one or more; with `metric` (long tables) one."""

    scores: tuple[str, ...]
    subject: str
    image: str
    task: str
    model: str
    metric: str
    attributes: tuple[str, ...]

    def named(self) -> list[str]:
        """All of them."""
        return [*self.scores, *filter(None, self[1:6]), *self.attributes]


def scores(
    table: pd.DataFrame, key: pd.DataFrame, columns: Columns, problems: Collector, computed: bool = False
) -> pd.DataFrame:
    """A table like Scores; adds what is wrong with the numbers to `problems`. computed: from truths and predictions, so
    that a metric without a value isn't defined."""
    made, empty_ones = [empty(Scores)], []
    named = told(table, columns, ("task", "model", "metric"))
    for name in columns.scores:
        values = _numbers(table[name], name, problems)
        empty_ones += [name] if np.isnan(values).all() else []
        metric = named["metric"] if columns.metric else name
        note = np.where(np.isnan(values), NOT_DEFINED if computed else UNDEFINED, "")
        made.append(key.assign(**named.assign(metric=metric), value=values, note=note))
    if not computed and not problems and len(empty_ones) == len(columns.scores):
        for name in empty_ones:
            problems.add(f"column {name!r}", "has no score")
    (whole,) = numbered(pd.concat(made[min(1, len(columns.scores)) :], ignore_index=True))
    _range(whole, problems)
    _once(whole, columns, problems)
    return whole


def told(table: pd.DataFrame, columns: Columns, which: Sequence[str]) -> pd.DataFrame:
    """The columns of `which` (task, model, metric) as texts; ONE where there is none."""
    said = {what: getattr(columns, what) for what in which}
    return pd.DataFrame({what: cells.texts(table[name]) if name else ONE for what, name in said.items()}, table.index)


def groups(table: pd.DataFrame, key: pd.DataFrame, name: str, separator: str, problems: Collector) -> pd.DataFrame:
    """The groups of one attribute, a table like Members; adds to `problems` what can't be an attribute."""
    where = f"column {name!r}"
    row, group, names = cells.labels(table[name], separator)
    if not len(names):
        problems.add(where, "is empty: there are no groups", "leave it out")
    elif len(names) > MANY:
        problems.add(where, f"has {len(names):,} different values", "bin numbers into groups first, or leave it out")
    if any(BETWEEN in str(label) for label in names):
        problems.add(
            where, f"has values with {BETWEEN!r} in them, which separates the groups of intersections", "rename them"
        )
    if hidden := sum(not str(label).isprintable() for label in names):
        problems.add(
            where, f"has {counted(hidden, 'value')} with line breaks or other control characters", "remove them"
        )
    person = pd.factorize(numbered(key)[0][PERSON])[0]
    _agree(person, row, group, len(names), where, problems)
    once = np.unique(person[row] * max(1, len(names)) + group, return_index=True)[1]
    found = key.iloc[row[once]].reset_index(drop=True)
    return found.assign(attribute=name, group=pd.Series(names, dtype=str).take(group[once]).to_numpy())


def one_spelling(column: pd.Series, kind: str, problems: Collector) -> None:
    """Adds to `problems` people or images (`kind`) that are written in several ways: each would count as so many."""
    ids = column.dropna().astype(str).unique()
    if several := sum(map(len, clashes(ids, lambda text: identity(text).removesuffix(".0")))):
        what = f"{several} of the {kind} differ from another only by blanks, signs that look alike, or a last .0"
        problems.add(f"column {column.name!r}", what, "write each id in one way, or they count as several")


def with_numbers(column: pd.Series) -> pd.Series:
    """A column of True and False (also as texts, in any case, with empty cells) as 1 and 0; any other as it is."""
    if column.dtype.kind in "iuf" or kinds.kind(column):
        return column
    code, values = pd.factorize(column)
    known = [TRUTHS.get(str(value).strip().lower()) for value in values]
    if not any(isinstance(one, float) and one == one for one in known) or None in known:
        return column
    return pd.Series(np.array([*known, np.nan])[code], column.index, name=column.name)


def row_numbers(found: Any) -> str:
    """Rows as messages tell them: the first few, counted from 1 below the header."""
    return ", ".join(str(int(row) + 1) for row in found[:SHOWN])


def _numbers(column: pd.Series, name: str, problems: Collector) -> np.ndarray:
    column = with_numbers(column)
    given = column.replace("", np.nan) if column.dtype.kind not in "iufb" else column
    values = pd.to_numeric(given, errors="coerce").to_numpy(float, na_value=np.nan)
    strange = np.flatnonzero((np.isnan(values) & given.notna().to_numpy(bool)) | np.isinf(values))
    strange = [row for row in strange if str(given.iloc[row]).lower() != "nan"]
    if strange:
        first = str(given.iloc[strange[0]])
        what = f"{len(strange)} value(s) are not finite numbers, first in rows {row_numbers(strange)}"
        comma = first.count(",") == 1 and first.replace(",", "").strip().isdigit()
        what += "; the first has a decimal comma" if comma else ""
        hint = "write 0.53, not 0,53" if comma else "leave the cell empty where there is no score"
        problems.add(f"column {name!r}", what, hint)
    elif not np.isnan(values).all():
        check_scale(values, f"column {name!r}", problems)
    return values


def _range(made: pd.DataFrame, problems: Collector) -> None:
    outside = made["metric"].isin(BOUNDED) & ((made["value"] < 0) | (made["value"] > 1))
    for metric, some in made[outside].groupby("metric", sort=True):
        hint = "divide percentages by 100; if it is another metric, give it another name"
        problems.add(f"metric {metric!r}", f"{len(some)} value(s) are outside 0 to 1, the range of this metric", hint)


def _once(made: pd.DataFrame, columns: Columns, problems: Collector) -> None:
    rows = max(1, len(made) // max(1, len(columns.scores)))
    twice = np.flatnonzero(made.duplicated(["task", "model", "metric", PERSON])) % rows
    if len(twice):
        what = f"{len(twice)} row(s) are duplicates, first rows {row_numbers(twice)}"
        hint = "use one row per image and subject (and task, model, metric), and give those columns"
        problems.add("rows", what, hint)


def _agree(person: np.ndarray, row: np.ndarray, group: np.ndarray, k: int, where: str, problems: Collector) -> None:
    """All rows of a person in an image must name the same groups."""
    union = distinct(person[row] * max(1, k) + group) // max(1, k)
    many = int(person.max(initial=-1)) + 1
    expected = np.bincount(person, minlength=many) * np.bincount(union, minlength=many)
    differ = int((np.bincount(person[row], minlength=many) != expected).sum())
    if differ:
        what = f"has different values for the same person in the same image, in {differ} cases"
        problems.add(where, what, "an attribute must be the same in all rows of an image and subject")
