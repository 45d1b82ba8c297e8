"""Pictures as the public files of a release name them: its ids, the sizes, and whom its tables list, in their order."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from accord.release.format.fhibe import FACE_TABLE, WHOLE_TABLE
from accord.release.format.literals import LONGEST, box
from accord.text import cells
from accord.text.references import normal

PREFIXES = {"downsampled": "main_", "face_aligned": "faces_crop_and_align_"}
TABLES = {"downsampled": WHOLE_TABLE, "face_aligned": FACE_TABLE}
SHOWN = 100


class Picture(NamedTuple):
    """A picture that a model may be asked about. `subject` is "" for a whole image; `people`: its subjects whose person
    box is annotated, in the order of the release's table."""

    image: str
    subject: str
    width: int
    height: int
    people: tuple[str, ...]


class Ids(Protocol):
    """From ids of a run to those of its release."""

    def image(self, image: str) -> str: ...

    def subject(self, subject: str) -> str: ...


class SameIds:
    """Ids of an imported archive, which keeps its own."""

    def image(self, image: str) -> str:
        return image

    def subject(self, subject: str) -> str:
        return subject


def key(path: str) -> str:
    """What a path says about a picture: its file's name without folders, prefix and suffix: `<image>[_<subject>]`,
    in the one spelling that counts."""
    stem = PurePosixPath(path.replace("\\", "/")).stem
    for prefix in PREFIXES.values():
        stem = stem.removeprefix(prefix)
    return normal(stem)


def shown(path: str) -> str:
    """A path as a message shows it: the file's name alone, bounded, nothing that a terminal obeys."""
    name = PurePosixPath(path.replace("\\", "/")).name[:SHOWN]
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name) or "(no name)"


def of_shard(derivatives: pd.DataFrame, kind: str, ids: Ids, people: dict[str, tuple[str, ...]]) -> dict[str, Picture]:
    """Key -> picture, of the derivatives of one kind; people: image -> subjects, as `in_order` makes it."""
    rows = derivatives[derivatives["kind"] == kind].sort_values(["image", "subject"]).itertuples(index=False)
    return {
        _key(ids, row.image, row.subject): Picture(
            row.image, row.subject, int(row.width), int(row.height), people.get(row.image, ())
        )
        for row in rows
    }


def in_order(boxed: pd.DataFrame, ids: Ids) -> dict[str, tuple[str, ...]]:
    """Image -> its subjects with a person box, in the order of a release's table: by their public ids."""
    found: dict[str, list[str]] = {}
    for row in boxed[["image", "subject"]].drop_duplicates().itertuples(index=False):
        found.setdefault(row.image, []).append(row.subject)
    return {image: tuple(sorted(subjects, key=ids.subject)) for image, subjects in found.items()}


def listed_people(root: Path) -> dict[str, tuple[str, ...]]:
    """Image -> its subjects with a person box, in the order of the table of a release or an archive."""
    found: dict[str, list[str]] = {}
    for row in rows_of(root, "downsampled"):
        if any(side is not None for side in box(row.get("person_bbox", ""))):
            found.setdefault(row["image_id"], []).append(row["subject_id"])
    return {image: tuple(subjects) for image, subjects in found.items()}


def boxes(root: Path, column: str) -> dict[str, np.ndarray]:
    """Image -> annotated boxes (n, 4) x_min, y_min, width, height of a column of a release's or an archive's table."""
    found: dict[str, list[list[float | None]]] = {}
    for row in rows_of(root, "downsampled"):
        sides = box(row.get(column, ""))
        if all(side is not None for side in sides):
            found.setdefault(row["image_id"], []).append(sides)
    return {image: np.array(sides, float) for image, sides in found.items()}


def of_release(root: Path, kind: str) -> dict[str, Picture]:
    """Key -> picture, from the tables of a release or an archive. Raises ValueError where a cell can't be read."""
    people = listed_people(root)
    found = {}
    for row in rows_of(root, kind):
        subject = row["subject_id"] if kind == "face_aligned" else ""
        image = row["image_id"].removesuffix(f"_{subject}") if subject else row["image_id"]
        size = int(row["image_width"]), int(row["image_height"])
        found[key(row["filepath"])] = Picture(image, subject, *size, people.get(image, ()))
    return found


def paths(root: Path, kind: str) -> dict[str, str]:
    """Key -> path in the release, as its table says it."""
    return {key(row["filepath"]): row["filepath"] for row in rows_of(root, kind)}


def rows_of(root: Path, kind: str) -> Iterator[dict[str, str]]:
    """The rows of a release's table of one kind of pictures; none where it has no such table."""
    path = root / TABLES[kind]
    if path.is_file():
        yield from cells.rows(path, LONGEST)


def image_ids(keys: Iterable[str]) -> set[str]:
    """The ids of the images that keys speak of."""
    return {key.split("_")[0] for key in keys}


def _key(ids: Ids, image: str, subject: str) -> str:
    return normal(f"{ids.image(image)}_{ids.subject(subject)}" if subject else ids.image(image))
