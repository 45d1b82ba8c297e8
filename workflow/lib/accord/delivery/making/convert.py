"""A delivery's tables from a table of one's own, by a mapping: written whole, or every error told."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import yaml

from accord.delivery.making import mapping
from accord.delivery.making.mapping import BOX, BOXES, PEOPLE, REGIONS, Cell, Mapping
from accord.delivery.making.nearest import nearest
from accord.delivery.making.template import FOLDERS, NOTICE
from accord.errors import AccordError, Collector, Problem
from accord.files import replace
from accord.imaging.coordinates import CORNERS, EXTENTS, PIXELS
from accord.intake.delivered.delivery import DESCRIPTION, MAX_TABLE
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.text.cells import SEPARATORS, separated_by
from accord.text.identity import identity, known_as
from accord.text.references import normal

Rows = dict[tuple[str, ...], dict[str, str]]
"""Key -> row: rows of one's own table that say the same of a thing make one row."""


def convert(table: Path, by: Path, root: Path, units: str = PIXELS, boxes: str = EXTENTS) -> dict[str, int]:
    """Write the delivery that a table is, by the mapping in a file, into a folder; returns the rows of each table.

    units, boxes: how the table writes coordinates (`UNITS`, `CONVENTIONS`); the annotation files declare it. Raises
    AccordError with all problems, before anything is written.
    """
    made, problems = mapping.read(by), Collector()
    header, rows = _asked(made, *_own(table, made.delimiter, problems))
    mapping.check_source(made, header, by.name, problems)
    if problems:
        raise AccordError(problems)
    found: dict[str, Rows] = {name: {} for name in (*SHEETS, PEOPLE, REGIONS)}
    for number, row in rows:
        for name, way, cells in made.ways():
            _add(found[name], name, f"{table.name}:{number}", f"{by.name} {name} {way}", _row(cells, row), problems)
    files = _files(made, found, by.name, _declared(units, boxes), problems)
    _refuse_others(root, files, problems)
    if problems:
        raise AccordError(problems)
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        replace(root / path, data.encode())
    return {name: len(found[name]) for name in SHEETS if name in files}


def _asked(made: Mapping, header: list[str], rows: list) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The header and rows with columns named as the mapping spells them."""
    asked = {column for _, _, cells in made.ways() for cell in cells.values() for column in cell.columns()}
    named = {known_as(column, header): column for column in sorted(asked)}
    renamed = [(number, {named.get(name, name): cell for name, cell in row.items()}) for number, row in rows]
    return [named.get(name, name) for name in header], renamed


def _own(path: Path, delimiter: str, problems: Collector) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The header and the rows, with their numbers, of one's own table."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig") if len(data) <= MAX_TABLE else ""
        header, *lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)) or [[]]
    except OSError as error:
        problems.add(path.name, f"can't be read ({error.strerror})", "give an existing, readable file")
        return [], []
    except (UnicodeDecodeError, csv.Error) as error:
        problems.add(path.name, f"is not valid CSV in UTF-8 ({type(error).__name__})", "save it as CSV, UTF-8")
        return [], []
    if sign := separated_by(header, delimiter):
        given = {name: letter for letter, name in SEPARATORS.items()}[sign]
        hint = f"set `delimiter: {json.dumps(given)}` in the mapping"
        raise AccordError(Problem(path.name, f"looks separated by {sign}", hint))
    header = [name.strip() for name in header]
    if not any(header) or len(set(map(identity, header))) < len(header):
        problems.add(path.name, "is empty, too large, or has a column twice", "its first line names the columns")
    for number, cells in enumerate(lines, 2):
        if any(cells) and len(cells) != len(header):
            hint = "quote cells that hold the delimiter; `delimiter` in the mapping says what it is"
            problems.add(f"{path.name}:{number}", f"has {len(cells)} cells instead of {len(header)}", hint)
    named = [(n, dict(zip(header, map(str.strip, cells), strict=False))) for n, cells in enumerate(lines, 2)]
    return header, [(number, row) for number, row in named if any(row.values())]


def _row(cells: dict[str, Cell], row: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    return {column: list(cell.of(row)) for column, cell in cells.items()}


def _add(rows: Rows, name: str, where: str, by: str, made: dict[str, list], problems: Collector) -> None:
    """Add a row, unless its key is empty; one that contradicts an earlier one is a problem."""
    key = SHEETS[name].key if name in SHEETS else mapping.DRAWN[name][0][:2]
    row = {column: mapping.joined(part for part, _ in parts) for column, parts in made.items()}
    if not row[key[0]] or not all(row[column] for column in key if (name, column) != ("annotated.csv", "subject")):
        return
    for column, parts in made.items():
        for part, wrong in parts:
            if wrong:
                problems.add(
                    f"{where}", f"{part[:80]!r} {wrong} ({by} {column})", "add it to the mapping, or correct it"
                )
    first = rows.setdefault(tuple(normal(row[column]) for column in key), row)
    if first != row:
        differ = ", ".join(column for column in row if row[column] != first.get(column))
        hint = "rows that make the same row of a table must agree: correct one of them"
        problems.add(where, f"contradicts an earlier row with the same {' and '.join(key)}: {differ} ({by})", hint)


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
    documents = {image: {"image": image, **written, "people": [], "regions": []} for image in images}
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
