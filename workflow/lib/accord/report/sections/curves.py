"""Verification in depth: curves of groups at every rate of false alarms, and errors by pairs of hairstyles."""

from typing import Any

import pandas as pd

from accord.report.drawing import charts
from accord.report.drawing.blocks import Cell, Heat, Section, grid, level, picked
from accord.report.reading.report_data import WHOLE, ReportData, single
from accord.report.telling import names
from accord.text.nouns import counted

INTRO = (
    "ROC curves: the share of genuine pairs that are accepted (higher is better), against the share of impostor pairs "
    "that are accepted (left is stricter). And the error rates of pairs of hairstyles."
)
OWN = "within the group"
MOST = 8
"""Most lines of a chart."""


def section(data: ReportData) -> Section:
    """A chart for each attribute, the table of all curves, and heat maps of pairs of hairstyles."""
    own = single(data.curves[(data.curves["protocol"] == OWN) & data.curves["tar"].notna()])
    parts = [part for _, part in own.groupby("attribute", sort=True) if part["group"].nunique() > 1]
    blocks: list = [_chart(number, part) for number, part in enumerate(parts, 1)]
    blocks += [_table(data.curves)] if data.curves["tar"].notna().any() else []
    known = data.pair_errors[data.pair_errors["share"].notna()]
    cells = [part for _, part in known.groupby(["error", "pronoun"], sort=True)]
    blocks += [_heat(number, part) for number, part in enumerate(cells, 1)]
    return Section("curves", "Face verification in depth", INTRO, blocks, "No group has enough pairs for a curve.")


def _chart(number: int, part: pd.DataFrame) -> charts.Chart:
    largest = part.groupby("group")["subjects"].max().sort_values(ascending=False, kind="stable").index[:MOST]
    shown = sorted(set(largest), key=names.order)
    told = part[part["group"].isin(shown)].assign(place=lambda rows: rows["group"].map(shown.index))
    told = told.sort_values(["place", "far"])
    rows = told.assign(name=told["group"].map(names.group), x=told["far"], y=told["tar"])
    rows["tip"] = [
        f"{row.name}: {row.y:.3f} recognised at {row.x:g} false, 95% interval {row.low:.3f} to {row.high:.3f}"
        for row in rows.itertuples()
    ]
    behind = picked(
        rows,
        {"name": "group", "x": "FAR", "y": "TAR", "low": "interval from", "high": "interval to", "subjects": "people"},
    )
    left = part["group"].nunique() - len(shown)
    caption = f"{names.attribute(part['attribute'].iloc[0])}: each group at its own thresholds"
    caption += f" (the {MOST} largest groups)" if left else ""
    return charts.curves(f"figure-curves-{number}", caption, rows, ("false acceptance rate", "recognised"), behind)


def _table(table: pd.DataFrame) -> object:
    told = table[table["tar"].notna()]
    rows = told.assign(
        attribute=told["attribute"].map(names.attribute),
        group=told["group"].map(lambda label: "Everyone" if label == WHOLE else names.group(label)),
    )
    shown = {
        "attribute": "attribute", "group": "group", "protocol": "threshold set by pairs", "far": "FAR", "tar": "TAR",
        "low": "interval from", "high": "interval to", "reached": "FAR reached", "positives": "genuine pairs",
        "negatives": "impostor pairs", "subjects": "people",
    }  # fmt: skip
    return grid("table-curves", "All curves: by which impostor pairs the threshold is set, and what it gives.",
                picked(rows, shown), folded=True)  # fmt: skip


def _heat(number: int, part: pd.DataFrame) -> Heat:
    styles = sorted(set(part["hairstyle"]) | set(part["other"]), key=names.order)
    told = {(row.hairstyle, row.other): row for row in part.itertuples()}
    most = float(part["share"].max())
    rows = [
        (names.group(one), [_cell(told.get((one, other)) or told.get((other, one)), most) for other in styles])
        for one in styles
    ]
    first = part.iloc[0]
    what = f"{first['error'].capitalize()}s at a false acceptance rate of {first['far']:g}"
    caption = f"{what}, {names.group(first['pronoun'])}: by the hairstyles of the two pictures (n: pairs)"
    shown = [names.group(one) for one in styles]
    return Heat(f"figure-pairs-{number}", caption, "hairstyles", shown, rows, "0", f"{most:.3f}")


def _cell(row: Any, most: float) -> Cell:
    if row is None:
        return Cell("")
    pairs = f"{row.errors:,} of {counted(row.pairs, 'pair')} of {counted(row.subjects, 'person')}"
    tip = f"{pairs}, 95% interval {row.low:.4f} to {row.high:.4f}"
    return Cell(f"{row.share:.3f}", f"n = {row.pairs:,}", level(row.share, 0, most), tip)
