"""What models of pictures and texts call people of each pronoun, beside what FHIBE's article printed."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from accord.analyse.scoring.metrics import SAID
from accord.analyse.scoring.probe_outcomes import MISGENDERED
from accord.report.drawing.blocks import Grid, Heat, Section, Words, grid
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData
from accord.report.telling import names

ATTRIBUTE = "pronoun"
TITLE = "What people are called"
INTRO = (
    "Of pictures that show one person, by the pronouns that people stated themselves: how often the model calls them "
    "by which label. To be called a person, neither woman nor man, more often or less often is neither better nor "
    "worse. Calling somebody she or he who is not is told below."
)


def section(data: ReportData) -> Section:
    """A sentence for each published figure, a table of labels by pronoun for each model, and ours beside published."""
    told = of_people(data.probe_rates)
    said = told[(told["attribute"] == ATTRIBUTE) & (told["part"] == rates.PLAIN) & told["outcome"].str.startswith(SAID)]
    published = said[said["published"].notna()]
    labels = list(dict.fromkeys(data.texts["label"]))
    blocks: list = [Words([_sentence(row) for row in published.itertuples()])] if len(published) else []
    blocks += [_heat(number, mine, labels) for number, (_, mine) in enumerate(said.groupby("model", sort=True), 1)]
    blocks += [_beside(published)] if len(published) else []
    return Section("called", TITLE, INTRO, blocks)


def of_people(told: pd.DataFrame) -> pd.DataFrame:
    """The rates of the probe that asks for pronouns: that of which misgendering is an outcome."""
    asked = set(told.loc[told["outcome"] == MISGENDERED, "probe"])
    return told[told["probe"].isin(asked)]


def _sentence(row: Any) -> str:
    who, label = names.group(row.group), rates.outcome(row.outcome)
    theirs = f"FHIBE's article has {rates.percent(row.published)}."
    if pd.isna(row.rate):
        return f"{row.model}: how often people who are {who} are {label} can't be said ({row.note}). {theirs}"
    return (
        f"{row.model}: in {rates.percent(row.rate)} of their pictures, people who are {who} are {label} "
        f"({rates.sure(row)}). {theirs}"
    )


def _heat(number: int, mine: pd.DataFrame, labels: list[str]) -> Heat:
    model, told = mine["model"].iloc[0], rates.by(mine, "group", "outcome")
    shown = [label for label in labels if f"{SAID}{label}" in set(mine["outcome"])]
    rows = [
        (names.group(group), [rates.cell(told.get((group, f"{SAID}{label}"))) for label in shown])
        for group in rates.ordered(mine["group"])
    ]
    caption = f"{model}: what people of each pronoun are called; n: people. The stronger the colour, the more often."
    return Heat(f"figure-called-{number}", caption, "pronoun / called", shown, rows, "0%", "100%")


def _beside(published: pd.DataFrame) -> Grid:
    counts = ("images", "people", "this release", *rates.ENDS)
    columns = ["model", "pronoun", "called", *counts, "FHIBE's article", "note"]
    made = pd.DataFrame(_rows(published), columns=columns)
    caption = (
        "Beside FHIBE's article, which doesn't state the size of its model; its prompts stand in a supplement, and "
        "these are ours."
    )
    return grid("table-called-published", caption, made)


def _rows(published: pd.DataFrame) -> Iterator[tuple]:
    for row in published.itertuples():
        yield (row.model, names.group(row.group), str(row.outcome).removeprefix(SAID), row.images, row.subjects,
               row.rate, row.low, row.high, row.published, row.note)  # fmt: skip
