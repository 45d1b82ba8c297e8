"""Counts of what is never told per person, so that neither one release nor two tell anything of a few people.

A cell is a value of an attribute; who has it are its members. What is told of a cell is remembered with its members,
and is told again, unchanged, until at least 10 people differ: whether it is shown, and with which number.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pandas as pd

LEAST = 10
ROUNDED_TO = 5
COLUMNS = ["attribute", "value", "subjects"]

Key = tuple[str, str]
"""attribute, value"""


class Cell(NamedTuple):
    """What was told of a cell (None: nothing); of whom (ids of subjects); how many more were erased since."""

    told: int | None
    members: frozenset[str]
    erased: int = 0

    @property
    def size(self) -> int:
        """How many members it had when it was told."""
        return len(self.members) + self.erased


UNKNOWN = Cell(None, frozenset())
Patience = Callable[[Key, Cell], int]
"""How many people must differ in a cell before something else is told of it: 10 or more."""


def at_least(key: Key, cell: Cell) -> int:
    """The patience of nobody who guesses."""
    return LEAST


def members(rows: pd.DataFrame) -> dict[Key, frozenset[str]]:
    """Cell -> its members, from rows of attributes (attribute, value, subject)."""
    found = rows.groupby(["attribute", "value"])["subject"].agg(frozenset)
    return {key: found[key] for key in found.index}


def told(
    now: Mapping[Key, frozenset[str]], before: Mapping[Key, Cell], patience: Patience = at_least
) -> dict[Key, Cell]:
    """What is told of each cell, given who has it now and what was told before.

    A cell is told anew where as many people as `patience` says, at least 10, joined or left it since it was told; any
    other stays as it was told. Anew, fewer than 10 people are not shown, and numbers are rounded to multiples of 5.
    What an attribute hides must be nobody, or at least two cells and 10 people together: else the smallest cells that
    are told anew are hidden too; where there is none to hide, all of the attribute stays as it was told.
    """
    attributes = sorted({attribute for attribute, _ in (*now, *before)})
    return {key: cell for a in attributes for key, cell in _attribute(_of(now, a), _of(before, a), patience).items()}


def shown(cells: Mapping[Key, Cell]) -> pd.DataFrame:
    """attribute, value, subjects: the cells of which something is told."""
    rows = [(*key, cell.told) for key, cell in sorted(cells.items()) if cell.told is not None]
    return pd.DataFrame(rows, columns=COLUMNS)


def forgotten(cells: Mapping[Key, Cell], subjects: frozenset[str]) -> dict[Key, Cell]:
    """The cells without the ids of subjects; that they were told of is kept as a number."""
    return {
        key: Cell(cell.told, cell.members - subjects, cell.erased + len(cell.members & subjects))
        for key, cell in cells.items()
    }


def _of(cells: Mapping[Key, object], attribute: str) -> dict:
    return {key: cell for key, cell in cells.items() if key[0] == attribute}


def _attribute(now: dict[Key, frozenset[str]], before: dict[Key, Cell], patience: Patience) -> dict[Key, Cell]:
    free, cells = {}, dict(before)
    for key in sorted({*now, *before}):
        has, was = now.get(key, frozenset()), before.get(key, UNKNOWN)
        if len(has ^ was.members) + was.erased >= patience(key, was):
            free[key] = Cell(_rounded(len(has)), has)
        elif key not in before:
            cells[key] = Cell(None, has)
    cells |= free
    while _gives_away(cells.values()):
        candidates = [(cell.told, key) for key, cell in free.items() if cell.told is not None]
        if not candidates:
            return dict(before) if free else cells
        _, smallest = min(candidates)
        cells[smallest] = free[smallest] = free[smallest]._replace(told=None)
    return {key: cell for key, cell in cells.items() if cell.size}


def _rounded(count: int) -> int | None:
    return round(count / ROUNDED_TO) * ROUNDED_TO if count >= LEAST else None


def _gives_away(cells: Iterable[Cell]) -> bool:
    """Whether what is hidden could be found by subtraction: one cell alone, or fewer than 10 people."""
    hidden = [cell.size for cell in cells if cell.told is None and cell.size]
    return bool(hidden) and (len(hidden) == 1 or sum(hidden) < LEAST)
