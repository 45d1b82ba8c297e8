"""The blocks that pages are made of: each with an id by which `accord audit` traces it to its tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from accord.analyse.scoring.metrics import rises
from accord.pages.ranges import Axis, Mark
from accord.report.telling import quantities

SHOWN = 2000
"""Most rows of a table on a page; the rest is in the exports."""


class Words(NamedTuple):
    """Paragraphs."""

    paragraphs: list[str]
    kind: str = "words"


class Grid(NamedTuple):
    """A table that can be sorted and filtered. `numeric`: which columns are numbers."""

    id: str
    caption: str
    columns: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    left_out: int = 0
    folded: bool = False
    kind: str = "grid"


class Chart(NamedTuple):
    """A drawing with the table behind it."""

    id: str
    caption: str
    svg: str
    behind: Grid
    kind: str = "chart"


class Cell(NamedTuple):
    """A cell of a heat map: `level` 0 (pale) to 8 (strong), -1 for nothing; `tip` says it in words."""

    text: str
    small: str = ""
    level: int = -1
    tip: str = ""


class Heat(NamedTuple):
    """A table whose cells are coloured. `rows`: (label, cells); a row without cells is a heading."""

    id: str
    caption: str
    corner: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]
    low: str
    high: str
    kind: str = "heat"


class Map(NamedTuple):
    """Shares over the cells of a picture, the top row first. `levels`: 0 to 8 of each cell."""

    id: str
    caption: str
    shares: list[list[str]]
    levels: list[list[int]]
    kind: str = "map"


class Node(NamedTuple):
    """A node of a tree."""

    label: str
    text: str
    share: int
    children: list
    kind: str = "node"


class Tree(NamedTuple):
    """A tree of conditions."""

    id: str
    caption: str
    root: Node
    kind: str = "tree"


class Answers(NamedTuple):
    """Questions with a short answer and what is behind it, by one measure, which `title` names."""

    id: str
    title: str
    answers: list[dict[str, str]]
    kind: str = "answers"


class Glance(NamedTuple):
    """A row for each model, with its answers; headings: the questions."""

    id: str
    caption: str
    rows: list[dict[str, Any]]
    headings: list[str]
    kind: str = "glance"


class RangesRow(NamedTuple):
    """A model in the first figure: its marks on the axis; sides: (what it is called, how it looks, the group with its
    figure); note: what must be said of them; left: which groups were not compared, "" for none."""

    model: str
    about: str
    marks: list[Mark]
    sides: list[tuple[str, str, str]]
    note: str
    left: str


class Ranges(NamedTuple):
    """Rows of intervals on one axis, whose title is `title`; groups: the heading of the groups' names."""

    id: str
    caption: str
    title: str
    groups: str
    axis: Axis
    rows: list[RangesRow]
    kind: str = "ranges"


class Section(NamedTuple):
    """A part of a page; `empty` is said where it has no blocks."""

    id: str
    title: str
    intro: str
    blocks: list[Any]
    empty: str = ""


def grid(id: str, caption: str, table: pd.DataFrame, *, folded: bool = False) -> Grid:
    """A table as a grid: its columns as they are named, numbers with three digits; no column of empty texts."""
    numbers = {name for name in table if _is_number(table[name])}
    table = table.drop(columns=[name for name in table if name not in numbers and (table[name] == "").all()])
    numeric = [name in numbers for name in table]
    shown = [quantities.p if name == "p" or name.startswith("p ") else cell for name in table]
    rows = [
        [show(value) for show, value in zip(shown, row, strict=True)]
        for row in table.head(SHOWN).itertuples(index=False, name=None)
    ]
    return Grid(id, caption, list(table.columns), rows, numeric, max(len(table) - SHOWN, 0), folded)


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def cell(value: Any) -> str:
    """A value as a table shows it."""
    if isinstance(value, str):  # most are: nothing else need be asked of them
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "yes" if value else "no"
    if pd.isna(value):
        return ""
    if not isinstance(value, float):
        return f"{value}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"


def level(value: float, low: float, high: float) -> int:
    """Where a value stands between two others, as a level of colour from 0 to 8; -1 where it is unknown."""
    if pd.isna(value):
        return -1
    return round(8 * min(max((value - low) / ((high - low) or 1), 0), 1))


def worse(value: float, low: float, high: float, metric: str) -> int:
    """The same, the stronger the worse the score of a metric is; the higher, where neither is better."""
    return level(value, low, high) if rises(metric) else level(-value, -high, -low)


def scale(low: float, high: float, metric: str) -> tuple[str, str]:
    """The ends of the colours of `worse`: from no colour to the strongest."""
    ends = (f"{low:.2f}", f"{high:.2f}")
    return ends if rises(metric) else ends[::-1]


def picked(table: pd.DataFrame, columns: dict[str, str] | Sequence[str]) -> pd.DataFrame:
    """The columns of a table that are shown, under the names that people read."""
    return table[list(columns)].rename(columns=dict(columns) if isinstance(columns, dict) else {})
