"""What the FHIBE Evaluation API doesn't ask a model about, so that its outputs may lack it.

It reads no row without an age, nor, of whole pictures, without both boxes (`accord release view` leaves them out). Its
face verification drops images with several subjects, and subjects with one face.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from accord.evaluate.exchange import names
from accord.intake.tables import FACE, PERSON
from accord.release.format import fhibe
from accord.release.format.literals import NOTHING

VERIFICATION = "face_verification"


class Row(NamedTuple):
    """A person in an image: whether an age is stated, and an age and both boxes."""

    image: str
    subject: str
    aged: bool
    whole: bool


def left_out(task: str, rows: Iterable[Row], pictures: Iterable[names.Picture]) -> frozenset[tuple[str, str]]:
    """(image, subject) of the pictures that the API may not have asked about; `rows`: everyone in their images."""
    rows, pictures = list(rows), list(pictures)
    if any(picture.subject for picture in pictures):
        faces = [(picture.image, picture.subject) for picture in pictures]
        return _of_faces(task, rows, faces)
    readable = {row.image for row in rows if row.whole}
    return frozenset((picture.image, "") for picture in pictures if picture.image not in readable)


def of_shard(people: pd.DataFrame) -> Iterator[Row]:
    """The rows of a shard's People."""
    aged, boxed = people["age"].notna(), people[[*FACE, *PERSON]].notna().all(axis=1)
    yield from map(Row, people["image"], people["subject"], aged, aged & boxed)


def of_release(root: Path) -> Iterator[Row]:
    """The rows of a release's table of whole pictures."""
    for row in names.rows_of(root, "downsampled"):
        stated = {column: row[column] not in NOTHING for column in ("age", *fhibe.BOXES) if column in row}
        yield Row(row["image_id"], row["subject_id"], stated.get("age", True), all(stated.values()))


def _of_faces(task: str, rows: list[Row], faces: list[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    aged = {(row.image, row.subject) for row in rows if row.aged}
    shown = Counter(row.image for row in rows)
    alone = [face for face in faces if face in aged and shown[face[0]] == 1]
    of_subject = Counter(subject for _, subject in alone)
    asked = {face for face in alone if of_subject[face[1]] > 1} if task == VERIFICATION else aged
    return frozenset(faces) - asked
