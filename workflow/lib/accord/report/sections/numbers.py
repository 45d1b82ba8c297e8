"""Published numbers beside our own, and those that break their own arithmetic."""

import pandas as pd

from accord.analyse.published.inconsistent import inconsistent
from accord.report.drawing.blocks import Grid, Section, Words, grid, picked
from accord.report.reading.report_data import ReportData
from accord.report.telling.beside import beside
from accord.text.nouns import counted, listed

INTRO = (
    "Figures that others published for their datasets and models, next to those measured here; and figures in papers, "
    "checked against their own sums, shares and intervals, within rounding."
)
BESIDE = "Published figures that this report also measures. Vendi scores are comparable only for the same embedding."


def section(data: ReportData) -> Section:
    """Ours beside theirs, how many relations were checked, and those that can't hold."""
    both = beside(data)
    blocks: list = []
    if len(both):
        blocks.append(grid("table-references", BESIDE, both, folded=True))
    if len(data.numbers):
        blocks.append(Words([_counted(data.numbers)]))
    if (data.numbers["state"] != "holds").any():
        blocks.append(_broken(data.numbers))
    return Section("numbers", "Published numbers", INTRO, blocks, "No published numbers were given to be checked.")


def _counted(table: pd.DataFrame) -> str:
    broken = int((table["state"] == "broken").sum())
    said = [f"{broken:,} can't hold"] if broken else ["none is broken"]
    said += [f"{undefined:,} can't be worked out"] if (undefined := int((table["state"] == "undefined").sum())) else []
    return f"Of {counted(len(table), 'relation')} between published figures, {listed(said)}."


def _broken(table: pd.DataFrame) -> Grid:
    columns = {"source": "where", "note": "what it comes to", "reason": "why", "like_it": "more with this reason"}
    shown = picked(inconsistent(table), {**columns, "name": "figure"})
    return grid("table-numbers", "What can't hold, once for each likely reason. The data have every relation.", shown)
