"""A picture of the groups of a metric: for papers and slides."""

from collections.abc import Mapping

from accord.analyse.plain.found import Found, Part, parts
from accord.analyse.plain.showing import points
from accord.analyse.plain.showing.points import Family
from accord.errors import AccordError, Problem
from accord.pages.drawing import Drawing, Row, draw
from accord.pages.ranges import Axis, marks

UNIT = "mean, with its 95% interval"


def drawing(found: Found, asked: Mapping[str, str], attribute: str) -> Drawing:
    """The groups of one task, model and metric. asked: these, "" for any; attribute: "" for all single ones."""
    part = _part(found, asked)
    told = points.families(part)
    known = [
        family
        for family in told[1:]
        if (family.attribute == points.figures.label(attribute) if attribute else " × " not in family.attribute)
    ]
    if attribute and not known:
        names = ", ".join(family.attribute for family in told[1:])
        raise AccordError(Problem("attribute", f"{attribute!r} was not compared", f"one of {names}"))
    axis = points.axis_of(part)
    rows = [row for family in (told[0], *known) for row in _rows(family, axis)]
    return draw(part.title, rows, axis, UNIT)


def _part(found: Found, asked: Mapping[str, str]) -> Part:
    every = list(parts(found))
    for place, (name, wanted) in enumerate(asked.items()):
        kept = [part for part in every if not wanted or part.test[place] == wanted]
        if not kept:
            known = ", ".join(sorted({part.test[place] for part in every}))
            raise AccordError(Problem(name, f"{wanted!r} was not compared", f"one of {known}"))
        every = kept
    return every[0]


def _rows(family: Family, axis: Axis) -> list[Row]:
    heading = [] if family.attribute == points.ALL else [Row(family.attribute, None, "")]
    return heading + [
        Row(line.label, marks([line.point], axis)[0], f"{line.mean}, {line.size}")
        for line in family.lines if line.point
    ]  # fmt: skip
