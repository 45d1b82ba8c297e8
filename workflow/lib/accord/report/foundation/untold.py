"""What models call pictures of which nobody recorded a truth, nor people's ancestry: shares, and no error."""

from typing import Any

import pandas as pd

from accord.analyse.comparing.probe_rates import REGION
from accord.analyse.scoring.metrics import SAID
from accord.grouping import WHOLE
from accord.report.drawing import charts
from accord.report.drawing.blocks import Section
from accord.report.foundation import rates
from accord.report.foundation.places import unjudged
from accord.report.reading.report_data import ReportData

TITLE = "Labels without a truth"
INTRO = (
    "How often each label fits best where the pictures come without the truth: neither right nor wrong. The tables of "
    "each model compare these shares between groups."
)


def section(data: ReportData) -> Section:
    """A chart for each model and probe, with a row for each label."""
    told = unjudged(data.probe_rates)
    by_ancestry = set(told.loc[told["attribute"] == REGION, "probe"])
    told = told[(told["attribute"] == WHOLE) & (told["part"] == rates.PLAIN) & ~told["probe"].isin(by_ancestry)]
    told = told[told["outcome"].str.startswith(SAID) & told["rate"].notna()]
    parts = enumerate(told.groupby(["model", "probe"], sort=True), 1)
    return Section(
        "untold", TITLE, INTRO, [_chart(number, model, probe, mine) for number, ((model, probe), mine) in parts]
    )


def _chart(number: int, model: str, probe: str, mine: pd.DataFrame) -> charts.Chart:
    made = [
        (row.outcome.removeprefix(SAID), row.rate, row.low, row.high, False, _told(row)) for row in mine.itertuples()
    ]
    rows = pd.DataFrame(made, columns=["name", "mean", "low", "high", "marked", "tip"])
    behind = rows[["name", "mean", "low", "high"]].set_axis(["label", "share", "interval from", "interval to"], axis=1)
    caption = f"{model}: how often each label of “{probe}” fits best; 95% interval by people. Neither end is better."
    return charts.intervals(f"figure-untold-{number}", caption, rows, "Share of pictures", behind, (0.0, 1.0))


def _told(row: Any) -> str:
    return f"{rates.outcome(row.outcome)}: {rates.percent(row.rate)}, {rates.sure(row)}"
