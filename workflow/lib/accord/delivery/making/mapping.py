"""Mapping: how a row of a vendor's own table becomes rows of a delivery's tables; read whole, or every error told."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from accord.delivery.making.nearest import nearest
from accord.delivery.making.template import MAY_BE_EMPTY
from accord.engine import yaml_text
from accord.engine.yaml_text import NotPlainError
from accord.errors import AccordError, Collector
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.delivered.sheets import SEPARATOR, SHEETS
from accord.text.identity import known_as

LARGEST = 1 << 20
HINT = "see docs/delivery.md, or workflow/schemas/delivery-mapping.schema.json"
BOXES = {"face_bbox": ("face_x", "face_y", "face_width", "face_height"),
         "person_bbox": ("person_x", "person_y", "person_width", "person_height")}  # fmt: skip
BOX = ("x", "y", "width", "height")
ABOUT = ("vendor", "delivery", "created", "contact", "rendered", "notices")
PEOPLE, REGIONS = "people", "regions"
DRAWN = {
    PEOPLE: (("image", "subject"), (*BOXES["face_bbox"], *BOXES["person_bbox"], "annotator")),
    REGIONS: (("image", "region", "kind", *BOX), ("annotator",)),
}
"""Of what is drawn: the columns that are needed, and those that can be left out."""
FIELD = re.compile(r"\{([^{}]*)\}")


class Cell(NamedTuple):
    """How a cell is made. `text`: with {column} for cells; values, days, separator: how what comes out is rewritten."""

    text: str
    values: dict[str, str] | None
    separator: str
    days: str

    def columns(self) -> list[str]:
        """The columns of one's own table that it asks for."""
        return FIELD.findall(self.text)

    def of(self, row: dict[str, str]) -> Iterator[tuple[str, str]]:
        """The parts of the cell: what is written, and "" or what is wrong with a part. Empty where all columns are."""
        if self.columns() and not any(row[column] for column in self.columns()):
            return
        made = FIELD.sub(lambda field: row[field[1]], self.text)
        for part in made.split(self.separator) if self.separator else [made]:
            yield self._rewritten(part.strip())

    def _rewritten(self, part: str) -> tuple[str, str]:
        if self.values is not None:
            value = known_as(part, self.values)
            return (self.values[value], "") if value in self.values else (part, "is not a mapped value")
        if self.days:
            try:
                return datetime.strptime(part, self.days).date().isoformat(), ""
            except ValueError:
                example = date(1990, 12, 31).strftime(self.days)
                return part, f"is not a date in the format {self.days} (as {example})"
        return part, ""


class Mapping(NamedTuple):
    """A mapping. `about`: the description of the delivery; tables and drawn: name -> ways to make a row."""

    about: dict[str, Any]
    delimiter: str
    tables: dict[str, list[dict[str, Cell]]]
    drawn: dict[str, list[dict[str, Cell]]]

    def ways(self) -> Iterator[tuple[str, int, dict[str, Cell]]]:
        """(table or people or regions, number of the way, its cells)."""
        for name, ways in (*self.tables.items(), *self.drawn.items()):
            yield from ((name, number, cells) for number, cells in enumerate(ways, 1))


def read(path: Path) -> Mapping:
    """The mapping in a file. Raises AccordError with all that is wrong with it."""
    said, problems = _document(path), Collector()
    _fits(said, path.name, problems)
    if problems:
        raise AccordError(problems)
    about = {key: said[key] for key in ABOUT if key in said}
    tables = {name: [_cells(way) for way in ways] for name, ways in said["tables"].items()}
    drawn = {name: [_cells(way) for way in said.get(name, ())] for name in DRAWN}
    made = Mapping(about, said.get("delimiter", ","), tables, drawn)
    for name, number, cells in made.ways():
        _check_columns(f"{path.name} {name} {number}", name, cells, problems)
    if problems:
        raise AccordError(problems)
    return made


def check_source(made: Mapping, header: Iterable[str], where: str, problems: Collector) -> None:
    """Tell the columns that a mapping asks for and a table doesn't have."""
    known = list(header)
    places: dict[str, list[str]] = {}
    for name, number, cells in made.ways():
        for column, cell in cells.items():
            for asked in cell.columns():
                if asked not in known:
                    places.setdefault(asked, []).append(f"{where} {name} {number} {column}")
    for asked, asking in places.items():
        meant = nearest(asked, known)
        hint = f"did you mean {meant!r}?" if meant else f"its columns: {', '.join(known[:50])}"
        also = f" (nor for {len(asking) - 1} other cells of the mapping)" if len(asking) > 1 else ""
        problems.add(asking[0], f"your table has no column {asked!r}{also}", hint)


def _document(path: Path) -> Any:
    try:
        data = path.read_bytes()[: LARGEST + 1]
        if len(data) > LARGEST:
            raise ValueError("too large")
        return yaml_text.strings(data.decode())
    except OSError as error:
        raise AccordError([_problem(path, f"can't be read ({error.strerror})")]) from None
    except NotPlainError as error:
        raise AccordError([_problem(path, str(error))]) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise AccordError([_problem(path, f"is not valid YAML ({type(error).__name__})")]) from None


def _problem(path: Path, what: str):
    problems = Collector()
    problems.add(path.name, what, HINT)
    return problems[0]


def _fits(said: Any, where: str, problems: Collector) -> None:
    import jsonschema

    schema = json.loads(SCHEMA.with_name("delivery-mapping.schema.json").read_text())
    for error in sorted(jsonschema.Draft202012Validator(schema).iter_errors(said), key=lambda error: error.json_path):
        problems.add(f"{where} {error.json_path}", error.message[:200], HINT)


def _cells(way: dict[str, Any]) -> dict[str, Cell]:
    return {column: _cell(said) for column, said in way.items()}


def _cell(said: dict[str, Any]) -> Cell:
    text = f"{{{said['column']}}}" if "column" in said else said["text"]
    return Cell(text, said.get("values"), said.get("separator", ""), said.get("days", ""))


def _check_columns(where: str, name: str, cells: dict[str, Cell], problems: Collector) -> None:
    """Whether a table has the columns that a mapping makes, and all that it needs are made."""
    needed, others = DRAWN[name] if name in DRAWN else _columns(name)
    for column in cells.keys() - {*needed, *others}:
        meant = nearest(column, (*needed, *others))
        hint = f"did you mean {meant!r}?" if meant else f"its columns can be: {', '.join((*needed, *others))}"
        problems.add(where, f"{name} has no column {column!r}", hint)
    for column in [column for column in needed if column not in cells]:
        problems.add(where, f"does not map {column!r}", 'give a column or a text; text: "" leaves it empty')


def _columns(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of a table that must be made, and those that can be: cells of others may be empty, or are filled in
    when the delivery is sealed."""
    sheet = SHEETS[name]
    mapped = [column for column in sheet.required if not column.endswith("sha256")]
    may_be_empty = [column for column in mapped if (name, column) in MAY_BE_EMPTY]
    return tuple(c for c in mapped if c not in may_be_empty), (*may_be_empty, *sheet.optional)


def joined(parts: Iterable[str]) -> str:
    """The values of a cell as a delivery writes a list."""
    return SEPARATOR.join(parts)
