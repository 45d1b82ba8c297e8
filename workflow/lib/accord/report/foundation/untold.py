"""What models call pictures of which nobody recorded a truth, nor people's ancestry: shares, and no error."""

from typing import Any

import pandas as pd

from accord.analyse.comparing.probe_rates import REGION
from accord.analyse.scoring.metrics import SAID
from accord.grouping import WHOLE
from accord.report.drawing import charts
from accord.report.drawing.blocks import Cell, Heat, Section
from accord.report.foundation import rates
from accord.report.foundation.places import unjudged
from accord.report.reading.report_data import ReportData, single
from accord.report.telling import names

TITLE = "Labels without a truth"
INTRO = (
    "How often each label fits best where the pictures come without the truth: neither right nor wrong. The tables of "
    "each model test the differences between groups."
)


def section(data: ReportData) -> Section:
    """A chart for each model and probe, with a row for each label; and the shares of groups."""
    told = unjudged(data.probe_rates)
    by_ancestry = set(told.loc[told["attribute"] == REGION, "probe"])
    told = told[(told["part"] == rates.PLAIN) & ~told["probe"].isin(by_ancestry)]
    told = told[told["outcome"].str.startswith(SAID) & told["rate"].notna()]
    parts = enumerate(told.groupby(["model", "probe"], sort=True), 1)
    made = [_of_probe(number, model, probe, mine) for number, ((model, probe), mine) in parts]
    return Section("untold", TITLE, INTRO, [block for blocks in made for block in blocks])


def _of_probe(number: int, model: str, probe: str, mine: pd.DataFrame) -> list[charts.Chart | Heat]:
    groups = single(mine)
    drawn: list[charts.Chart | Heat] = [_chart(number, model, probe, mine[mine["attribute"] == WHOLE])]
    return [*drawn, _heat(number, model, probe, groups)] if len(groups) else drawn


def _heat(number: int, model: str, probe: str, groups: pd.DataFrame) -> Heat:
    told, labels = rates.by(groups, "attribute", "group", "outcome"), sorted(set(groups["outcome"]))
    rows: list[tuple[str, list[Cell]]] = []
    for attribute, some in groups.groupby("attribute", sort=True):
        rows.append((names.attribute(str(attribute)), []))
        for group in rates.ordered(some["group"]):
            cells = [rates.cell(told.get((attribute, group, label))) for label in labels]
            rows.append((names.group(group), cells))
    caption = f"{model}: labels of “{probe}” by group; n: people. The stronger the colour, the more often."
    shown = [label.removeprefix(SAID) for label in labels]
    return Heat(f"figure-untold-groups-{number}", caption, "group / label", shown, rows, "0%", "100%")


def _chart(number: int, model: str, probe: str, mine: pd.DataFrame) -> charts.Chart:
    made = [
        (row.outcome.removeprefix(SAID), row.rate, row.low, row.high, False, _told(row)) for row in mine.itertuples()
    ]
    rows = pd.DataFrame(made, columns=["name", "mean", "low", "high", "marked", "tip"])
    behind = rows[["name", "mean", "low", "high"]].set_axis(["label", "share", *rates.ENDS], axis=1)
    caption = f"{model}: how often each label of “{probe}” fits best; 95% interval by people. Neither end is better."
    return charts.intervals(f"figure-untold-{number}", caption, rows, "Share of pictures", behind, (0.0, 1.0))


def _told(row: Any) -> str:
    return f"{rates.outcome(row.outcome)}: {rates.percent(row.rate)}, {rates.sure(row)}"
