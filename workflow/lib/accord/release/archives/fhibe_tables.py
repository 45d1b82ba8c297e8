"""The tables of an unpacked FHIBE archive: their rows, streamed."""

import csv
from pathlib import Path

from accord.errors import AccordError, Problem
from accord.release.format.fhibe import COLUMNS, FACE_TABLE, WHOLE_TABLE
from accord.release.format.literals import LONGEST, boolean
from accord.shards import shard_of
from accord.text import cells

NEEDED = (*COLUMNS, "face_bbox", "person_bbox")


def rows_of_shard(folder: Path, shard: str, shards: int) -> list[dict[str, str]]:
    """The rows (image, subject) of a shard: an image lives with its primary subject."""
    path = folder / WHOLE_TABLE
    _check_columns(path)
    home = {r["image_id"]: r["subject_id"] for r in cells.rows(path, LONGEST) if _is_primary(r)}
    homes = ((row, home.get(row["image_id"], row["subject_id"])) for row in cells.rows(path, LONGEST))
    return [row for row, subject in homes if shard_of(subject, shards) == shard]


def faces(folder: Path, pairs: set[tuple[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    """(image, subject) -> its row in the table of aligned faces, for the pairs that are asked for."""
    path = folder / FACE_TABLE
    found = ((_pair(row), row) for row in (cells.rows(path, LONGEST) if path.is_file() else ()))
    return {pair: row for pair, row in found if pair in pairs}


def _check_columns(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        missing = sorted(set(NEEDED) - set(next(csv.reader(file), [])))
    if missing:
        raise AccordError(
            [Problem(WHOLE_TABLE, f"has no column {name!r}", "is it an FHIBE table?") for name in missing]
        )


def _is_primary(row: dict[str, str]) -> bool:
    try:
        return boolean(row["is_primary"])
    except ValueError:
        return False  # told as a problem where the row is parsed


def _pair(row: dict[str, str]) -> tuple[str, str]:
    subject = row["subject_id"]
    return row["image_id"].removesuffix(f"_{subject}"), subject
