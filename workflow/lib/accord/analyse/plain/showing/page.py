"""The page of a table of one's own, and the part of it that a notebook shows."""

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from accord.analyse.plain.found import UNDEFINED, Found, Part, parts
from accord.analyse.plain.showing import points
from accord.analyse.plain.showing.answers import answers, few
from accord.engine import resources
from accord.pages import shell
from accord.pages.ranges import Axis, axis, marks

HERE = resources.beside(__name__)
PAGE, FRAGMENT, NOTEBOOK = "table.html.j2", "fragment.html.j2", "notebook.css"
BLOCKS = "found.html.j2"
"""What both are made of."""


def whole(found: Found, title: str) -> str:
    """The page. Equal tables give equal bytes."""
    return _environment().get_template(PAGE).render(title=title, **_content(found), **shell.parts())


def fragment(found: Found) -> str:
    """The part that a notebook shows."""
    return _environment().get_template(FRAGMENT).render(**_content(found), style=(HERE / NOTEBOOK).read_text())


def _content(found: Found) -> dict[str, Any]:
    every = [(f"metric-{number}", part) for number, part in enumerate(parts(found), 1)]
    return {"parts": [_told(*one) for one in every], "overviews": _overviews(every), "remarks": found.remarks}


def _told(id: str, part: Part) -> dict[str, Any]:
    """What a metric's section shows."""
    on = points.axis_of(part)
    return {"id": id, "title": part.title, "answers": answers(part), "axis": on,
            "families": [_family(one, on) for one in points.families(part)]}  # fmt: skip


def _family(family: points.Family, on: Axis) -> dict[str, Any]:
    rows = [{"line": line, "marks": marks([line.point] if line.point else [], on)} for line in family.lines]
    return {"attribute": family.attribute, "rows": rows}


def _overviews(every: list[tuple[str, Part]]) -> list[dict[str, Any]]:
    """The first figure: of each model and metric the worst and the best group. What lies within 0 and 1 is on one axis,
    each other metric on its own."""
    kinds: dict[str, list[tuple[str, Part]]] = {}
    for id, part in every:
        shared = part.found.groups["mean"].dropna().between(0, 1).all()
        kinds.setdefault("" if shared else part.metric, []).append((id, part))
    return [_overview(some) for some in kinds.values()]


def _overview(some: list[tuple[str, Part]]) -> dict[str, Any]:
    extents = [points.extent(part) for _, part in some]
    shown = [point for one in extents if one for point in one.points]
    on = axis([side for point in shown for side in (point.value, point.low, point.high)])
    rows = [
        {"id": id, "title": part.title, "extent": one, "marks": marks(one.points if one else [], on), "left": few(part)}
        for (id, part), one in zip(some, extents, strict=True)
    ]
    return {
        "axis": on,
        "rows": rows,
        "undefined": any(part.found.groups["note"].str.startswith(UNDEFINED).any() for _, part in some),
    }


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader([HERE, shell.folder()]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
