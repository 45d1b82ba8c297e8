"""An unpacked archive of FHIBE: its rows, streamed, and its files, bounded to its folder."""

import csv
import io
from pathlib import Path

from PIL import Image

from accord.errors import AccordError, Problem
from accord.imaging.decode import MAX_PIXELS
from accord.release.archives.formats import FORMATS, SETTING
from accord.release.format.fhibe import COLUMNS, FACE_TABLE, WHOLE_TABLE
from accord.release.format.geometry import Size
from accord.release.format.literals import LONGEST, boolean
from accord.shards import shard_of
from accord.text import cells

NEEDED = (*COLUMNS, "face_bbox", "person_bbox")


def root(folder: Path) -> Path:
    """The archive's root. Raises AccordError where the folder isn't one."""
    if not (folder / WHOLE_TABLE).is_file():
        hint = f"for fhibe it is {FORMATS['fhibe'].folder}"
        raise AccordError(Problem(f"{SETTING}.path", f"has no {WHOLE_TABLE}", hint))
    return folder.resolve()


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


def read(folder: Path, path: str) -> bytes:
    """A file of the archive. Raises ValueError where it is missing or lies elsewhere."""
    target = (folder / path).resolve()
    if not target.is_relative_to(folder):
        raise ValueError("lies outside the archive")
    if not target.is_file():
        raise ValueError("is missing")
    return target.read_bytes()


def size(data: bytes) -> Size:
    """Width and height of a PNG, from its header. Raises ValueError where it is none, or is too large."""
    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            found = Size(*image.size)
    except Exception as error:
        raise ValueError(f"is not a valid PNG ({type(error).__name__})") from None
    if found.width * found.height > MAX_PIXELS:
        raise ValueError(f"has more than {MAX_PIXELS} pixels")
    return found


def _check_columns(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        missing = sorted(set(NEEDED) - set(next(csv.reader(file), [])))
    if missing:
        raise AccordError([Problem(WHOLE_TABLE, f"has no column {name!r}", "is it FHIBE's?") for name in missing])


def _is_primary(row: dict[str, str]) -> bool:
    try:
        return boolean(row["is_primary"])
    except ValueError:
        return False  # told as a problem where the row is parsed


def _pair(row: dict[str, str]) -> tuple[str, str]:
    subject = row["subject_id"]
    return row["image_id"].removesuffix(f"_{subject}"), subject
