"""Models side by side: each group's average, for all models of a task and metric."""

from typing import Any

import pandas as pd

from accord.analyse.scoring.metrics import OWN_SCALE
from accord.report.drawing.blocks import Cell, Heat, Section, scale, worse
from accord.report.reading.report_data import WHOLE, ReportData, crossed
from accord.report.telling import names
from accord.report.telling.comparison import OR_HIGHER, colours, either
from accord.text.nouns import counted

INTRO = (
    "The same groups, model by model; the stronger the colour, the worse the score. Only scores of one metric are "
    "put side by side, and no cosine similarities, whose scale differs between models. Small differences between "
    "models can be chance: see the intervals on their pages."
)


def section(data: ReportData) -> Section:
    """A table for each task and metric that has more than one model."""
    shared = ~data.groups["metric"].isin(OWN_SCALE)
    known = data.groups[~crossed(data.groups) & data.groups["mean"].notna() & shared]
    parts = [part for _, part in known.groupby(["task", "metric"]) if part["model"].nunique() > 1]
    blocks = [_heat(number, part) for number, part in enumerate(parts, 1)]
    intro = INTRO + either(data.groups["metric"], OR_HIGHER)
    return Section("models", "Models side by side", intro, blocks, "No two models have a measure in common.")


def _heat(number: int, part: pd.DataFrame) -> Heat:
    models = sorted(set(part["model"]))
    told = {(row.attribute, row.group, row.model): row for row in part.itertuples()}
    low, high = part["mean"].min(), part["mean"].max()
    rows: list = []
    for attribute, groups in sorted(part.groupby("attribute"), key=lambda item: (item[0] != WHOLE, item[0])):
        if attribute != WHOLE:
            rows.append((names.attribute(attribute), []))
        for group in sorted(set(groups["group"]), key=names.order):
            name = "Everyone" if group == WHOLE else names.group(group)
            rows.append((name, [_cell(told.get((attribute, group, one)), low, high) for one in models]))
    caption = f"{names.task(part['task'].iloc[0])}: {names.metric(part['metric'].iloc[0])}"
    caption += "; each row at the threshold of its own impostor pairs" if names.far_of(part["metric"].iloc[0]) else ""
    caption += colours(part["metric"].iloc[0])
    ends = scale(low, high, part["metric"].iloc[0])
    return Heat(f"figure-models-{number}", caption, "group", models, rows, *ends)


def _cell(row: Any, low: float, high: float) -> Cell:
    if row is None:
        return Cell("")
    tip = (
        f"{row.model}: {row.mean:.3f}, 95% interval {row.low:.3f} to {row.high:.3f}; {counted(row.subjects, 'person')}"
    )
    return Cell(f"{row.mean:.2f}", f"{row.low:.2f}-{row.high:.2f}", worse(row.mean, low, high, row.metric), tip)
