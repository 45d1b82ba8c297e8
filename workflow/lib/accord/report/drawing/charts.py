"""Charts of the report, drawn by Vega-Lite: bars, intervals, lines. Each has the table behind it.

Channels are given by their classes: of a text, altair would look for the class that fits, at a fifth of the time of a
whole report.
"""

import json
import textwrap
from typing import Any

import altair as alt
import pandas as pd

from accord.report.drawing import svg
from accord.report.drawing.blocks import Chart, grid

ROW = 24
WIDTH = 360
LABELS = 250
LINE = 56
"""Most letters in a line below an axis of WIDTH: more would be cut off."""
DECADES = alt.Axis(values=[10.0**power for power in range(-6, 1)], format="~g")
SERIES = ("#0b6e99", "#b45309", "#1b7837", "#762a83", "#4d4d4d", "#a6194b", "#3b5bdb")
SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
"""Lines differ in colour and in the shape of their points, for those who don't tell colours apart."""
Drawn = alt.Chart | alt.LayerChart | alt.FacetChart


def bars(id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame) -> Chart:
    """A bar for each row. rows: `name`, `value`, `tip`."""
    base = alt.Chart(rows[["name", "value", "tip"]]).encode(
        y=_names(list(rows["name"])), description=alt.Description("tip:N")
    )
    drawn = base.mark_bar(color=svg.BLUE).encode(
        x=alt.X("value:Q", title=title, axis=alt.Axis(tickMinStep=1, format=",d", tickCount=5))
    )
    return _chart(id, caption, drawn, len(rows), behind)


def steps(id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame) -> Chart:
    """A waterfall: a bar from `before` to `after`. rows: `name`, `before`, `after`, `stopped`, `tip`."""
    scale = alt.Scale(zero=False, nice=False, padding=34)
    base = alt.Chart(rows[["name", "before", "after", "stopped", "tip"]]).encode(y=_names(list(rows["name"])))
    axis = alt.Axis(format=",d", tickCount=5)
    drawn = base.mark_bar(color=svg.ORANGE).encode(
        x=alt.X("after:Q", title=title, scale=scale, axis=axis),
        x2=alt.X2("before:Q"),
        description=alt.Description("tip:N"),
    )
    counts = base.mark_text(align="left", dx=5, color=svg.INK, fontSize=13, aria=False).encode(
        x=alt.X("before:Q", scale=scale), text=alt.Text("stopped:Q")
    )
    return _chart(id, caption, drawn + counts, len(rows), behind)


def intervals(
    id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame, domain: tuple[float, float]
) -> Chart:
    """A forest plot. rows: `name` (unique), `mean`, `low`, `high` (missing on headings), `marked`, `tip`."""
    headings = [str(name) for name in rows.loc[rows["mean"].isna() & (rows["tip"] == ""), "name"]]
    colour = alt.condition(
        f"indexof({json.dumps(headings)}, datum.value) >= 0", alt.value(svg.BLUE), alt.value(svg.INK)
    )
    base = alt.Chart(rows[["name", "mean", "low", "high", "marked", "tip"]]).encode(
        y=_names(list(rows["name"]), labelColor=colour)
    )
    known = base.transform_filter("isValid(datum.mean)")
    scale = alt.Scale(domain=list(domain), clamp=True, nice=False)
    colour = alt.ColorValue(svg.BLUE, condition={"test": "datum.marked", "value": svg.ORANGE})
    shape = alt.ShapeValue("circle", condition={"test": "datum.marked", "value": "diamond"})
    size = alt.SizeValue(75, condition={"test": "datum.marked", "value": 130})
    x = alt.X("low:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6, grid=True))
    lines = known.mark_rule(strokeWidth=2.5, aria=False).encode(x=x, x2=alt.X2("high:Q"), color=colour)
    points = known.mark_point(filled=True, opacity=1).encode(
        x=alt.X("mean:Q", scale=scale), color=colour, shape=shape, size=size, description=alt.Description("tip:N")
    )
    blank = base.mark_point(opacity=0, aria=False).encode(
        x=alt.XDatum(domain[0], scale=scale, axis=alt.Axis(tickCount=6, grid=True))
    )
    return _chart(id, caption, blank + lines + points, len(rows), behind)


def _names(names: list[str], **axis: Any) -> alt.Y:
    whole = alt.Axis(labelLimit=LABELS, ticks=False, domain=False, labelPadding=6, **axis)
    return alt.Y("name:N", sort=names, title=None, axis=whole)


def _chart(id: str, caption: str, drawn: Drawn, rows: int, behind: pd.DataFrame) -> Chart:
    return _sized(id, caption, drawn, ROW * max(rows, 2), behind)


def histogram(id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame) -> Chart:
    """Bars over ranges of a number. rows: `low`, `high`, `share`, `tip`."""
    drawn = alt.Chart(rows[["low", "high", "share", "tip"]]).mark_bar(color=svg.BLUE, binSpacing=1)
    drawn = drawn.encode(
        x=alt.X("low:Q", bin="binned", title=textwrap.wrap(title, LINE), axis=alt.Axis(tickCount=6)),
        x2=alt.X2("high:Q"),
        y=alt.Y("share:Q", title="share of people in images", axis=alt.Axis(format=".0%", tickCount=4)),
        description=alt.Description("tip:N"),
    )
    return _sized(id, caption, drawn, 160, behind)


def curves(id: str, caption: str, rows: pd.DataFrame, titles: tuple[str, str], behind: pd.DataFrame) -> Chart:
    """A line with points for each `name`, over a logarithmic axis. rows: `name`, `x`, `y`, `tip`."""
    shown = list(dict.fromkeys(rows["name"]))
    scale = alt.Scale(domain=shown, range=[SERIES[place % len(SERIES)] for place in range(len(shown))])
    shapes = alt.Scale(domain=shown, range=[SHAPES[place % len(SHAPES)] for place in range(len(shown))])
    legend = alt.Legend(orient="bottom", columns=3, title=None, labelFontSize=13, labelLimit=200)
    base = alt.Chart(rows[["name", "x", "y", "tip"]]).encode(
        x=alt.X("x:Q", scale=alt.Scale(type="log"), title=titles[0], axis=DECADES),
        y=alt.Y("y:Q", scale=alt.Scale(domain=[0, 1]), title=titles[1], axis=alt.Axis(tickCount=5)),
        color=alt.Color("name:N", scale=scale, legend=legend),
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        shape=alt.Shape("name:N", scale=shapes, legend=legend), description=alt.Description("tip:N")
    )
    return _sized(id, caption, base.mark_line(strokeWidth=2, aria=False) + points, 240, behind)


def _sized(id: str, caption: str, drawn: Drawn, height: int, behind: pd.DataFrame) -> Chart:
    sized = drawn.properties(width=WIDTH, height=height)
    return Chart(id, caption, svg.draw(sized, caption), grid(f"behind-{id}", caption, behind))
