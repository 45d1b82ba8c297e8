"""A view of a release (or of an archive of FHIBE) that the FHIBE Evaluation API can read.

The tables themselves stop the API at a cell that is empty because something isn't published: it needs an age and both
boxes of everyone, whatever the task, and takes an empty label for a value, which it then can't sort. So rows without
what it needs are left out of the view, and empty labels say that nothing is stated, under a number that FHIBE lacks.
Lists need nothing: an empty one is in no group.
"""

import csv
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, PRIVATE_FOLDER
from accord.release.format import fhibe
from accord.release.format.literals import LONGEST, keypoints
from accord.text import cells
from accord.vocabularies import COCO_KEYPOINTS, KEYPOINTS, text

AGE, SEEN = "age", "keypoints"
NEEDED = {fhibe.WHOLE_TABLE: (AGE, *fhibe.BOXES, SEEN), fhibe.FACE_TABLE: (AGE,)}
"""What a row needs. Of keypoints: one of COCO's that is seen; two people of whom one shows none stop the API."""
LABELS = (
    "scene", "camera_position", "camera_distance", "natural_skin_color", "apparent_skin_color", "hairstyle",
    "natural_hair_type", "apparent_hair_type", "head_pose", "action_body_pose",
)  # fmt: skip
TEXTS = ("location_country", "user_hour_captured")
NOT_STATED = "Not stated"
NUMBERED = f"99. {NOT_STATED}"
LINKED = (fhibe.RAW, fhibe.MASKS)
READ_AS_MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
     "NULL", "NaN", "None", "n/a", "nan", "null")
)  # fmt: skip
"""Cells that pandas reads as empty (its documentation of read_csv, na_values)."""


class Viewed(NamedTuple):
    """Of one table: how many rows the view has, and how many lack what, by the first column that they lack."""

    rows: int
    left_out: dict[str, int]


def view(release: Path, out: Path, needs: tuple[str, ...] = ()) -> dict[str, Viewed]:
    """Write the view into a new folder, for its owner alone: two tables, and links to the release's pictures and masks.

    needs: further columns that a row must fill. Returns what became of each table. Raises AccordError where the release
    has no table or column of that name, a cell can't be read, or the folder is there already.
    """
    _check(release, out, needs)
    out.mkdir(parents=True, mode=PRIVATE_FOLDER)
    try:
        _link(release, out)
        return {name: _write(release / name, out / name, (*needed, *needs)) for name, needed in NEEDED.items()}
    except BaseException:
        shutil.rmtree(out)
        raise


def _check(release: Path, out: Path, needs: tuple[str, ...]) -> None:
    absent = [name for name in NEEDED if not (release / name).is_file()]
    problems = [Problem(str(release), f"has no {name}", "is it a release?") for name in absent]
    hint = "example: --needs apparent_skin_color"
    unknown = sorted(set(needs) - set(fhibe.COLUMNS))
    problems += [Problem(f"--needs {name}", "is not a column of both tables", hint) for name in unknown]
    if out.exists():
        problems.append(Problem(str(out), "already exists", "give another folder, or delete it"))
    if out.resolve().is_relative_to(release.resolve()):
        problems.append(Problem(str(out), "is inside the release, which must not change", "give a folder elsewhere"))
    if problems:
        raise AccordError(problems)


def _link(release: Path, out: Path) -> None:
    """Pictures and masks lie in the release alone; the links hold as long as both folders are moved together."""
    for name in LINKED:
        link = out / name
        link.parent.mkdir(parents=True)
        link.symlink_to(os.path.relpath((release / name).resolve(), link.parent.resolve()), target_is_directory=True)


def _write(source: Path, target: Path, needed: tuple[str, ...]) -> Viewed:
    left_out: Counter[str] = Counter()
    written = 0
    target.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "w", newline="") as file:
        with source.open(encoding="utf-8", newline="") as head:
            writer = csv.DictWriter(file, next(csv.reader(head)), lineterminator="\n")
        writer.writeheader()
        for row in cells.rows(source, LONGEST):
            missing = next((column for column in needed if _lacks(row, column, source)), None)
            if missing:
                left_out[missing] += 1
            else:
                writer.writerow(readable(row))
                written += 1
    return Viewed(written, dict(sorted(left_out.items())))


def readable(row: dict[str, str]) -> dict[str, str]:
    """A row whose cells the API can all read."""
    said = dict(row)
    for columns, instead in ((LABELS, NUMBERED), (TEXTS, NOT_STATED), (fhibe.LISTS | {"segments", "other_face"}, "[]")):
        said |= {column: instead for column in columns if row.get(column, "-") in READ_AS_MISSING}
    return said


def _lacks(row: dict[str, str], column: str, source: Path) -> bool:
    cell = row.get(column) or ""
    if column != SEEN or cell in READ_AS_MISSING:
        return cell in READ_AS_MISSING
    try:
        return not any(seen and text(KEYPOINTS[number]) in COCO_KEYPOINTS for number, _, _, seen in keypoints(cell))
    except ValueError as error:
        where = f"{source.name}, image {row.get('image_id', '')}, column {column}"
        raise AccordError(Problem(where, str(error), "is the release complete and unchanged?")) from None
