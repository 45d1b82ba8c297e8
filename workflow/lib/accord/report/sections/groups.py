"""Every group of a model: forest plots of single attributes, and a table of all groups with n, interval and average."""

from typing import Any

import pandas as pd

from accord.analyse.scoring.extreme_groups import extreme_groups
from accord.report.drawing import charts
from accord.report.drawing.blocks import Grid, Section, grid, picked
from accord.report.reading.measures import measures
from accord.report.reading.report_data import WHOLE, ReportData, single
from accord.report.telling import names
from accord.report.telling.comparison import either
from accord.report.telling.quantities import size
from accord.text.nouns import upper

INTRO = (
    "A point is the average of a group, the line its 95% interval (over people). Where lines overlap "
    "widely, don't read a difference into the points. Orange diamonds: the worst group where a difference is "
    "significant."
)
OR_LESS = " Where neither more nor less is better, they are the groups that have it less often."


def section(data: ReportData) -> Section:
    """A forest plot of each metric, then the table of all groups."""
    each = [data.groups[data.groups["metric"] == metric] for metric in measures(data)]
    parts = [part for part in each if part["mean"].notna().any()]
    blocks: list = [_forest(number, part, data.disparities) for number, part in enumerate(parts, 1)]
    blocks += [table(data.groups)] if len(data.groups) else []
    intro = INTRO + either(data.groups["metric"], OR_LESS)
    return Section("groups", "Performance by group", intro, blocks, "No group has a score.")


def _forest(number: int, part: pd.DataFrame, disparities: pd.DataFrame) -> charts.Chart:
    metric = part["metric"].iloc[0]
    held = disparities[disparities["claimed"] & (disparities["metric"] == metric)]
    ends = (extreme_groups(part, attribute)[:1] for attribute in held["attribute"])
    worst = {(row.attribute, row.group) for some in ends for row in some}
    rows = pd.DataFrame(_rows(part, worst), columns=["name", "mean", "low", "high", "marked", "tip"])
    known = part[part["mean"].notna()]
    within = known["mean"].between(0, 1).all()
    ends = (0.0, 1.0) if within else (min(0.0, float(known["low"].min())), float(known[["mean", "high"]].max().max()))
    caption = f"{upper(names.plain(metric))} ({metric}: {names.metric(metric)}); {_how(known['average'])}; 95% interval"
    behind = picked(
        rows.dropna(subset="mean"), {"name": "group", "mean": "mean", "low": "interval from", "high": "interval to"}
    )
    return charts.intervals(f"figure-forest-{number}", caption, rows, f"score{names.unit(metric)}", behind, ends)


def _how(averages: pd.Series) -> str:
    """How all of a chart were averaged: what each left out is in the table."""
    alike = {one.partition(", ")[0] for one in averages}
    whole = alike.pop() if len(alike) == 1 else "how each was averaged is in the table of all groups"
    return f"{whole}, of those with a score" if averages.str.contains(" undefined: ").any() else whole


def _rows(part: pd.DataFrame, worst: set) -> list[tuple]:
    """Everyone, then each attribute as a heading with its groups under it; names are unique."""
    everyone = [_row(one, "Everyone", False) for one in part[part["attribute"] == WHOLE].itertuples()]
    rows, seen = everyone, {"Everyone"}
    for attribute, groups in single(part).groupby("attribute"):
        known = groups[groups["mean"].notna()]
        if known.empty:
            continue
        rows.append((charts.unique(names.attribute(attribute), seen), None, None, None, False, ""))
        for one in known.itertuples():
            rows.append(_row(one, charts.unique(names.group(one.group), seen), (attribute, one.group) in worst))
    return rows


def _row(one: Any, name: str, marked: bool) -> tuple:
    sure = f"95% interval {one.low:.3f} to {one.high:.3f}; {size(one)}"
    return name, one.mean, one.low, one.high, marked, f"{name}: {one.mean:.3f}, {sure}"


def table(groups: pd.DataFrame) -> Grid:
    """All groups, intersections too; those without a figure say why."""
    rows = groups.assign(
        attribute=groups["attribute"].map(names.attribute),
        group=groups["group"].map(lambda label: "Everyone" if label == WHOLE else names.group(label)),
    )
    shown = {
        "attribute": "attribute", "group": "group", "metric": "metric", "images": "images", "subjects": "people",
        "mean": "mean", "low": "interval from", "high": "interval to", "median": "median", "average": "how averaged",
        "note": "note",
    }  # fmt: skip
    caption = "Every group: n, mean with its 95% interval, median, and how it was averaged."
    return grid("table-groups", caption, picked(rows, shown))
