"""Disparities between groups: what holds, a heat map over attributes, models side by side, groups too small to tell."""

from typing import Any

import pandas as pd

from accord.report.drawing.blocks import Cell, Heat, Section, Words, grid, level
from accord.report.reading.report_data import ReportData, single
from accord.report.telling import names
from accord.report.telling.comparison import comparative, remark
from accord.report.telling.untested import not_compared
from accord.report.telling.words import by_strength, claim, nothing_claimed

INTRO = (
    "Groups are compared pairwise. A difference is reported only if it is significant between people, not only between "
    "their pictures, after correction for all comparisons in this report."
)
STRONGEST = 12


def section(data: ReportData) -> Section:
    """Sentences, the heat map, the groups that could not be tested."""
    held = by_strength(data.disparities[data.disparities["claimed"]]).head(STRONGEST)
    if held.empty:
        blocks: list = [Words([nothing_claimed(data.disparities, not_compared(data))])]
    else:
        rows = pd.DataFrame(
            {"what holds": [claim(row) for row in held.itertuples()], "note": held["note"].map(names.note).to_list()}
        )
        count = int(data.disparities["claimed"].sum())
        which = f"The {STRONGEST} largest of {count} differences" if count > STRONGEST else "Differences"
        blocks = [grid("table-claims", f"{which} that hold, the largest D first.", rows)]
    map_ = _heat(single(data.disparities))
    blocks += [map_] if map_ else []
    small = _untested(data.groups)
    if len(small):
        caption = "Groups without a figure, which enter no comparison: why, and for which models and measures."
        blocks.append(grid("table-untested", caption, small, folded=True))
    return Section("disparities", "Disparities between groups", INTRO, blocks)


def _heat(table: pd.DataFrame) -> Heat | None:
    if table.empty:
        return None
    columns = sorted(set(table["attribute"]))
    rows = []
    for (_, model, metric), part in table.groupby(["task", "model", "metric"]):
        told = {row.attribute: row for row in part.itertuples()}
        rows.append((f"{model} · {metric}", [_cell(told.get(one)) for one in columns]))
    caption = (
        "How far a group falls behind another of the attribute, by medians (D, 0 to 1): the pair that differs most. "
        "● marks what holds between people; the others may be chance. Means: medians are equal, or scores are 0 and 1. "
        "–: compared, and no two groups differ beyond chance. Empty: not compared, too few "
        "people."
    )
    shown = [names.attribute(one) for one in columns]
    caption += remark(table["metric"])
    return Heat("figure-disparities", caption, "model · metric", shown, rows, "0", "1")


def _cell(row: Any) -> Cell:
    if row is None:
        return Cell("")
    if not row.significant:
        return Cell("–" if row.pairs else "", "", -1, f"{names.attribute(row.attribute)}: {names.note(row.note)}")
    mark = " ●" if row.claimed else ""
    by_means = row.worst_median == row.best_median or pd.isna(row.worst_median)
    size = "means" if by_means else "no D"
    if size == "no D" and pd.notna(row.disparity):
        size = f"{row.disparity:.2f}"
    by = {"means": "by means: ", "no D": "no D: "}.get(size, f"D = {size}: ")
    tip = f"{by}{names.group(row.worst)} {comparative(row.metric)} than {names.group(row.best)}"
    told = "; ".join(part for part in (tip, "holds" if row.claimed else "", names.note(row.note)) if part)
    return Cell(f"{size}{mark}", names.group(row.worst), level(row.disparity, 0, 1), told)


def _untested(groups: pd.DataFrame) -> pd.DataFrame:
    """Groups that enter no test, each once for each reason, with the models and measures for which it holds."""
    left = single(groups[groups["note"] != ""])
    left = left.assign(by=left["model"] + " (" + left["metric"] + ")")
    keys = ["attribute", "group", "note", "subjects", "images"]
    told = left.groupby(keys, as_index=False)["by"].agg(", ".join)
    told = told.sort_values(["attribute", "group", "subjects", "note"], ascending=[True, True, False, True])
    return pd.DataFrame(
        {
            "attribute": told["attribute"].map(names.attribute).to_list(),
            "group": told["group"].map(names.group).to_list(),
            "people": told["subjects"].to_list(),
            "images": told["images"].to_list(),
            "why": told["note"].to_list(),
            "for": told["by"].to_list(),
        }
    )
