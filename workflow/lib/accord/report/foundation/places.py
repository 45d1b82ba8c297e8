"""What models say of places that nobody recorded, rural or urban: shares by ancestry of the people, and no error."""

from typing import Any

import pandas as pd

from accord.analyse.comparing.probe_rates import REGION
from accord.analyse.scoring.metrics import SAID
from accord.analyse.scoring.probe_outcomes import MISGENDERED, RIGHT
from accord.grouping import WHOLE
from accord.report.drawing import charts
from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData
from accord.report.telling import names
from accord.text.nouns import upper

TITLE = "Rural or urban"
INTRO = (
    "What the model says of places of which nobody recorded the truth, by the ancestry of the people in the picture. "
    "These are shares and no errors: more often or less often is neither better nor worse. People of one ancestry may "
    "in fact have been photographed in the countryside more often than those of another."
)
THEIRS = "FHIBE's article, without figures: people of African and Asian ancestry are more often said to be rural."


def section(data: ReportData) -> Section:
    """A sentence and a chart for each model and label, and every figure."""
    told = unjudged(data.probe_rates)
    known = told["probe"].isin(told.loc[told["attribute"] == REGION, "probe"])
    told = told[known & told["attribute"].isin([WHOLE, REGION]) & (told["part"] == rates.PLAIN)]
    first = told[told["outcome"].isin(_telling(told, data.texts))]
    parts = [mine for _, mine in first.groupby(["model", "outcome"], sort=True)]
    if not parts:
        return Section("places", TITLE, INTRO, [])
    drawn = [_chart(number, mine) for number, mine in enumerate(parts, 1) if mine["rate"].notna().any()]
    return Section("places", TITLE, INTRO, [Words([*map(_sentence, parts), THEIRS]), *drawn, _table(told)])


def unjudged(told: pd.DataFrame) -> pd.DataFrame:
    """The rates of probes without a truth: of none of which any outcome is known to be right or wrong."""
    judged = (told["outcome"].eq(MISGENDERED) | told["outcome"].str.endswith(RIGHT)) & told["rate"].notna()
    return told[~told["probe"].isin({"", *told.loc[judged, "probe"]})]


def _telling(told: pd.DataFrame, texts: pd.DataFrame) -> list[str]:
    """All labels of a probe but its last one, of which the others tell all."""
    asked = texts[texts["probe"].isin(told["probe"])]
    labels = [list(dict.fromkeys(some["label"])) for _, some in asked.groupby("probe", sort=True)]
    return [f"{SAID}{label}" for some in labels for label in some[:-1]]


def _sentence(mine: pd.DataFrame) -> str:
    """The groups at both ends, and everyone."""
    known = mine[mine["rate"].notna()]
    groups = known[known["attribute"] == REGION].sort_values(["rate", "group"])
    start = f"{mine['model'].iloc[0]}, {rates.outcome(mine['outcome'].iloc[0])}:"
    if len(groups) < 2:
        return f"{start} no two groups have enough people to be put side by side."
    ends = [f"{often} often for {_figure(row)}" for often, row in zip(("more", "less"), _ends(groups), strict=True)]
    return f"{start} {', '.join(ends)}. Chance may explain that where intervals overlap."


def _ends(groups: pd.DataFrame) -> tuple[Any, Any]:
    rows = list(groups.itertuples())
    return rows[-1], rows[0]


def _figure(row: Any) -> str:
    return f"{names.group(row.group)}: {rates.percent(row.rate)} ({rates.sure(row)})"


def _chart(number: int, mine: pd.DataFrame) -> charts.Chart:
    rows = rates.forest([("", mine)], "rate", _told)
    label = rates.outcome(mine["outcome"].iloc[0])
    caption = f"{mine['model'].iloc[0]}: share {label}, by ancestry of the people; 95% interval. Neither end is better."
    behind = rows[["name", "mean", "low", "high"]].set_axis(["group", "share", *rates.ENDS], axis=1)
    return charts.intervals(f"figure-places-{number}", caption, rows, upper(f"share {label}"), behind, (0.0, 1.0))


def _told(row: Any) -> str:
    return f"{rates.group(row.group)}: {rates.percent(row.rate)}, {rates.sure(row)}"


def _table(told: pd.DataFrame) -> Grid:
    made = [
        (row.model, rates.outcome(row.outcome), rates.group(row.group), *rates.figures(row))
        for row in told.sort_values(["model", "outcome", "attribute", "group"]).itertuples()
    ]
    columns = ["model", "said", "ancestry", *rates.FIGURES]
    caption = "What is said of places by ancestry: every figure, with its 95% interval by people."
    return grid("table-places", caption, pd.DataFrame(made, columns=columns), folded=True)
