"""What a backup keeps of a delivery: items, each of certain people, that together are all its rows and files."""

import os
from collections import defaultdict
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.backup.archive.packing import PIECE, Item, Piece
from accord.errors import AccordError, Collector, Problem
from accord.intake.delivered import delivery, files
from accord.intake.delivered.file_names import located
from accord.intake.delivered.files import MEBIBYTE, FileRefusedError
from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED
from accord.intake.reading.forms import COPYRIGHT
from accord.intake.redacting import staging
from accord.intake.redacting.depicted import depicted
from accord.intake.redacting.fall import NAMED
from accord.intake.redacting.verbatim import Source
from accord.shards import opaque_id

MAX_FILE = 4096 * MEBIBYTE
Owner = tuple[str, str]
COMMON: Owner = ("common", "")
"""The owner of what is nobody's: headers, annotators, delivery.yaml."""


class Contents(NamedTuple):
    """The items of a delivery. `order`: table -> for each of its records the number of the item that holds it."""

    items: list[Item]
    order: dict[str, list[int]]


def of_delivery(root: Path, source: Source) -> Contents:
    """The contents of a delivery: an item per image or video (with its rows and forms, of everyone in it), one per
    person, one of all that is common, and one per other file. Raises AccordError where there is a link or a thing that
    is no file.
    """
    shown = depicted(root, source.rows(*PICTURED), source.rows("people.csv"))
    there = {name: records for name, records in source.tables.items() if records}
    owners = {name: [_owner(name, record.row, shown) for record in records] for name, records in there.items()}
    held = _files(root, source, owners)
    numbers = {owner: at for at, owner in enumerate(sorted({*held, *(o for found in owners.values() for o in found)}))}
    items = [Item(_people(root, owner, source, shown), defaultdict(list), held.get(owner, [])) for owner in numbers]
    for name, records in there.items():
        for record, owner in zip(records, owners[name], strict=True):
            items[numbers[owner]].rows[name].append(record.raw)
    items = [_apart(root, item) for item in items]
    items += [piece for item in items for piece in _pieces(item)]
    return Contents(items, {name: [numbers[owner] for owner in found] for name, found in owners.items()})


def _apart(root: Path, item: Item) -> Item:
    """The item with its large files apart."""
    sizes = {path: _size(root, path) for path in item.files}
    large = {path: -(-size // PIECE) for path, size in sizes.items() if size > PIECE}
    return item._replace(files=[path for path in item.files if path not in large], large=large)


def _size(root: Path, path: str) -> int:
    """Raises AccordError where a file is larger than any that is delivered."""
    size = (root / path).stat().st_size
    if size > MAX_FILE:
        hint = f"at most {MAX_FILE // MEBIBYTE} MiB: remove it from the delivery"
        raise AccordError(Problem(f"{root.name}/{path}", f"is {size // MEBIBYTE} MiB large", hint))
    return size


def _pieces(item: Item) -> Iterator[Item]:
    for path, count in item.large.items():
        yield from (Item(item.people, {}, [], {}, Piece(path, number, count)) for number in range(count))


def _owner(table: str, row: Row | None, shown: dict[str, set[str]]) -> Owner:
    """Whose a record is. Forms are the image's that they name, if it shows who signed; else whoever signed it's."""
    if row is None or table == "annotators.csv":
        return COMMON
    if table == "forms.csv" and row["kind"] != COPYRIGHT and row["subject"] not in shown.get(row["image"], set()):
        return ("subject", row["subject"]) if row["subject"] else COMMON
    if row.get("image") in shown:
        return "image", row["image"]
    return ("subject", row["subject"]) if row["subject"] else COMMON


def _people(root: Path, owner: Owner, source: Source, shown: dict[str, set[str]]) -> frozenset[str]:
    kind, reference = owner
    people = {"subject": {reference}, "image": shown.get(reference, set())}.get(kind, set())
    if kind == "shared":
        people = {
            person
            for row in source.rows(*PICTURED)
            if located(root, row["file"]) == reference
            for person in shown[row["image"]]
        }
    return frozenset(opaque_id(source.vendor, person) for person in people)


def _files(root: Path, source: Source, owners: dict[str, list[Owner]]) -> dict[Owner, list[str]]:
    """Owner -> the files that are theirs. A file that rows of several name is an item of its own: an image is all
    theirs, anything else nobody's."""
    named = defaultdict(set)
    for table, column in NAMED.values():
        for record, owner in zip(source.tables[table], owners.get(table, []), strict=True):
            if record.row is not None:
                named[located(root, record.row[column])].add(owner)
    found = defaultdict(list)
    for path in _walk(root, owners):
        whose = named.get(path, {COMMON if path == delivery.DESCRIPTION else ("shared", path)})
        found[next(iter(whose)) if len(whose) == 1 else ("shared", path)].append(path)
    return found


def _walk(root: Path, tables: Container[str]) -> list[str]:
    """The paths of all files of a delivery but its tables. Raises AccordError with all that can't be kept."""
    problems, found = Collector(), []
    for folder, folders, names in os.walk(root):
        for name in sorted(folders + names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if relative.startswith(staging.FOLDER):
                hint = "run the erasure again, which goes on with it, and then the backup"
                problems.add(f"{root.name}/{relative}", "is left over from an interrupted redaction", hint)
            elif path.is_symlink() or not (path.is_dir() or path.is_file()) or not _plain(relative):
                problems.add(f"{root.name}/{relative}", "is not a regular file", "remove it from the delivery")
            elif path.is_file() and relative not in tables:
                found.append(relative)
    if problems:
        raise AccordError(problems)
    return sorted(found)


def _plain(relative: str) -> bool:
    try:
        return bool(files.parts(relative)) and bool(relative.encode())
    except (FileRefusedError, UnicodeEncodeError):
        return False
