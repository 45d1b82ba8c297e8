"""Charts of the report, drawn by Vega-Lite: bars, intervals, lines. Each has the table behind it.

They are said in Vega-Lite's own terms (https://vega.github.io/vega-lite/docs/), as JSON: a library that builds and
checks such JSON takes longer than drawing it.
"""

import json
import textwrap
from math import isfinite
from typing import Any

import pandas as pd

from accord.report.drawing import svg
from accord.report.drawing.blocks import Chart, grid

ROW = 24
WIDTH = 360
LABELS = 250
LINE = 56
"""Most letters in a line below an axis of WIDTH: more would be cut off."""
DECADES = {"values": [10.0**power for power in range(-6, 1)], "format": "~g"}
SERIES = ("#0b6e99", "#b45309", "#1b7837", "#762a83", "#4d4d4d", "#a6194b", "#3b5bdb")
SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
"""Lines differ in colour and in the shape of their points, for those who don't tell colours apart."""
COUNTS = {"format": ",d", "tickCount": 5}
TIP = {"field": "tip", "type": "nominal"}
Spec = dict[str, Any]
"""A part of a Vega-Lite specification."""


def bars(id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame) -> Chart:
    """A bar for each row. rows: `name`, `value`, `tip`."""
    x = _quantity("value", title=title, axis={"tickMinStep": 1, **COUNTS})
    drawn = {
        "data": _data(rows, "name", "value", "tip"),
        "mark": {"type": "bar", "color": svg.BLUE},
        "encoding": {"x": x, "y": _names(rows), "description": TIP},
    }
    return _chart(id, caption, drawn, len(rows), behind)


def steps(id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame) -> Chart:
    """A waterfall: a bar from `before` to `after`. rows: `name`, `before`, `after`, `stopped`, `tip`."""
    scale, y = {"zero": False, "nice": False, "padding": 34}, _names(rows)
    ends = {"x": _quantity("after", title=title, scale=scale, axis=COUNTS), "x2": {"field": "before"}}
    text = {"type": "text", "align": "left", "dx": 5, "color": svg.INK, "fontSize": 13, "aria": False}
    stopped = {"x": _quantity("before", scale=scale), "text": _quantity("stopped")}
    layers = [
        {"mark": {"type": "bar", "color": svg.ORANGE}, "encoding": {**ends, "y": y, "description": TIP}},
        {"mark": text, "encoding": {**stopped, "y": y}},
    ]
    drawn = {"data": _data(rows, "name", "before", "after", "stopped", "tip"), "layer": layers}
    return _chart(id, caption, drawn, len(rows), behind)


def intervals(
    id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame, domain: tuple[float, float]
) -> Chart:
    """A forest plot. rows: `name` (unique), `mean`, `low`, `high` (missing on headings), `marked`, `tip`."""
    headings = [str(name) for name in rows.loc[rows["mean"].isna() & (rows["tip"] == ""), "name"]]
    y = _names(rows, labelColor=_if(f"indexof({json.dumps(headings)}, datum.value) >= 0", svg.BLUE, svg.INK))
    scale, axis = {"domain": list(domain), "clamp": True, "nice": False}, {"tickCount": 6, "grid": True}
    known = [{"filter": "isValid(datum.mean)"}]
    colour = _if("datum.marked", svg.ORANGE, svg.BLUE)
    lines = {"x": _quantity("low", title=title, scale=scale, axis=axis), "x2": {"field": "high"}, "color": colour}
    shown = {"shape": _if("datum.marked", "diamond", "circle"), "size": _if("datum.marked", 130, 75)}
    points = {"x": _quantity("mean", scale=scale), "color": colour, **shown, "description": TIP}
    blank = {"x": {"datum": domain[0], "scale": scale, "axis": axis}, "y": y}
    rule = {"type": "rule", "strokeWidth": 2.5, "aria": False}
    layers = [
        {"mark": {"type": "point", "opacity": 0, "aria": False}, "encoding": blank},
        {"transform": known, "mark": rule, "encoding": {**lines, "y": y}},
        {"transform": known, "mark": {"type": "point", "filled": True, "opacity": 1}, "encoding": {**points, "y": y}},
    ]
    drawn = {"data": _data(rows, "name", "mean", "low", "high", "marked", "tip"), "layer": layers}
    return _chart(id, caption, drawn, len(rows), behind)


def unique(name: str, seen: set[str]) -> str:
    """The name for a row of `intervals`, which none of those `seen` has; it is one of them then."""
    while name in seen:
        name += "\u00a0"
    seen.add(name)
    return name


def histogram(id: str, caption: str, rows: pd.DataFrame, title: str, behind: pd.DataFrame) -> Chart:
    """Bars over ranges of a number. rows: `low`, `high`, `share`, `tip`."""
    encoding = {
        "x": _quantity("low", bin="binned", title=textwrap.wrap(title, LINE), axis={"tickCount": 6}),
        "x2": {"field": "high"},
        "y": _quantity("share", title="share of people in images", axis={"format": ".0%", "tickCount": 4}),
        "description": TIP,
    }
    mark = {"type": "bar", "color": svg.BLUE, "binSpacing": 1}
    drawn = {"data": _data(rows, "low", "high", "share", "tip"), "mark": mark, "encoding": encoding}
    return _sized(id, caption, drawn, 160, behind)


def curves(id: str, caption: str, rows: pd.DataFrame, titles: tuple[str, str], behind: pd.DataFrame) -> Chart:
    """A line with points for each `name`, over a logarithmic axis. rows: `name`, `x`, `y`, `tip`."""
    names = list(dict.fromkeys(rows["name"]))
    base = {
        "x": _quantity("x", scale={"type": "log"}, title=titles[0], axis=DECADES),
        "y": _quantity("y", scale={"domain": [0, 1]}, title=titles[1], axis={"tickCount": 5}),
        "color": _series(names, SERIES),
    }
    points = {"type": "point", "filled": True, "size": 60, "opacity": 1}
    layers = [
        {"mark": {"type": "line", "strokeWidth": 2, "aria": False}, "encoding": base},
        {"mark": points, "encoding": {**base, "shape": _series(names, SHAPES), "description": TIP}},
    ]
    return _sized(id, caption, {"data": _data(rows, "name", "x", "y", "tip"), "layer": layers}, 240, behind)


def _data(rows: pd.DataFrame, *columns: str) -> Spec:
    """The rows as JSON says them: what is no number is null."""
    values = [[None if _is_missing(value) else value for value in rows[name].tolist()] for name in columns]
    return {"values": [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]}


def _is_missing(value: Any) -> bool:
    return not isfinite(value) if isinstance(value, float) else bool(pd.isna(value))


def _quantity(field: str, **more: Any) -> Spec:
    return {"field": field, "type": "quantitative", **more}


def _names(rows: pd.DataFrame, **axis: Any) -> Spec:
    """An axis of the names of rows, in their order."""
    whole = {"labelLimit": LABELS, "ticks": False, "domain": False, "labelPadding": 6, **axis}
    return {"field": "name", "type": "nominal", "sort": list(rows["name"]), "title": None, "axis": whole}


def _series(names: list[str], looks: tuple[str, ...]) -> Spec:
    """How the lines of each name look, with a legend."""
    legend = {"orient": "bottom", "columns": 3, "title": None, "labelFontSize": 13, "labelLimit": 200}
    scale = {"domain": names, "range": [looks[place % len(looks)] for place in range(len(names))]}
    return {"field": "name", "type": "nominal", "scale": scale, "legend": legend}


def _if(test: str, value: Any, other: Any) -> Spec:
    return {"condition": {"test": test, "value": value}, "value": other}


def _chart(id: str, caption: str, drawn: Spec, rows: int, behind: pd.DataFrame) -> Chart:
    return _sized(id, caption, drawn, ROW * max(rows, 2), behind)


def _sized(id: str, caption: str, drawn: Spec, height: int, behind: pd.DataFrame) -> Chart:
    sized = {**drawn, "width": WIDTH, "height": height}
    return Chart(id, caption, svg.draw(sized, caption), grid(f"behind-{id}", caption, behind))
