"""Published numbers beside our own, and those that break their own arithmetic."""

import pandas as pd

from accord.analyse.inconsistent import inconsistent
from accord.report.beside import beside
from accord.report.blocks import Grid, Section, Words, grid, picked
from accord.report.told import Told

INTRO = (
    "What others published of their datasets and models, beside what was measured here; and figures that papers print, "
    "held against their own sums, shares and intervals, as rounded as they are printed."
)
BESIDE = "Published figures of which this report has its own. Vendi scores compare within one embedding only."


def section(told: Told) -> Section:
    """Ours beside theirs, how many relations were checked, and those that can't hold."""
    both = beside(told)
    blocks: list = []
    if len(both):
        blocks.append(grid("table-references", BESIDE, both, folded=True))
    if len(told.numbers):
        blocks.append(Words([_counted(told.numbers)]))
    if (told.numbers["state"] != "holds").any():
        blocks.append(_broken(told.numbers))
    return Section("numbers", "Published numbers", INTRO, blocks, "No published numbers were given to be checked.")


def _counted(table: pd.DataFrame) -> str:
    broken = int((table["state"] == "broken").sum())
    said = "all can hold" if not broken else f"{broken} can't hold" if broken > 1 else "one can't hold"
    return f"Of {len(table):,} relations, {said}."


def _broken(table: pd.DataFrame) -> Grid:
    columns = {"source": "where", "name": "figure", "rule": "relation", "note": "what it comes to", "reason": "why"}
    shown = picked(inconsistent(table), {"state": "state", **columns, "like_it": "more like it"})
    return grid("table-numbers", "What can't hold, once for each likely reason; all relations are in the data.", shown)
