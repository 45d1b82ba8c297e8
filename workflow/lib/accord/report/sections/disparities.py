"""For whom models do worse: what holds, a heat map over attributes, models side by side, groups too small to tell."""

import pandas as pd

from accord.report import names
from accord.report.blocks import Cell, Heat, Section, Words, grid, level
from accord.report.told import WHOLE, Told, single
from accord.report.words import by_strength, claim, nothing_claimed

INTRO = (
    "Groups are compared two by two. A difference is told only if it holds between people, not only between their "
    "pictures, after correction for all that was compared in this report."
)
STRONGEST = 12


def section(told: Told) -> Section:
    """Sentences, the heat map, the groups that could not be tested."""
    held = by_strength(told.disparities[told.disparities["claimed"]]).head(STRONGEST)
    if held.empty:
        blocks: list = [Words([nothing_claimed(told.disparities)])]
    else:
        rows = pd.DataFrame({"what holds": [claim(row) for row in held.itertuples()], "note": held["note"].to_list()})
        blocks = [grid("table-claims", "Differences that hold, the largest first.", rows)]
    map_ = _heat(single(told.disparities))
    blocks += [map_] if map_ else []
    small = _untested(told.groups)
    if len(small):
        caption = "Groups that are too small to be tested, and why."
        blocks.append(grid("table-untested", caption, small, folded=True))
    return Section("disparities", "For whom models do worse", INTRO, blocks)


def _heat(table: pd.DataFrame) -> Heat | None:
    if table.empty:
        return None
    columns = sorted(set(table["attribute"]))
    rows = []
    for (_, model, metric), part in table.groupby(["task", "model", "metric"]):
        told = {row.attribute: row for row in part.itertuples()}
        rows.append((f"{model} · {metric}", [_cell(told.get(one)) for one in columns]))
    caption = (
        "How far the worst group falls behind the best (D, 0 to 1). ● marks what holds between people; the others may "
        "be chance. Empty: no two groups differ."
    )
    shown = [names.attribute(one) for one in columns]
    return Heat("figure-disparities", caption, "model · metric", shown, rows, "0", "1")


def _cell(row) -> Cell:
    if row is None:
        return Cell("")
    if not row.significant or pd.isna(row.disparity):
        return Cell("", "", -1, f"{names.attribute(row.attribute)}: {row.note}")
    mark = " ●" if row.claimed else ""
    tip = f"D = {row.disparity:.2f}: {names.group(row.worst)} worse than {names.group(row.best)}" + (
        "; holds" if row.claimed else f"; {row.note}"
    )
    return Cell(f"{row.disparity:.2f}{mark}", names.group(row.worst), level(row.disparity, 0, 1), tip)


def _untested(groups: pd.DataFrame) -> pd.DataFrame:
    """Groups that enter no test: each once."""
    told = single(groups[groups["note"] != ""]).drop_duplicates(["attribute", "group", "note"])
    told = told[told["attribute"] != WHOLE].sort_values(["attribute", "group"])
    return pd.DataFrame(
        {
            "attribute": told["attribute"].map(names.attribute).to_list(),
            "group": told["group"].map(names.group).to_list(),
            "people": told["subjects"].to_list(),
            "images": told["images"].to_list(),
            "why": told["note"].to_list(),
        }
    )
