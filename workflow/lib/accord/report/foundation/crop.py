"""How much of people a model was shown: what is left of their region in the square that it crops."""

from typing import Any

import pandas as pd

from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, Words, grid
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData
from accord.report.telling import names

TITLE = "How much of people the models saw"
INTRO = (
    "These models are shown the square in the middle of a picture, as their authors do it: in tall pictures people "
    "lose their feet or heads. The share of the people's region that is left, by group: where it differs much between "
    "groups, so may all that is above."
)


def section(data: ReportData) -> Section:
    """A sentence per model, and the table of groups."""
    told = data.probe_rates[data.probe_rates["probe"] == ""]
    if told.empty:
        return Section("seen", TITLE, INTRO, [])
    everyone = told[told["attribute"] == WHOLE]
    order = told.assign(other=told["attribute"] != WHOLE).sort_values(["model", "other", "attribute", "group"])
    columns = ["model", "attribute", "group", "images", "people", "share left", *rates.ENDS, "note"]
    made = pd.DataFrame([_row(row) for row in order.itertuples()], columns=columns)
    caption = "Mean share of the people's region inside the crop, with its 95% interval by people."
    return Section("seen", TITLE, INTRO, [Words([_sentence(row) for row in everyone.itertuples()]),
                                          grid("table-seen", caption, made)])  # fmt: skip


def _sentence(row: Any) -> str:
    if pd.isna(row.rate):
        return f"{row.model}: how much of people it was shown isn't known ({row.note})."
    return f"{row.model}: {rates.percent(row.rate)} of the people's region, on average ({rates.sure(row)})."


def _row(row: Any) -> tuple:
    whole = row.attribute == WHOLE
    attribute = "" if whole else names.attribute(row.attribute)
    return row.model, attribute, rates.group(row.group), *rates.figures(row)
