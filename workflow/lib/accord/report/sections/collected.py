"""What was collected, what was left out, what was painted out, and what the exclusions did to who is in it."""

import pandas as pd

from accord.checks.order import LABELS
from accord.report import charts, names
from accord.report.blocks import Grid, Section, Words, grid, picked
from accord.report.told import WHOLE, Told

INTRO = (
    "Each image that was delivered is counted once: at the first check that stopped it, or as released. Steps that "
    "stopped nothing are in the table."
)


def section(told: Told) -> Section:
    """The waterfall, the edits, and the exclusions."""
    blocks = [waterfall(told.waterfall)] if len(told.waterfall) else []
    blocks += [edits(told.edits)] if len(told.edits) else []
    if len(told.exclusions):
        blocks += [Words([_excluded(told.exclusions)]), exclusions(told.exclusions)]
    return Section("collected", "What was collected, and what was left out", INTRO, blocks, "No image was delivered.")


def waterfall(table: pd.DataFrame) -> charts.Chart:
    """What each step stopped, between what was delivered and what was left."""
    told = table.sort_values("order")
    stopping = told[told["stopped"] > 0]
    first, last = int(told["images_in"].iloc[0]), int(told["images_out"].iloc[-1])
    rows = stopping.rename(columns={"label": "name", "images_in": "before", "images_out": "after"}).assign(
        tip=[f"{row.label}: {row.stopped:,} images stopped, {row.images_out:,} left" for row in stopping.itertuples()]
    )
    caption = (
        f"From {first:,} images delivered (right) to {last:,} released (left), and what stopped the others. "
        "The axis doesn't begin at zero."
    )
    shown = {"label": "step", "images_in": "in", "stopped": "stopped", "images_out": "left", "subjects_left": "people"}
    return charts.steps("figure-waterfall", caption, rows, "images left", picked(told, shown))


def counted(table: pd.DataFrame) -> pd.DataFrame:
    """How many regions of each kind were painted out, and by which method: no image is named."""
    counts = table.groupby(["kind", "method"]).agg(regions=("region", "size"), images=("image", "nunique"))
    return counts.reset_index()


def edits(table: pd.DataFrame) -> Grid:
    """What was painted out."""
    caption = "What was painted out of pictures: bystanders and personal data. Nothing outside these regions changed."
    told = counted(table)
    return grid("table-edits", caption, told.assign(kind=told["kind"].str.replace("_", " ")))


def exclusions(table: pd.DataFrame) -> Grid:
    """Whom the checks stop more often than others."""
    told = table[table["attribute"] != WHOLE]
    rows = pd.DataFrame(
        {
            "check": [_check(one) for one in told["check"]],
            "attribute": told["attribute"].map(names.attribute).to_list(),
            "group": told["group"].map(names.group).to_list(),
            "images": told["images"].to_list(),
            "people": told["subjects"].to_list(),
            "stopped": told["excluded_images"].to_list(),
            "share stopped": told["rate"].to_list(),
            "of all others": told["others"].to_list(),
            "ratio": told["ratio"].to_list(),
            "from": told["ratio_low"].to_list(),
            "to": told["ratio_high"].to_list(),
            "p": told["p_value"].to_list(),
            "note": told["note"].to_list(),
        }
    )
    caption = "How often each check stops the images of a group, against those of all others; p is corrected (Holm)."
    return grid("table-exclusions", caption, rows, folded=True)


def _excluded(table: pd.DataFrame) -> str:
    told = table[(table["p_value"] < 0.05) & (table["attribute"] != WHOLE)]
    if told.empty:
        return "No group lost more of its images to a check than others did, beyond what chance explains."
    worst = told.sort_values(["p_value", "check", "attribute", "group"]).iloc[0]
    more = "more" if worst["rate"] > worst["others"] else "less"
    return (
        f"Checks stopped some groups more than others, beyond chance, in {len(told)} comparisons. The clearest: "
        f"{_check(worst['check']).lower()} stopped {worst['rate']:.0%} of the images of {names.group(worst['group'])}, "
        f"against {worst['others']:.0%} of all others', which is {more}."
    )


def _check(name: str) -> str:
    return "All checks together" if name == WHOLE else LABELS.get(name, name.replace("_", " ").capitalize())
