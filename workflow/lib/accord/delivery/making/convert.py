"""A delivery's tables from a table of one's own, by a mapping: written whole, or every error told."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from accord.delivery.making import mapping
from accord.delivery.making.mapping import BOX, BOXES, PEOPLE, REGIONS, Cell, Mapping
from accord.delivery.making.nearest import nearest
from accord.delivery.making.template import FOLDERS, NOTICE
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.files import replace
from accord.imaging.coordinates import CORNERS, EXTENTS, PIXELS
from accord.intake.delivered.delivery import DESCRIPTION, MAX_TABLE
from accord.intake.delivered.files import MEBIBYTE
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.text.cells import NotCsvError, is_blank, numbered
from accord.text.identity import identity, known_as
from accord.text.references import normal

Rows = dict[tuple[str, ...], dict[str, str]]
"""Key -> row: rows of one's own table that say the same of a thing make one row."""
CellFaults = dict[tuple[str, str], dict[str, int]]
"""(what is wrong, where the mapping asks for it) -> value of one's own table -> the first line that has it."""
VALUES_SHOWN = 5


def convert(table: Path, by: Path, root: Path, units: str = PIXELS, boxes: str = EXTENTS) -> dict[str, int]:
    """Write the delivery that a table is, by the mapping in a file, into a folder; returns the rows of each table.

    units, boxes: how the table writes coordinates (`UNITS`, `CONVENTIONS`); the annotation files declare it. Raises
    AccordError with all problems, before anything is written.
    """
    made, problems = mapping.read(by), Collector()
    header, rows = _renamed(made, *_own(table, made.delimiter, problems))
    mapping.check_source(made, header, by.name, problems)
    if problems:
        raise AccordError(problems)
    found: dict[str, Rows] = {name: {} for name in (*SHEETS, PEOPLE, REGIONS)}
    faults: CellFaults = defaultdict(dict)
    for number, row in rows:
        for name, way, cells in made.ways():
            rewritten, by_way = _row(cells, row), f"{by.name} {name} {way}"
            if _add(found[name], name, f"{table.name}:{number}", by_way, rewritten, problems):
                _note_faults(faults, by_way, number, rewritten)
    problems += _fault_problems(table.name, faults)
    files = _files(made, found, by.name, _declared(units, boxes), problems)
    _refuse_others(root, files, problems)
    if problems:
        raise AccordError(problems)
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        replace(root / path, data.encode())
    return {name: len(found[name]) for name in SHEETS if name in files}


def _renamed(mapped: Mapping, header: list[str], rows: list) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The header and rows with columns named as the mapping spells them."""
    columns = {column for _, _, cells in mapped.ways() for cell in cells.values() for column in cell.columns()}
    names = {known_as(column, header): column for column in sorted(columns)}
    renamed = [(number, {names.get(name, name): cell for name, cell in row.items()}) for number, row in rows]
    return [names.get(name, name) for name in header], renamed


def _own(path: Path, delimiter: str, problems: Collector) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The header and the rows, with the lines they begin in, of one's own table. Raises AccordError where it is none:
    nothing else can be said of it."""
    header, *records = _records(path, delimiter) or [(1, [])]
    names = _column_names(path, header[1])
    for line, cells in records:
        if len(cells) != len(names) and not is_blank(cells):
            hint = "quote cells that hold the delimiter; `delimiter` in the mapping says what it is"
            problems.add(f"{path.name}:{line}", f"has {len(cells)} cells instead of {len(names)}", hint)
    rows = [(line, dict(zip(names, map(str.strip, cells), strict=False))) for line, cells in records]
    return names, [(line, row) for line, row in rows if any(row.values())]


def _records(path: Path, delimiter: str) -> list[tuple[int, list[str]]]:
    """The records of one's own table with their lines, without columns at the end in which nothing stands."""
    try:
        data = path.read_bytes()
        if len(data) > MAX_TABLE:
            hint = "split it into several deliveries"
            raise AccordError(Problem(path.name, f"is larger than {MAX_TABLE // MEBIBYTE} MiB", hint))
        records = numbered(data, delimiter)
    except OSError as error:
        hint = "give an existing, readable file"
        raise AccordError(Problem(path.name, f"can't be read ({error.strerror})", hint)) from None
    except NotCsvError as wrong:
        hint = f"set `delimiter: {json.dumps(wrong.separator)}` in the mapping" if wrong.separator else wrong.hint
        raise AccordError(Problem(wrong.place(path.name), wrong.what, hint)) from None
    width = len(records[0][1]) if records else 0
    while width and is_blank(records[0][1][width - 1 : width]):
        width -= 1
    return [(line, row[:width] if is_blank(row[width:]) else row) for line, row in records]


def _column_names(path: Path, header: list[str]) -> list[str]:
    """The names of the columns. Raises AccordError where they can't be told apart."""
    names = [name.strip() for name in header]
    if not names:
        raise AccordError(Problem(path.name, "is empty", "its first line names the columns"))
    with all_problems() as problems:
        for number in (number for number, name in enumerate(names, 1) if not name):
            problems.add(path.name, f"column {number} has no name", "its first line names the columns")
        ids = [identity(name) for name in names]
        for name in sorted({name for name, own in zip(names, ids, strict=True) if name and ids.count(own) > 1}):
            problems.add(path.name, f"has a column twice: {name[:80]!r}", "give each column a name of its own")
    return names


def _row(cells: dict[str, Cell], row: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    return {column: list(cell.of(row)) for column, cell in cells.items()}


def _note_faults(faults: CellFaults, by: str, line: int, made: dict[str, list[tuple[str, str]]]) -> None:
    for column, parts in made.items():
        for part, wrong in parts:
            if wrong:
                faults[wrong, f"{by} {column}"].setdefault(part[:80], line)


def _fault_problems(table: str, faults: CellFaults) -> Iterator[Problem]:
    """One problem for all values of a column that are wrong in the same way."""
    for (wrong, by), lines in faults.items():
        (first, line), *others = lines.items()
        listed = ", ".join(f"{value!r} (line {number})" for value, number in others[:VALUES_SHOWN])
        more = f" and {len(others) - VALUES_SHOWN} more" if len(others) > VALUES_SHOWN else ""
        also = f"; nor are {listed}{more}" if others else ""
        yield Problem(f"{table}:{line}", f"{first!r} {wrong} ({by}){also}", "add it to the mapping, or correct it")


def _add(rows: Rows, name: str, where: str, by: str, made: dict[str, list], problems: Collector) -> bool:
    """Add a row, unless its key is empty (False); one that contradicts an earlier one is a problem."""
    key = SHEETS[name].key if name in SHEETS else mapping.DRAWN[name][0][:2]
    empty = dict.fromkeys(SHEETS[name].required, "") if name in SHEETS else {}
    row = empty | {column: mapping.joined(part for part, _ in parts) for column, parts in made.items()}
    if not row[key[0]] or not all(row[column] for column in key if (name, column) != ("annotated.csv", "subject")):
        return False
    first = rows.setdefault(tuple(normal(row[column]) for column in key), row)
    if first != row:
        differ = ", ".join(column for column in row if row[column] != first.get(column))
        hint = "rows that make the same row of a table must agree: correct one of them"
        problems.add(where, f"contradicts an earlier row with the same {' and '.join(key)}: {differ} ({by})", hint)
    return True


def _files(
    made: Mapping, found: dict[str, Rows], where: str, written: dict[str, str], problems: Collector
) -> dict[str, str]:
    """The files of the delivery by their paths."""
    tables = [name for name in SHEETS if name not in OPTIONAL or name in made.tables]
    files = {name: _csv(name, list(found[name].values())) for name in tables}
    notices = [{**notice, "sha256": ""} for notice in made.about["notices"]]
    about = {"format": "accord-delivery/1", **made.about, "notices": notices, "tables": dict.fromkeys(tables, "")}
    files[DESCRIPTION] = yaml.safe_dump(about, sort_keys=False, allow_unicode=True)
    files |= {f"notices/{notice['id']}.txt": NOTICE for notice in notices}
    if any(made.drawn.values()):
        files |= _drawn(found, where, written, problems)
    return files


def _declared(units: str, boxes: str) -> dict[str, str]:
    """What an annotation file says of its coordinates; nothing of those that are written as is usual."""
    written = {"units": (units, PIXELS), "boxes": (boxes, EXTENTS)}
    return {key: value for key, (value, usual) in written.items() if value != usual}


def _csv(name: str, rows: list[dict[str, str]]) -> str:
    sheet, text = SHEETS[name], io.StringIO(newline="")
    columns = [c for c in (*sheet.required, *sheet.optional) if c in sheet.required or any(c in row for row in rows)]
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _drawn(found: dict[str, Rows], where: str, written: dict[str, str], problems: Collector) -> dict[str, str]:
    """Annotation files, of the boxes of people and regions that the table has; written: what the files declare."""
    images = {normal(row["image"]): row["annotations"] for row in found["images.csv"].values()}
    documents: dict[str, dict[str, Any]] = {
        image: {"image": image, **written, "people": [], "regions": []} for image in images
    }
    for kind in (PEOPLE, REGIONS):
        for row in found[kind].values():
            image = normal(row["image"])
            if image not in documents:
                meant = nearest(image, documents)
                hint = f"did you mean {meant!r}?" if meant else "images.csv must have it"
                problems.add(f"{where} {kind}", f"refers to an image that is not in images.csv: {image!r}", hint)
                continue
            try:
                drawn = _person(row) if kind == PEOPLE else _region(row, written.get("boxes", EXTENTS))
                documents[image][kind].append(drawn)
            except ValueError:
                problems.add(f"{where} {kind}", f"a box of image {image!r} is not four numbers", "px, all four or none")
    return {images[image]: json.dumps(document, indent=1, ensure_ascii=False) for image, document in documents.items()}


def _person(row: dict[str, str]) -> dict:
    boxes = {name: box for name, columns in BOXES.items() if (box := _numbers(row, columns))}
    by = dict.fromkeys(boxes, row["annotator"]) if row.get("annotator") else {}
    return {"subject": row["subject"], **boxes, "annotators": by}


def _region(row: dict[str, str], boxes: str) -> dict:
    box = _numbers(row, BOX)
    if not box:
        raise ValueError
    x, y, *far = box
    right, bottom = far if boxes == CORNERS else (x + far[0], y + far[1])
    polygon = [[x, y], [right, y], [right, bottom], [x, bottom]]
    by = {"annotator": row["annotator"]} if row.get("annotator") else {}
    return {"region": row["region"], "kind": row["kind"], "polygon": polygon, **by}


def _numbers(row: dict[str, str], columns: tuple[str, ...]) -> list[float]:
    """Four numbers; none where all cells are empty. Raises ValueError for anything else."""
    cells = [row.get(column, "") for column in columns]
    return [float(cell) for cell in cells] if any(cells) else []


def _refuse_others(root: Path, files: dict[str, str], problems: Collector) -> None:
    """Tell what lies in the way: nothing of the vendor's is written over, and nothing written elsewhere."""
    for path in sorted(files):
        parts = path.split("/")
        if not path or {"", ".", ".."} & set(parts) or "\\" in path or "\0" in path:
            problems.add(path[:80], "is not a plain path inside the delivery", "annotations: annotations/{image}.json")
        elif any(part.is_symlink() or part.exists() for part in _above(root, parts)):
            problems.add(f"{root}/{path}", "already exists, or is a link", "choose a new folder, or remove the file")


def _above(root: Path, parts: list[str]) -> Iterator[Path]:
    """A file, and the links among the folders above it."""
    yield root.joinpath(*parts)
    folders = (root.joinpath(*parts[:depth]) for depth in range(1, len(parts)))
    yield from (folder for folder in folders if folder.is_symlink() or folder.is_file())
