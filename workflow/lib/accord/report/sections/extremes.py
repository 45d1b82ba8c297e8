"""Worst and best group of each attribute, and intersections that are worse than all their parts."""

import pandas as pd

from accord.report.drawing.blocks import Grid, Section
from accord.report.reading.report_data import ReportData
from accord.report.telling import names
from accord.report.telling.comparison import by_kind

INTRO = (
    "The two ends of each attribute, whether the difference is significant or not; and intersections that lie beyond "
    "the groups they are part of."
)
HOW = (
    "by the mean over people in images, with 95% intervals over people. p treats every image as independent, and is "
    "corrected for all pairs of the attribute; what holds between people is under “All comparisons”."
)


def section(data: ReportData) -> Section:
    """Two tables."""
    ends = data.extremes[data.extremes["worst"] != ""]
    worse = data.intersections[data.intersections["group"] != ""]
    blocks = _extremes(ends) if len(ends) else []
    blocks += _worse(worse) if len(worse) else []
    return Section(
        "extremes", "The two ends of each attribute", INTRO, blocks, "No attribute has two groups of a size."
    )


def _extremes(table: pd.DataFrame) -> list[Grid]:
    told = table.sort_values(["metric", "parts", "attribute"])
    rows = pd.DataFrame(
        {
            "attribute": told["attribute"].map(names.attribute).to_list(),
            "metric": told["metric"].to_list(),
            "groups": told["groups"].to_list(),
            "worst": told["worst"].map(names.group).to_list(),
            **_side(told, "worst"),
            "best": told["best"].map(names.group).to_list(),
            **_side(told, "best"),
            "difference": told["difference"].to_list(),
            "difference from": told["difference_low"].to_list(),
            "difference to": told["difference_high"].to_list(),
            "p between images": told["p_value"].to_list(),
            "note": told["note"].to_list(),
        }
    )
    captions = (f"Worst and best group of each attribute {HOW}", f"The two ends of each attribute {HOW}")
    return by_kind("table-extremes", captions, rows)


def _side(table: pd.DataFrame, side: str) -> dict[str, list]:
    """The mean of the worst or the best group with its interval, and how many people it is of."""
    told = {f"mean of {side}": "mean", f"{side} from": "low", f"{side} to": "high", f"people in {side}": "subjects"}
    return {called: table[f"{side}_{name}"].to_list() for called, name in told.items()}


def _worse(table: pd.DataFrame) -> list[Grid]:
    told = table.sort_values(["metric", "gap"], ascending=[True, False])
    rows = pd.DataFrame(
        {
            "attributes": told["attribute"].map(names.attribute).to_list(),
            "group": told["group"].map(names.group).to_list(),
            "metric": told["metric"].to_list(),
            "people": told["subjects"].to_list(),
            "mean": told["mean"].to_list(),
            "worst of its parts": told["worst_part"].map(names.group).to_list(),
            "mean of that": told["part_mean"].to_list(),
            "gap": told["gap"].to_list(),
            "interval from": told["low"].to_list(),
            "interval to": told["high"].to_list(),
            "p": told["p_value"].to_list(),
        }
    )
    what = "than all their parts, beyond chance; means over people in images."
    captions = (f"Intersections that fare worse {what}", f"Intersections with it less often {what}")
    return by_kind("table-worse-than-parts", captions, rows)
