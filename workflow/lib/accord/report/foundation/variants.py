"""What blacking out or blurring people, or the background, changes: paired differences by side and ancestry."""

from typing import Any

import pandas as pd

from accord.analyse.scoring.probe_outcomes import RIGHT
from accord.evaluate.tables.parts import VARIANTS
from accord.grouping import WHOLE
from accord.report.drawing import charts
from accord.report.drawing.blocks import Grid, Section, Words, grid, picked
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData
from accord.report.telling.quantities import p, size

TITLE = "What hiding people changes"
INTRO = (
    "The same pictures, once as they are and once with the people, or all else, blacked out or blurred: by how many "
    "percentage points the share of right answers changes. If hiding the people changes what a model says of the "
    "place, it judged places by the people in them. Rely on the interval, which is by people; McNemar's exact test "
    "takes pictures for independent and isn't corrected for the number of rows."
)
THEIRS = (
    "FHIBE's article, without figures: blacking people out makes answers better indoors and worse outdoors, most of "
    "all for African ancestry."
)
SHOWN = {
    "model": "model", "outcome": "answer", "part": "picture", "side": "rightly", "region": "ancestry",
    "images": "images", "subjects": "people", "before": "as it is", "after": "then", "difference": "difference",
    "low": "interval from",
    "high": "interval to", "gained": "images gained", "lost": "images lost", "p_value": "p", "note": "note",
}  # fmt: skip


def section(data: ReportData) -> Section:
    """Sentences over everyone, a chart for each model and variant, and every difference."""
    told = data.probe_effects
    right = told[told["outcome"].str.endswith(RIGHT)]
    blocks: list = [Words([*_sentences(right), THEIRS])] if len(right) else []
    known = right[right["difference"].notna()]
    parts = sorted(known.groupby(["model", "part", "outcome"], sort=True), key=lambda item: _place(*item[0][:2]))
    ends = known[["difference", "low", "high"]]
    axis = (min(0.0, float(ends.min().min())), max(0.0, float(ends.max().max()))) if len(known) else (0.0, 1.0)
    blocks += [_chart(number, mine, axis) for number, (_, mine) in enumerate(parts, 1)]
    blocks += [_table(told)] if len(told) else []
    return Section("variants", TITLE, INTRO, blocks)


def _sentences(right: pd.DataFrame) -> list[str]:
    """A sentence for each model and variant: of each side, over all regions."""
    some = right[(right["region"] == WHOLE) & (right["side"] != WHOLE) & right["difference"].notna()]
    parts = sorted(some.groupby(["model", "part"], sort=True), key=lambda item: _place(*item[0]))
    return [
        f"{model}, {rates.CALLED[part]}: {'; '.join(map(_side, mine.itertuples()))}." for (model, part), mine in parts
    ]


def _place(model: str, part: str) -> tuple[str, int]:
    return model, VARIANTS.index(part)


def _side(row: Any) -> str:
    return (
        f"where “{row.side}” is right, {rates.percent(row.before)} right before and {rates.percent(row.after)} then: "
        f"{_difference(row)}, McNemar's exact p = {p(row.p_value)}"
    )


def _difference(row: Any) -> str:
    known = pd.notna(row.low) and pd.notna(row.high)
    ends = f"95% interval {rates.points(row.low)} to {rates.points(row.high)}; " if known else ""
    return f"{rates.points(row.difference)} ({ends}{size(row)})"


def _chart(number: int, mine: pd.DataFrame, axis: tuple[float, float]) -> charts.Chart:
    """A forest plot of a model and variant. axis: the ends of that of all charts, so that they can be compared."""
    sides = sorted(set(mine["side"]), key=lambda side: (side != WHOLE, side))
    parts = [(_heading(side), mine[mine["side"] == side].assign(group=lambda some: some["region"])) for side in sides]
    rows = rates.forest(parts, "difference", _told)
    first = mine.iloc[0]
    caption = (
        f"{first['model']}, {rates.CALLED[first['part']]}: change of the share {rates.outcome(first['outcome'])}, by "
        "the side that is right and ancestry; 95% interval"
    )
    behind = picked(
        rows.dropna(subset="mean"),
        {"name": "group", "mean": "difference", "low": "interval from", "high": "interval to"},
    )
    return charts.intervals(f"figure-effects-{number}", caption, rows, "difference of shares", behind, axis)


def _heading(side: str) -> str:
    return "Either is right" if side == WHOLE else f"“{side}” is right"


def _told(row: Any) -> str:
    return f"{rates.group(row.group)}: {_difference(row)}"


def _table(told: pd.DataFrame) -> Grid:
    rows = told.assign(
        outcome=told["outcome"].map(rates.outcome),
        part=told["part"].map(rates.CALLED),
        side=told["side"].map(rates.group),
        region=told["region"].map(rates.group),
    )
    caption = (
        "Every change, over the same pictures: images gained have the outcome only then, images lost only as they are; "
        "p is McNemar's exact test of these two."
    )
    return grid("table-effects", caption, picked(rows, SHOWN), folded=True)
