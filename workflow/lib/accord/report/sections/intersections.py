"""Heat maps of the intersections of two attributes."""

from typing import Any

import pandas as pd

from accord.report.drawing.blocks import Cell, Heat, Section, scale, worse
from accord.report.reading.report_data import CROSSED, ReportData, crossed
from accord.report.telling import names
from accord.report.telling.comparison import OR_HIGHER, colours, either
from accord.report.telling.quantities import size

INTRO = (
    "Intersections of two attributes: the stronger the colour, the worse the score; below it the number of people. "
    "Empty cells have too few people. Colours show averages: the table of comparisons shows which differences are "
    "significant."
)


def section(data: ReportData) -> Section:
    """A heat map for each metric and pair of attributes of which any intersection has a figure."""
    pairs = data.groups[crossed(data.groups) & (data.groups["attribute"].str.count(CROSSED) == 1)]
    parts = [part for _, part in pairs.groupby(["metric", "attribute"]) if part["mean"].notna().any()]
    blocks = [_heat(number, part) for number, part in enumerate(parts, 1)]
    empty = "No intersection of two attributes has enough people for a figure."
    intro = INTRO + either(pairs["metric"], OR_HIGHER)
    return Section("intersections", "Intersections of two attributes", intro, blocks, empty)


def _heat(number: int, part: pd.DataFrame) -> Heat:
    first, second = part["attribute"].iloc[0].split(CROSSED)
    sides = part["group"].str.split(CROSSED, expand=True)
    told = {(row.side0, row.side1): row for row in part.assign(side0=sides[0], side1=sides[1]).itertuples()}
    columns = sorted(set(sides[1]), key=names.order)
    low, high = part["mean"].min(), part["mean"].max()
    rows = [
        (names.group(one), [_cell(told.get((one, other)), low, high) for other in columns])
        for one in sorted(set(sides[0]), key=names.order)
    ]
    caption = f"{names.attribute(first)} and {names.attribute(second).lower()}: {names.metric(part['metric'].iloc[0])}"
    corner = f"{names.attribute(first)} / {names.attribute(second)}"
    caption += colours(part["metric"].iloc[0])
    ends = scale(low, high, part["metric"].iloc[0])
    return Heat(f"figure-heat-{number}", caption, corner, [names.group(one) for one in columns], rows, *ends)


def _cell(row: Any, low: float, high: float) -> Cell:
    if row is None:
        return Cell("")
    name = names.group(row.group)
    if pd.isna(row.mean):
        return Cell("", f"n = {row.subjects}", -1, f"{name}: {row.note}")
    sure = f"95% interval {row.low:.3f} to {row.high:.3f}; {size(row)}"
    strength = worse(row.mean, low, high, row.metric)
    return Cell(f"{row.mean:.2f}", f"n = {row.subjects}", strength, f"{name}: {row.mean:.3f}, {sure}")
