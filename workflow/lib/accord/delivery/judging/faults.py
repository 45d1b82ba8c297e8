"""Faults of a delivery, told to the vendor: where, what stands there, what could; equal ones together."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from accord.delivery.making.nearest import nearest
from accord.errors import Collector, Problem
from accord.intake.delivered.delivery import CHANGED
from accord.intake.delivered.place import Place

WHOLE, IMAGE, PART, LOOK = EFFECTS = ("whole", "image", "part", "look")
"""What a fault stops: the delivery as a whole, images, a value or form that is left out, nothing."""
SHOWN, LINES, LONGEST = 3, 5, 80
"""Of equal faults, how many values are shown, and lines of each; and how many letters of a value."""


class Fault(NamedTuple):
    """One thing that is wrong. `what`, `hint` quote no value: `place` has it; images: references of those it stops."""

    effect: str
    what: str
    hint: str
    place: Place
    images: tuple[str, ...] = ()


class FaultCollector(Collector):
    """Problems of a delivery as a whole, kept as faults with their places."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[Fault] = []

    def add(self, where: str, what: str, hint: str = "", place: object = None) -> None:
        super().add(where, what, hint)
        file, _, line = where.rpartition(":")
        known = Place(file, int(line)) if file and line.isdigit() else Place(where)
        self.faults.append(Fault(WHOLE, what, hint, place if isinstance(place, Place) else known))


class Group(NamedTuple):
    """Equal faults: all but line, value and images are the same."""

    effect: str
    file: str
    column: str
    what: str
    hint: str
    faults: tuple[Fault, ...]

    @property
    def images(self) -> tuple[str, ...]:
        return tuple(sorted({image for fault in self.faults for image in fault.images}))


def grouped(faults: Iterable[Fault]) -> list[Group]:
    """The faults, equal ones together: first what stops most, in the order of files and lines."""
    found: dict[tuple, dict[Place, Fault]] = {}
    for fault in sorted(
        faults, key=lambda f: (EFFECTS.index(f.effect), f.place.file, f.what == CHANGED, f.place[1:4], f.what)
    ):
        file = fault.place.file if fault.place.line else _folder(fault.place.file)
        same = found.setdefault((fault.effect, file, fault.place.column, fault.what, fault.hint), {})
        images = same[fault.place].images if fault.place in same else ()
        same[fault.place] = fault._replace(images=(*images, *fault.images))
    return [Group(*key, faults=tuple(same.values())) for key, same in found.items()]


def problem(group: Group) -> Problem:
    """A group as one problem: what it says quotes values, which are the vendor's own."""
    count = f" ({len(group.faults)} times)" if len(group.faults) > 1 else ""
    column = f", column {group.column}" if group.column else ""
    lines = [f"{group.what}{count}", *(f"    {line}" for line in _values(group.faults))]
    if group.images:
        lines.append(f"    stops {_listed(group.images, SHOWN * LINES)}")
    files = {fault.place.file for fault in group.faults}
    file = files.pop() if len(files) == 1 else group.file
    return Problem(f"{shown(file) or 'delivery'}{column}", "\n".join(lines), group.hint)


def document(group: Group) -> dict[str, Any]:
    """A group for machines: each occurrence with its file, line, value and the nearest label."""
    told = problem(group)
    where = [
        {"file": f.place.file, "line": f.place.line, "value": f.place.value, "nearest": _meant(f.place)}
        for f in group.faults
    ]
    about = {"effect": group.effect, "column": group.column, "count": len(where), "images": list(group.images)}
    return {"where": told.where, "what": group.what, "hint": group.hint, **about, "places": where}


def shown(value: str) -> str:
    """A value as it is printed: what a terminal would act on is escaped, and the rest of a long one left out."""
    plain = "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in value[: LONGEST + 1])
    return f"{plain[:LONGEST]}..." if len(plain) > LONGEST else plain


def _values(faults: Iterable[Fault]) -> Iterator[str]:
    """A line for each of the first values: where it stands, and what may be meant."""
    by_value: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        by_value.setdefault((fault.place.value, "" if fault.place.line else fault.place.file), []).append(fault)
    for (value, file), same in list(by_value.items())[:SHOWN]:
        lines = sorted({fault.place.line for fault in same if fault.place.line})
        where = f"line{'s' if len(lines) > 1 else ''} {_listed(lines, LINES)}" if lines else shown(file)
        meant = _meant(same[0].place)
        asked = f'; did you mean "{shown(meant)}"?' if meant else ""
        if value or lines or len(by_value) > 1:
            yield f'{where}: "{shown(value)}"{asked}' if value else where
    if len(by_value) > SHOWN:
        yield f"... and {len(by_value) - SHOWN} more"


def _meant(place: Place) -> str:
    """What may be meant by the first value of a place that could hold others."""
    first = place.value.partition("|")[0]
    return nearest(first, place.labels) if place.labels and first else ""


def _listed(values: Iterable[object], most: int) -> str:
    found = [shown(str(value)) for value in dict.fromkeys(values)]
    rest = f" and {len(found) - most} more" if len(found) > most else ""
    return f"{', '.join(found[:most])}{rest}"


def _folder(file: str) -> str:
    """What files of one kind share: their folder; a table's, its name."""
    folder, slash, _ = file.rpartition("/")
    return f"{folder}{slash}" if slash else file
