"""What was collected, what was left out, what was painted out, and what the exclusions did to who is in it."""

import pandas as pd

from accord.check_names import LABELS
from accord.report.drawing import charts
from accord.report.drawing.blocks import Grid, Section, Words, grid, picked
from accord.report.reading.report_data import WHOLE, ReportData
from accord.report.telling import names
from accord.statistics.testing.correction import ALPHA
from accord.text import nouns

INTRO = (
    "Each delivered image is counted once: at the first step that excluded it, or as released. Images held "
    "in reserve passed every check. Steps that excluded nothing are only in the table."
)


def section(data: ReportData) -> Section:
    """The waterfalls, what the search for crops may have missed, the edits, and the exclusions."""
    blocks = [waterfall(data.waterfall)] if len(data.waterfall) else []
    blocks += [videos(data.video_waterfall)] if len(data.video_waterfall) else []
    blocks += [Words([_compared(data.crop_recall)])] if len(data.crop_recall) else []
    blocks += [edits(data.edits)] if len(data.edits) else []
    if len(data.exclusions):
        blocks += [Words([_excluded(data.exclusions)]), exclusions(data.exclusions)]
    return Section("collected", "What was collected, and what was left out", INTRO, blocks, "No image was delivered.")


def waterfall(table: pd.DataFrame) -> charts.Chart:
    """What each step stopped, between what was delivered and what was left."""
    first, last = _ends(table)
    caption = (
        f"From {first:,} images delivered (right) to {last:,} released (left), and what stopped the others. "
        "The axis doesn't begin at zero."
    )
    return _steps("figure-waterfall", caption, table, "image")


def videos(table: pd.DataFrame) -> charts.Chart:
    """What each step stopped of videos, between what was delivered and what was left."""
    first, last = _ends(table)
    caption = (
        f"From {nouns.counted(first, 'video')} delivered (right) to {last:,} released (left), and what stopped "
        "the others. The axis doesn't begin at zero."
    )
    return _steps("figure-video-waterfall", caption, table, "video")


def _ends(table: pd.DataFrame) -> tuple[int, int]:
    """How many were delivered, and how many are left."""
    told = table.sort_values("order")
    return int(told["images_in"].iloc[0]), int(told["images_out"].iloc[-1])


def _steps(id: str, caption: str, table: pd.DataFrame, noun: str) -> charts.Chart:
    told = table.sort_values("order")
    stopping = told[told["stopped"] > 0]
    rows = stopping.rename(columns={"label": "name", "images_in": "before", "images_out": "after"}).assign(
        tip=[
            f"{row.label}: {nouns.counted(row.stopped, noun)} stopped, {row.images_out:,} left"
            for row in stopping.itertuples()
        ]
    )
    shown = {"label": "step", "images_in": "in", "stopped": "stopped", "images_out": "left", "subjects_left": "people"}
    return charts.steps(id, caption, rows, f"{noun}s left", picked(told, shown))


def counted(table: pd.DataFrame) -> pd.DataFrame:
    """How many regions of each kind were painted out, and by which method: no image is named."""
    counts = table.groupby(["kind", "method"]).agg(regions=("region", "size"), images=("image", "nunique"))
    return counts.reset_index()


def edits(table: pd.DataFrame) -> Grid:
    """What was painted out."""
    caption = (
        "What was painted out of pictures: regions with a margin around them. No pixel outside of that was changed."
    )
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
            "interval from": told["ratio_low"].to_list(),
            "interval to": told["ratio_high"].to_list(),
            "p": told["p_value"].to_list(),
            "note": told["note"].to_list(),
        }
    )
    caption = "How often each check stops the images of a group, against those of all others; p is corrected (Holm)."
    return grid("table-exclusions", caption, rows, folded=True)


def _compared(table: pd.DataFrame) -> str:
    """How much of what looks alike the search for crops compared: of all images, and of those it represents worst."""
    intro = "Crops were looked for among the pairs that an index proposes."
    told = table[table["pairs"] > 0]
    if told.empty:
        return f"{intro} No image drawn to test it looks like any other."
    worst = told[told["drawn_from"] != "all"].sort_values("recall").head(1)
    shares = [_proposed(row, "drawn at random") for _, row in told[told["drawn_from"] == "all"].iterrows()]
    shares += [_proposed(row, "that it represents worst") for _, row in worst.iterrows()]
    return f"{intro} It proposed {nouns.listed(shares)}."


def _proposed(of: pd.Series, whose: str) -> str:
    """100% only where nothing is missing."""
    share = of["recall"] if of["recall"] in (0, 1) else min(max(of["recall"], 0.001), 0.999)
    sure = "" if pd.isna([of["low"], of["high"]]).any() else f"; 95% interval {of['low']:.1%} to {of['high']:.1%}"
    return f"{share:.1%} of the images most similar to {of['drawn']} {whose} ({of['found']:,} of {of['pairs']:,}{sure})"


def _excluded(table: pd.DataFrame) -> str:
    groups = table[table["attribute"] != WHOLE]
    told, untold = groups[groups["p_value"] < ALPHA], int(groups["p_value"].isna().sum())
    if untold == len(groups):
        return "Whether checks stop some groups more than others is unknown: the table gives the reasons."
    left = (
        f" {untold:,} of {len(groups):,} comparisons could not be made: the table gives the reasons." if untold else ""
    )
    if told.empty:
        return f"No group lost more of its images to a check than others did, beyond what chance explains.{left}"
    worst = told.sort_values(["p_value", "check", "attribute", "group"]).iloc[0]
    check = "all checks together" if worst["check"] == WHOLE else f"the check “{_check(worst['check'])}”"
    of = names.attribute(worst["attribute"]).lower()
    return (
        f"Checks stopped images of some groups more or less often than those of others, beyond chance, in "
        f"{nouns.counted(len(told), 'comparison')}. The clearest: {check} stopped "
        f"{worst['rate']:.1%} of the {worst['images']:,} images of {names.group(worst['group'])} "
        f"({of}), and {worst['others']:.1%} of those of all others.{left}"
    )


def _check(name: str) -> str:
    return "All checks together" if name == WHOLE else LABELS.get(name, name.replace("_", " ").capitalize())
