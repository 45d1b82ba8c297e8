"""The videos of one share of a delivery, one at a time, with whom each shows, and where."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import BinaryIO

from accord.errors import AccordError, Problem
from accord.imaging.bundle import Member
from accord.intake.delivered import copies, files, sheets
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.files import MEBIBYTE, PLACES, FileRefusedError
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.row import Row
from accord.intake.reading import boxes, forms, people
from accord.intake.reading.boxes import BoxesError, Drawn
from accord.intake.reading.images import CHANGED, MAX_ANNOTATION
from accord.intake.reading.people import Cast
from accord.intake.tables import FACE, PERSON
from accord.shards import opaque_id

MAX_VIDEO = 4096 * MEBIBYTE
SUFFIX = ".mp4"
BRAND = slice(4, 8)
"""Bytes of an mp4 that say `ftyp`, the name of its first box."""
KNOWN = "the file is on a list of known abuse material: don't look at it, tell the officer"
Store = Callable[[str, BinaryIO, int], Member]
"""Takes name, file and size of a video, and keeps it."""


@dataclass
class VideoRecords:
    """Rows of the tables of videos, as tuples in the order of their columns."""

    videos: list[tuple] = field(default_factory=list)
    people: list[tuple] = field(default_factory=list)
    boxes: list[tuple] = field(default_factory=list)
    refused: Refusals = field(default_factory=Refusals)


def collect(share: Delivery, records: VideoRecords, store: Store, barred: frozenset[str]) -> None:
    """Add all that a share of a delivery says of videos to `records`; each accepted file is given to `store`.

    Whatever is wrong with a video is found before it is refused; one that is `barred` (a sha256) is not opened.
    """
    # What is wrong with people is told by intake.shard.
    casts = people.casts(share, Refusals())
    for row in sorted(share.tables["videos.csv"], key=lambda row: _id(share, row)):
        image, refused = _id(share, row), Refusals()
        if row["sha256"].lower() in barred:
            refused.add("video", "known", KNOWN, reference=row["image"], image=image, fatal=True)
        else:
            _video(share, row, casts.get(row["image"], Cast({}, "")), (records, refused), store)
        records.refused += refused


def _video(share: Delivery, row: Row, cast: Cast, into: tuple[VideoRecords, Refusals], store: Store) -> None:
    records, refused = into
    image = _id(share, row)
    about = {"reference": row["image"], "image": image}
    people.check_primary(row, cast, image, refused)
    day = row["user_date_captured"]
    if day and not forms.is_date(day):
        refused.add("attribute", "date", "user_date_captured is not a date YYYY-MM-DD", **about,
                    place=row.place("user_date_captured"))  # fmt: skip
        day = ""
    drawn = _boxes(share, row, image, refused)
    _check_file(share, row, image, refused)
    if row["image"] in share.copied:
        refused.add("video", "copy", copies.REASON, **about, fatal=True, place=row.place("file"))
    for reference in {one.subject for one in drawn} - cast.people.keys():
        reason = "a person has boxes who is not in people.csv and subjects.csv"
        refused.add("person", "subject", reason, **about, subject=opaque_id(share.vendor, reference),
                    place=row.place("annotations", cast.people))  # fmt: skip
    if refused.stop(image):
        return
    subject = opaque_id(share.vendor, row["subject"])
    member = _copied(share, row, f"{image}{SUFFIX}", store)
    records.videos.append((image, subject, share.vendor, share.name, row["image"], share.rendered, *member, day))
    nowhere = (math.nan,) * len([*FACE, *PERSON])
    for reference, person in cast.people.items():
        is_primary = sheets.boolean(person["is_primary"]) is True
        records.people.append((image, opaque_id(share.vendor, reference), is_primary, None, *nowhere, ""))
    for one in drawn:
        records.boxes += [(image, opaque_id(share.vendor, one.subject), *box) for box in one.boxes]


def _copied(share: Delivery, row: Row, name: str, store: Store) -> Member:
    """A video that is given to `store`. Raises AccordError where it can't be copied, or isn't what was checked."""
    where = f"{row.table}:{row.line}"
    try:
        with files.opened(share.root, row["file"]) as file:
            member = store(name, file, file.seek(0, 2))
    except FileRefusedError as error:
        hint = "see whether the disk is full, and run again"
        raise AccordError(Problem(where, f"its video can't be copied: {error.reason}", hint)) from None
    if member.sha256 != row["sha256"].lower():
        hint = "wait until the delivery is there as a whole, and run again"
        raise AccordError(Problem(where, "its video changed while it was copied", hint))
    return member


def _id(share: Delivery, row: Row) -> str:
    return opaque_id(share.vendor, share.name, row["image"])


def _check_file(share: Delivery, row: Row, image: str, refused: Refusals) -> None:
    """Refuse a file that is not there, was changed, or is no mp4 by its name and header; no frame is decoded."""
    from accord.imaging import video  # PyAV takes a while, and most deliveries have no videos

    about = {"reference": row["image"], "image": image, "fatal": True}
    try:
        if files.sha256(share.root, row["file"], MAX_VIDEO).hex() != row["sha256"].lower():
            refused.add("video", "sha256", CHANGED, **about, place=row.place("sha256"))
        with files.opened(share.root, row["file"]) as file:
            if file.read(BRAND.stop)[BRAND] != b"ftyp":
                raise FileRefusedError("video", "the file is not an mp4 video")
            file.seek(0)
            video.check_header(file)
        if PurePosixPath(row["file"]).suffix.lower() != SUFFIX:
            raise FileRefusedError("video", "the file's extension is not .mp4")
    except video.VideoRefusedError as error:
        refused.add("video", "video", f"the video {error.problems[0].what}", **about, place=row.place("file"))
    except FileRefusedError as error:
        check = "video" if error.check == "header" else error.check
        refused.add("video", check, error.reason, **about, place=row.place("file"))


def _boxes(share: Delivery, row: Row, image: str, refused: Refusals) -> list[Drawn]:
    about = {"reference": row["image"], "image": image, "fatal": True}
    try:
        data = files.read(share.root, row["annotations"], MAX_ANNOTATION)
        if files.digest(data) != row["annotations_sha256"].lower():
            refused.add("annotation", "sha256", f"annotations: {CHANGED}", **about,
                        place=row.place("annotations_sha256"))  # fmt: skip
        return boxes.parse(data, row["image"])
    except (FileRefusedError, BoxesError) as error:
        check = error.check if isinstance(error, FileRefusedError) and error.check in PLACES else "boxes"
        refused.add("annotation", check, f"annotations: {error}", **about, place=row.place("annotations"))
        return []
