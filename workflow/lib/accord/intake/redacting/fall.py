"""What falls of a delivery when a person is taken out of it: rows and files, from the tables alone."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from accord.intake.delivered import delivery
from accord.intake.delivered.file_names import located
from accord.intake.delivered.files import FileRefusedError, parts
from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED, SHEETS
from accord.intake.reading.forms import COPYRIGHT
from accord.intake.redacting.depicted import depicted
from accord.intake.redacting.staging import FOLDER
from accord.intake.redacting.verbatim import Source
from accord.shards import opaque_id
from accord.text.references import normal

NAMED = {
    "image": ("images.csv", "file"),
    "annotation": ("images.csv", "annotations"),
    "video": ("videos.csv", "file"),
    "boxes": ("videos.csv", "annotations"),
    "form": ("forms.csv", "file"),
}
"""Kinds of files: the table and the column that name them."""


class Fall(NamedTuple):
    """Table -> positions of the records that fall; kind of file (NAMED) -> paths in the delivery."""

    rows: dict[str, set[int]]
    files: dict[str, list[str]]


def of_person(root: Path, source: Source, subject: str, images: frozenset[str]) -> Fall:
    """What falls with a person (an opaque id) and with images (opaque ids).

    All images and videos that show the person fall, given or not, those that name the same file, and videos of the
    same sha256; with each all rows about it. A copyright form of the person for one that stays, and every annotator,
    stay. Somebody who was in those that fall, and is left without any and without a form, falls too. A file stays as
    long as a row that stays names it.
    """

    @cache
    def theirs(reference: str) -> bool:
        return opaque_id(source.vendor, reference) == subject

    gone = _images(root, source, images, theirs)
    staying = {row["image"] for row in source.rows(*PICTURED)} - gone
    about = {
        **dict.fromkeys(PICTURED, lambda row: row["image"] in gone),
        "people.csv": lambda row: row["image"] in gone or theirs(row["subject"]),
        "annotated.csv": lambda row: row["image"] in gone or theirs(row["subject"]),
        "forms.csv": lambda row: row["image"] in gone or (theirs(row["subject"]) and not _rights(row, staying)),
    }
    rows = {name: _positions(source, name, falls) for name, falls in about.items()}
    left = _left_behind(source, rows)
    rows["subjects.csv"] = _positions(
        source, "subjects.csv", lambda row: theirs(row["subject"]) or row["subject"] in left
    )
    return Fall(rows, _files(root, source, rows))


def _images(root: Path, source: Source, images: frozenset[str], theirs: Any) -> set[str]:
    """The references of the images and videos that fall."""
    listed = source.rows(*PICTURED)
    shown = depicted(root, listed, source.rows("people.csv"))
    gone = {image for image, people in shown.items() if any(map(theirs, people))}
    for row in source.rows(*PICTURED, "people.csv", "annotated.csv", "forms.csv"):
        if row["image"] and opaque_id(source.vendor, source.name, row["image"]) in images:
            gone.add(row["image"])
    same = {normal(row["file"]) for row in listed if row["image"] in gone}
    films = source.rows("videos.csv")
    digests = {row["sha256"].lower() for row in films if row["image"] in gone} - {""}
    copies = {row["image"] for row in films if row["sha256"].lower() in digests}
    return gone | copies | {row["image"] for row in listed if normal(row["file"]) in same}


def _rights(row: Row, staying: set[str]) -> bool:
    return row["kind"] == COPYRIGHT and row["image"] in staying


def _positions(source: Source, name: str, falls: Any) -> set[int]:
    return {at for at, record in enumerate(source.tables[name]) if record.row is not None and falls(record.row)}


def _left_behind(source: Source, rows: dict[str, set[int]]) -> set[str]:
    """Who was in rows that fall, and is in none that stays."""
    fell, stays = set(), set()
    for name in (*PICTURED, "people.csv", "forms.csv"):
        for at, record in enumerate(source.tables[name]):
            if record.row is not None:
                (fell if at in rows[name] else stays).add(record.row["subject"])
    return fell - stays


def _files(root: Path, source: Source, rows: dict[str, set[int]]) -> dict[str, list[str]]:
    """Kind of file -> the paths of those that fall, as the disk spells them."""
    named = {kind: ([], []) for kind in NAMED}
    for kind, (table, column) in NAMED.items():
        for at, record in enumerate(source.tables[table]):
            if record.row is not None:
                named[kind][at in rows[table]].append(located(root, record.row[column]))
    stay = {path for staying, _ in named.values() for path in staying}
    stay |= {delivery.DESCRIPTION, *SHEETS, *(f"notices/{notice}.txt" for notice in source.notices)}
    return {kind: sorted(path for path in set(gone) - stay if _inside(path)) for kind, (_, gone) in named.items()}


def _inside(path: str) -> bool:
    """Whether a path is one of a file that was delivered; intake takes no file from elsewhere."""
    try:
        return not parts(path)[0].startswith(FOLDER)
    except FileRefusedError:
        return False
