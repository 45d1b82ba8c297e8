"""Which column of a table is what, where the call doesn't say: told in remarks, so that nobody has to guess."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.plain import ages, identifying, kinds, names
from accord.analyse.plain.columns import Columns, with_numbers
from accord.analyse.plain.kinds import numeric
from accord.text.nouns import counted, listed

OUTCOMES = {"y_true": names.Y_TRUE, "y_pred": names.Y_PRED, "y_score": names.Y_SCORE}
ROW = "(row)"
"""The column of people where none is known."""
CODES = 12
"""A column of whole numbers with more different values is a measurement, with at most so many codes of groups."""
NO_SCORES = "is named like scores, but "
ENOUGH = 5
"""So many rows for each pair of values tell that two columns say the same; fewer may agree by chance."""


class Roles(NamedTuple):
    """The table, with ages binned; its columns; outcomes: y_true, y_pred, y_score -> column, empty with a score;
    numbers: columns that are measurements, to be held fixed; lower: scores of which lower is better; remarks:
    sentences."""

    table: pd.DataFrame
    columns: Columns
    outcomes: dict[str, str]
    numbers: dict[str, pd.Series]
    lower: tuple[str, ...]
    remarks: tuple[str, ...]


def assign(table: pd.DataFrame, said: Columns, outcomes: Mapping[str, str], separator: str = "") -> Roles:
    """The columns that are given, and for those that aren't, the ones that their names or values tell.

    outcomes: of truths and predictions, "" for none. Groups are made of all columns left that don't look like an
    outcome, an id or a measurement; a remark says which do.
    """
    remarks: list[str] = []
    found, outcomes, lower = _by_name(table, said, {name: outcomes[name] for name in OUTCOMES}, remarks)
    numbers: dict[str, pd.Series] = {}
    chosen = list(said.attributes)
    if not chosen:
        taken = [*found.named(), *filter(None, outcomes.values())]
        outcome = [table[name] for name in (*found.scores, *outcomes.values()) if name in table.columns]
        plain = [column for column in outcome if kinds.kind(column) in ("", kinds.TIMES)]
        sides = [column.astype(str) for column in plain if column.nunique() <= CODES]  # others are nobody's alias
        rest = [str(name) for name in table.columns if str(name) not in taken]
        people = _people(table, found.subject)

        def named(column: pd.Series) -> str:
            return identifying.identifies(column, people, separator)

        chosen = [name for name in rest if _is_group(name, table[name], sides, named, numbers, remarks)]
    table = _with_ages(table, chosen, remarks)
    return Roles(table, found._replace(attributes=tuple(chosen)), outcomes, numbers, lower, tuple(remarks))


def _people(table: pd.DataFrame, subject: str) -> np.ndarray | None:
    """A number for each row's person; None where no column says who it is."""
    if subject not in table.columns or kinds.kind(table[subject]) == kinds.BYTES:
        return None
    return pd.factorize(table[subject].astype(str))[0]


def _by_name(
    table: pd.DataFrame, said: Columns, outcomes: dict[str, str], remarks: list[str]
) -> tuple[Columns, dict[str, str], tuple[str, ...]]:
    """Columns and outcomes, with those of usual names; and the scores among them of which lower is better."""
    taken, guessed, lower = {*said.named(), *outcomes.values()}, [], ()
    free = [name for name in table.columns if str(name) not in taken]
    if not said.scores and not any(outcomes.values()):
        named = names.every(free, {*names.SCORE, *names.LOWER})
        scores = [name for name in named if numeric(with_numbers(table[name])) is not None]
        lower = tuple(names.every(scores, names.LOWER))
        said = said._replace(scores=tuple(scores))
        guessed += [f"scores in {_quoted(scores)}"] if scores else []
        remarks += [f"{name!r} {_no_scores(table[name])}." for name in named if name not in scores]
        guessed += [f"lower is better for {_quoted(lower)}"] if lower else []
        outcomes = outcomes if scores else {name: names.first(free, known) for name, known in OUTCOMES.items()}
        guessed += [f"{name} in {column!r}" for name, column in outcomes.items() if column]
    if not said.subject and (subject := names.first(free, names.SUBJECT)):
        said, guessed = said._replace(subject=subject), [*guessed, f"people in {subject!r}"]
    if not said.image and (image := names.first(free, names.IMAGE)):
        said, guessed = said._replace(image=image), [*guessed, f"images in {image!r}"]
    if guessed:
        remarks.append(f"Columns recognised by name: {listed(guessed)}.")
    return said, outcomes if any(outcomes.values()) else {}, lower


def _no_scores(column: pd.Series) -> str:
    """Why a column that is named like scores holds none."""
    strange, filled = kinds.without_number(column)
    if not filled:
        return f"{NO_SCORES}is empty"
    cells = f"{strange:,} of its {counted(filled, 'filled cell')}"
    why = f"{NO_SCORES}no finite number is in {cells}, so it is not read as such"
    return why if strange == filled else f"{why}. Leave cells empty where there is no score"


def _is_group(
    name: str,
    column: pd.Series,
    sides: Sequence[pd.Series],
    identifies: Callable[[pd.Series], str],
    numbers: dict[str, pd.Series],
    remarks: list[str],
) -> bool:
    """Whether a column that nobody named is an attribute; a remark says why not.

    sides: scores, truths, predictions; identifies: why a column is taken for names or ids, "" where it isn't.
    """
    if kinds.kind(column) == kinds.BYTES:
        remarks.append(f"{name!r} holds {kinds.BYTES}.")
        return False
    cells, known = column.astype(str), numeric(column)
    filled = int((column.notna() & (cells != "")).sum())
    if names.is_outcome(name) or any(_is_alias(cells, side) for side in sides):
        why = "looks like an outcome, so groups are not compared by it. If they should be, name it as an attribute"
    elif not filled:
        why = "is empty"
    elif known is not None and names.is_age(name) and (strange := ages.impossible(known)):
        numbers[name], why = (
            known,
            f"has {counted(strange, 'value')} below 0 or above {ages.OLDEST}, so it is not read as ages in years "
            "and only held fixed. If these mean that the age is unknown, leave those cells empty",
        )
    elif known is not None and not (names.is_age(name) and ages.is_raw(known)) and _measures(known):
        numbers[name], why = (
            known,
            "holds measurements. It is only held fixed to explain differences; to compare groups by it, bin it",
        )
    elif known is None and (ids := identifies(column)):
        why = ids
    else:
        return True
    remarks.append(f"{name!r} {why}.")
    return False


def _measures(known: pd.Series) -> bool:
    """Whether numbers are measurements, and not codes of groups."""
    return known.nunique() > CODES or bool((known.dropna() % 1 != 0).any())


def _is_alias(one: pd.Series, other: pd.Series) -> bool:
    """Whether two columns say the same in other words: each value of one goes with one value of the other."""
    pairs = pd.DataFrame({"one": one, "other": other}).drop_duplicates()
    few = 1 < len(pairs) <= CODES and len(one) >= ENOUGH * len(pairs)
    return few and not pairs["one"].duplicated().any() and not pairs["other"].duplicated().any()


def _with_ages(table: pd.DataFrame, chosen: list[str], remarks: list[str]) -> pd.DataFrame:
    """The table with ages in years as groups, each said in a remark."""
    for name in chosen:
        known = numeric(table[name]) if name in table.columns and names.is_age(name) else None
        if known is not None and ages.is_raw(known):
            table = table.assign(**{name: ages.binned(known)})
            told = listed(list(ages.LABELS))
            remarks.append(
                f"{name!r} holds ages in years, which were binned: {told}. For other groups, bin it yourself."
            )
    return table


def _quoted(some: Sequence[str]) -> str:
    return listed([repr(name) for name in some])
