"""Rates of what models say, in words: shares as per cent, with interval and counts; names of outcomes and variants."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from accord.analyse.scoring.metrics import SAID
from accord.analyse.scoring.probe_outcomes import MISGENDERED, MISGENDERED_ALL, RIGHT
from accord.evaluate.tables.parts import VARIANTS
from accord.grouping import BETWEEN, WHOLE
from accord.report.drawing import charts
from accord.report.drawing.blocks import Cell, level
from accord.report.telling import names
from accord.report.telling.quantities import size

PLAIN = VARIANTS[0]
CALLED = dict(
    zip(VARIANTS, ("as it is", "people blacked out", "background blacked out", "people blurred"), strict=True)
)
"""Variant of a picture -> what people call it."""
DEFINITIONS = {
    MISGENDERED: "wrong pronoun, of those called she or he",
    MISGENDERED_ALL: "not called by their pronoun, of all",
}
ENDS = ("interval from", "interval to")
FIGURES = ("images", "people", "share", *ENDS, "note")
"""Headings of `figures`."""
FEW, MOST_DIGITS = 0.1, 3


def percent(share: float) -> str:
    """`31%`, `5.2%`; more digits where a share that is neither would read as 0% or 100%."""
    if share in (0, 1):
        return f"{share:.0%}"
    for digits in range(int(share < FEW), MOST_DIGITS + 1):
        text = f"{share:.{digits}%}"
        if float(text[:-1]) not in (0, 100):
            return text
    return "< 0.001%" if share < 0.5 else "> 99.999%"


def points(difference: float) -> str:
    """A difference of two shares: `+5.2 points`."""
    return f"{round(100 * difference, 1) + 0.0:+.1f} points"


def sure(row: Any) -> str:
    """`95% interval 28% to 34%; 800 images of 410 people`. row: low, high, images, subjects."""
    known = pd.notna(row.low) and pd.notna(row.high)
    return "; ".join([*([f"95% interval {percent(row.low)} to {percent(row.high)}"] if known else []), size(row)])


def figures(row: Any) -> tuple:
    """What a row of rates says: FIGURES."""
    return row.images, row.subjects, row.rate, row.low, row.high, row.note


def outcome(name: str) -> str:
    """What an outcome of a probe is called."""
    if name in DEFINITIONS:
        return DEFINITIONS[name]
    if name.startswith(SAID):
        return f"called “{name.removeprefix(SAID)}”"
    return f"{name.removesuffix(RIGHT).replace('_', ' ')} right" if name.endswith(RIGHT) else names.metric(name)


def group(label: str) -> str:
    """A group, or everyone."""
    return "Everyone" if label == WHOLE else names.group(label)


def cell(row: Any, most: float = 1.0) -> Cell:
    """A cell of a heat map: the share, the number of people, all else when asked for. row: of rates, None for none."""
    if row is None:
        return Cell("")
    about = f"{row.model}, {CALLED[row.part]}, {outcome(row.outcome)}, {group(row.group)}"
    if pd.isna(row.rate):
        return Cell("", f"n\u00a0=\u00a0{row.subjects}", -1, f"{about}: {row.note}")
    told = f"{about}: {percent(row.rate)}, {sure(row)}"
    return Cell(percent(row.rate), f"n\u00a0=\u00a0{row.subjects:,}", level(row.rate, 0, most), told)


def by(rates: pd.DataFrame, *columns: str) -> dict[Any, Any]:
    """Values of columns (one: the value itself) -> row."""
    keys = rates[list(columns)].itertuples(index=False, name=None)
    return {key if len(columns) > 1 else key[0]: row for key, row in zip(keys, rates.itertuples(), strict=True)}


def crossed(rates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a pair of attributes, the groups of each as `first` and `second`."""
    sides = [str(label).split(BETWEEN, 1) for label in rates["group"]]
    return rates.assign(first=[side[0] for side in sides], second=[side[-1] for side in sides])


def forest(parts: Sequence[tuple[str, pd.DataFrame]], value: str, told: Callable[[Any], str]) -> pd.DataFrame:
    """Rows of a forest plot. parts: a heading ("" for none) and its groups, of which those with a figure are shown;
    value: the column of the figure; told: a row in words."""
    made: list[tuple] = []
    for heading, groups in parts:
        known = sorted_by(groups[groups[value].notna()], "group")
        made += [(heading, None, None, None, False, "")] if heading and len(known) else []
        made += [(group(r.group), getattr(r, value), r.low, r.high, False, told(r)) for r in known.itertuples()]
    return pd.DataFrame(list(_apart(made)), columns=["name", "mean", "low", "high", "marked", "tip"])


def ordered(groups: pd.Series) -> list[str]:
    """Groups of a column in their order, each once."""
    return sorted(set(groups), key=names.order)


def sorted_by(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Rows by a column of groups: everyone first, the others in their order."""
    return table.iloc[sorted(range(len(table)), key=lambda place: _place(table[column].iloc[place]))]


def _place(label: str) -> tuple:
    return label != WHOLE, names.order(label)


def _apart(rows: list[tuple]) -> Iterator[tuple]:
    """Rows with names of their own: two that look alike are told apart by spaces nobody sees."""
    seen: set[str] = set()
    for name, *rest in rows:
        yield charts.unique(name, seen), *rest
