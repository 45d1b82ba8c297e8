"""Published numbers that break their own arithmetic."""

import pandas as pd

from accord.nouns import counted, listed
from accord.report.blocks import Grid, Section, Words, grid
from accord.report.told import Told

INTRO = "Figures that papers print, held against their own sums, shares and intervals, as rounded as they are printed."


def section(told: Told) -> Section:
    """How many relations were checked, and those that can't hold."""
    blocks = [Words([_counted(told.numbers)]), _broken(told.numbers)] if len(told.numbers) else []
    return Section("numbers", "Published numbers", INTRO, blocks, "No published numbers were given to be checked.")


def _counted(table: pd.DataFrame) -> str:
    broken = int((table["state"] == "broken").sum())
    said = [f"{broken:,} can't hold"] if broken else ["none is broken"]
    said += [f"{undefined:,} can't be worked out"] if (undefined := int((table["state"] == "undefined").sum())) else []
    return f"Of {counted(len(table), 'relation')} between published figures, {listed(said)}."


def _broken(table: pd.DataFrame) -> Grid:
    order = {"broken": 0, "undefined": 1, "holds": 2}
    told = table.assign(order=table["state"].map(order)).sort_values(["order", "file", "line", "rule"])
    shown = told[["state", "name", "rule", "left", "right", "note", "source"]]
    return grid(
        "table-numbers", "Each relation, those that can't hold first.", shown.rename(columns={"name": "figure"})
    )
