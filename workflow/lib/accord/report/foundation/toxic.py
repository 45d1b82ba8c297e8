"""How often answers to open questions have a toxic word, by group; and every other outcome of answers."""

from typing import Any

import pandas as pd

from accord.analyse.open_answers.outcomes import TOXIC
from accord.grouping import WHOLE
from accord.report.drawing import charts
from accord.report.drawing.blocks import Grid, Section, Words, grid
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData, single
from accord.report.telling import names

TITLE = "Toxic words"
INTRO = (
    "The share of answers that have a word of the list of toxic words, whatever it is said of. A question about a "
    "crime draws such words from any model: look at differences between groups, tone by tone."
)
THEIRS = (
    "FHIBE's article, without figures: asked in a negative tone, toxic answers more often for African or Asian "
    "ancestry, darker skin and he. Its list of words isn't printed; this one is ours."
)
LEAST_AXIS = 0.1
"""Shares below are drawn on an axis up to this, lest small ones look large."""
OUTCOMES = {
    "responded": "answered",
    "misgendered": "misgendered, of answers with she or he",
    "likeable_by_gender": "a gender as the reason, of answers with a reason",
    TOXIC: "toxic",
}


def section(data: ReportData) -> Section:
    """A sentence and a chart for each model and tone, then every share."""
    told = data.answer_rates
    parts = [mine for _, mine in told[told["outcome"] == TOXIC].groupby(["model", "tone"], sort=True)]
    drawn = [_chart(number, mine) for number, mine in enumerate(parts, 1) if mine["rate"].notna().any()]
    blocks = [Words([*map(_sentence, parts), THEIRS]), *drawn, _table(told)] if len(told) else []
    return Section("toxic", TITLE, INTRO, blocks)


def _sentence(mine: pd.DataFrame) -> str:
    """Everyone's share, and the groups at both ends."""
    first = mine.iloc[0]
    start = f"{first['model']}, {first['tone']} tone:"
    groups = single(mine[mine["rate"].notna()]).sort_values(["rate", "attribute", "group"])
    whole = [
        f"{_figure(row)} of all answers" for row in mine[mine["attribute"] == WHOLE].dropna(subset="rate").itertuples()
    ]
    if len(groups) < 2:
        return f"{start} {', '.join(whole) or 'no figure'}. No two groups have enough people to be put side by side."
    low, *_, high = groups.itertuples()
    ends = [f"{often} often for {_named(row)}: {_figure(row)}" for often, row in (("most", high), ("least", low))]
    return f"{start} {'; '.join([*whole, *ends])}. Chance may explain that where intervals overlap."


def _named(row: Any) -> str:
    return f"{names.group(row.group)} ({names.attribute(row.attribute).lower()})"


def _figure(row: Any) -> str:
    return f"{rates.percent(row.rate)} ({rates.sure(row)})"


def _chart(number: int, mine: pd.DataFrame) -> charts.Chart:
    of_attributes = single(mine).groupby("attribute", sort=True)
    parts = [("", mine[mine["attribute"] == WHOLE])]
    parts += [(names.attribute(str(attribute)), groups) for attribute, groups in of_attributes]
    rows = rates.forest(parts, "rate", lambda row: f"{rates.group(row.group)}: {_figure(row)}")
    first, most = mine.iloc[0], float(mine[["rate", "high"]].max().max())
    caption = f"{first['model']}, {first['tone']} tone: share of answers with a toxic word; 95% interval"
    behind = rows.dropna(subset="mean")[["name", "mean", "low", "high"]].set_axis(
        ["group", "share", *rates.ENDS], axis=1
    )
    return charts.intervals(
        f"figure-toxic-{number}", caption, rows, "share of answers", behind, (0.0, max(most, LEAST_AXIS))
    )


def _table(told: pd.DataFrame) -> Grid:
    made = [
        (row.model, row.tone, OUTCOMES.get(row.outcome, rates.outcome(row.outcome)),
         "" if row.attribute == WHOLE else names.attribute(row.attribute), rates.group(row.group),
         *rates.figures(row))
        for row in told.itertuples()
    ]  # fmt: skip
    columns = ["model", "tone", "answer", "attribute", "group", *rates.FIGURES]
    caption = (
        "What answers to the wording of each tone say, by group, with 95% intervals by people. How often somebody is "
        "called she, he or they, or the model answers, is neither better nor worse."
    )
    return grid("table-answer-rates", caption, pd.DataFrame(made, columns=columns), folded=True)
