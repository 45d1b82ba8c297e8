"""A section for a model card: how a model does for whom, in Markdown."""

from typing import Any

import pandas as pd

from accord.protocol import WORDS
from accord.report.drawing import page
from accord.report.drawing.blocks import Answers, cell
from accord.report.reading.report_data import WHOLE, ReportData, single
from accord.report.telling import names
from accord.report.telling.untested import not_compared
from accord.report.telling.words import claim, nothing_claimed
from accord.text.nouns import images_of

COLUMNS = ["attribute", "group", "measure", "images", "people", "mean", "95% interval", "how averaged"]
PROVENANCE = "provenance.json"
"""The file beside the cards that says what they were made from."""


def card(name: str, data: ReportData, told: list[Answers]) -> str:
    """The section for a model; `data`: of the model alone; `told`: its answers."""
    held = data.disparities[data.disparities["claimed"]]
    known = data.groups[data.groups["mean"].notna()]
    shown = known[known["attribute"] == WHOLE], single(known)
    return page.text(
        "card.md.j2",
        name=name,
        task=names.task(data.models[name]["task"]),
        licence=data.models[name].get("licence", "not stated"),
        release=data.release,
        size=images_of(data.release["images"], data.release["subjects"]),
        title=data.title,
        caution=data.caution,
        protocol=WORDS[data.protocol],
        measures=told,
        claims=[claim(row) for row in held.itertuples()],
        nothing=nothing_claimed(data.disparities, not_compared(data)),
        columns=COLUMNS,
        rows=[_row(row) for part in shown for row in part.itertuples()],
    )


def _row(row: Any) -> list[str]:
    group = "Everyone" if row.group == WHOLE else names.group(row.group)
    sure = "" if pd.isna(row.low) else f"{cell(row.low)} to {cell(row.high)}"
    return [
        names.attribute(row.attribute), group, f"{names.metric(row.metric)}{names.unit(row.metric) and ' in dB'}",
        f"{row.images:,}", f"{row.subjects:,}", cell(row.mean), sure, row.average,
    ]  # fmt: skip
