"""Single columns of a delivery's tables: whom they name and show, without all else that can be said of their rows."""

import csv
import io
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from accord.errors import Collector
from accord.intake.delivered import delivery, files, parts, shares, sheets
from accord.intake.delivered.shares import ANNOTATOR, PERSON
from accord.intake.delivered.sheets import OPTIONAL, PICTURED
from accord.intake.reading import evidence
from accord.intake.reading.evidence import Signature
from accord.shards import opaque_id, shard_of
from accord.text.cells import is_blank
from accord.text.references import normal


def references(root: Path, *, sound: bool) -> dict[str, set[str]]:
    """Kind -> the references of people and annotators in the delivery in a folder.

    sound: whether its tables are known to have no problem, so that their columns can be read alone.
    """
    if not sound:
        given = parts.tables(root, Collector())
        return {kind: shares.references(kind, given) for kind in (PERSON, ANNOTATOR)}
    found: dict[str, set[str]] = {PERSON: set(), ANNOTATOR: set()}
    for kind, told in found.items():
        for name in {name for name, _ in shares.COLUMNS[kind]}:
            columns = [column for of, column in shares.COLUMNS[kind] if of == name]
            for cells in read(root, name, columns):
                told.update(cells)
        told.discard("")
    return found


def signatures(root: Path, vendor: str, *, sound: bool) -> list[Signature]:
    """The forms of the delivery in a folder as evidence. sound: as of `references`."""
    if not sound:
        return [evidence.signature(root, vendor, row) for row in parts.tables(root, Collector())["forms.csv"]]
    columns = ("sha256", "subject", "signed_on", "joint", "file")
    person = cache(lambda reference: opaque_id(vendor, reference))
    return [
        Signature(
            sha256.lower(), person(subject), signed_on, sheets.boolean(joint) is True, evidence.text_digest(root, file)
        )
        for sha256, subject, signed_on, joint, file in read(root, "forms.csv", columns)
    ]


def shown(root: Path, vendor: str, count: int, *, sound: bool) -> dict[str, set[str]]:
    """Shard (of `count`) -> the ids of the people whom the images of a delivery in it show, of those that show any."""
    if sound:
        images = chain.from_iterable(read(root, name, ("image", "subject")) for name in PICTURED)
        people = read(root, "people.csv", ("image", "subject"))
    else:
        given = parts.tables(root, Collector())
        images = ((row["image"], row["subject"]) for name in PICTURED for row in given[name])
        people = ((row["image"], row["subject"]) for row in given["people.csv"])

    @cache
    def place(reference: str) -> tuple[str, str]:
        person = opaque_id(vendor, reference)
        return person, shard_of(person, count)

    of_image, found = {}, {}
    for image, subject in images:
        person, home = place(subject)
        of_image[image] = home
        found.setdefault(home, set()).add(person)
    for image, subject in people:
        found.setdefault(of_image.get(image) or place(image)[1], set()).add(place(subject)[0])
    return found


def read(root: Path, name: str, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Cells of some columns of a table without problems, as `parsing.parse` reads them; "" where there is no column,
    nothing where a delivery need not have the table and hasn't."""
    if name in OPTIONAL and not Path(root, name).is_file():
        return
    data = files.read(root, name, delivery.MAX_TABLE)
    rows = csv.reader(io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline=""), strict=True)
    header = next(rows)
    at = [header.index(column) if column in header else -1 for column in columns]
    plain = cache(lambda cell: normal(cell.strip()))
    for row in rows:
        if not is_blank(row):
            yield tuple(plain(row[number]) if number >= 0 else "" for number in at)
