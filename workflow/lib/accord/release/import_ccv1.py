"""Reading a shard of an unpacked Casual Conversations archive: who is in which video, and what is said of them."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder, Sink
from accord.errors import AccordError
from accord.imaging.bundle import BundleWriter
from accord.release.archives import ccv1, formats, mini_videos, reading
from accord.release.archives.ccv1 import Person
from accord.release.archives.reading import Bounded
from accord.release.making.shard_tables import assemble
from accord.release.making.terms import of_archive
from accord.release.tables import (
    Attributes,
    Checked,
    Derivatives,
    Faces,
    Keypoints,
    People,
    PublicImages,
    Segments,
    Terms,
)
from accord.release.video_tables import Videos
from accord.shards import shard_of

ANNOTATORS = "annotators"
"""Who said what the people did not say themselves: the dataset names nobody."""
ENDINGS = (".mp4", ".mov")
LONGEST = 200
"""Bytes of a path inside the archive."""
HINT = "paths are as the dataset has them, such as CasualConversationsA/1140/1140_00.MP4: is it whole and unchanged?"
NO_BOXES, NO_CAMERA, NO_PLACE = (None,) * 8, (None,) * 4 + ("",) * 2, ("", None, "", "", "")


class Imported(NamedTuple):
    """The tables of a shard, as `shard_tables.Derived`, and its videos. No picture is made: `derivatives` is empty."""

    derivatives: DataFrame[Derivatives]
    faces: DataFrame[Faces]
    people: DataFrame[People]
    attributes: DataFrame[Attributes]
    keypoints: DataFrame[Keypoints]
    segments: DataFrame[Segments]
    public: DataFrame[PublicImages]
    aggregate: DataFrame[Attributes]
    checked: DataFrame[Checked]
    terms: DataFrame[Terms]
    videos: DataFrame[Videos]


def run(archive: Folder, *, shard: str, shards: int, terms: dict, files: Sink) -> Imported:
    """The videos of a shard: an image is a video, named by its path, with the one person whom the labels are of.

    No video is opened, only looked for. files: an empty bundle. terms: those of `release.archive.terms`. Raises
    AccordError with every entry and video that can't be read, and where the terms are more than the licence allows.
    """
    stated = formats.terms("ccv1", terms)
    root = formats.root("ccv1", archive)
    here = [one for one in _people(root) if shard_of(one.subject, shards) == shard]
    found = [(one, video) for one in here for video in one.videos]
    videos = _videos(root, found)
    with BundleWriter(files):
        tables = assemble(
            derivatives=[],
            faces=[],
            people=[(video, one.subject, True, one.age, *NO_BOXES, "") for one, video in found],
            attributes=[row for one, video in found for row in _said(one, video)],
            keypoints=[],
            segments=[],
            public=[(video, one.subject, *NO_CAMERA, *NO_PLACE) for one, video in found],
            aggregate=[],
            checked=[],
            terms=of_archive([video for _, video in found], stated),
        )
    return Imported(*tables, videos)


def _people(root: Path) -> list[Person]:
    """Everybody in the archive. Raises AccordError with all that is wrong in its annotations."""
    problems, found, seen = Bounded(), [], set()
    for file in reading.several(root, ccv1.FILES[:1], problems):
        for person in ccv1.people(file, problems):
            _check(person, seen, problems)
            seen.update(person.videos)
            found.append(person)
    if problems:
        raise AccordError(problems)
    return found


def _check(person: Person, seen: set[str], problems: Bounded) -> None:
    foreign = sum(not _is_path(video) for video in person.videos)
    twice = len(person.videos) - len(set(person.videos))
    before = len(seen & set(person.videos))
    told = {
        "has a number that is empty, unprintable or too long": not _is_name(person.subject),
        "has no videos": not person.videos,
        f"lists {foreign} videos that are no plain path to an mp4": bool(foreign),
        f"lists {twice} videos more than once": bool(twice),
        f"lists {before} videos of somebody before": bool(before),
        "lists dark_files that are not among its files": bool(person.dark - set(person.videos)),
    }  # fmt: skip
    for what, wrong in told.items():
        if wrong:
            problems.add(person.where, what, HINT)


def _is_name(text: str) -> bool:
    return text.isprintable() and text.strip() != "" and len(text.encode()) <= LONGEST


def _is_path(text: str) -> bool:
    """Whether a text is a relative path to a video, in plain parts: nothing in it leads up or elsewhere."""
    parts = text.split("/")
    plain = all(part.strip(". ") and "\\" not in part and ":" not in part for part in parts)
    return _is_name(text) and plain and text.lower().endswith(ENDINGS)


def _videos(root: Path, found: list[tuple[Person, str]]) -> DataFrame[Videos]:
    """The videos, and which of them are of the mini set. Raises AccordError with all that aren't there."""
    problems = Bounded()
    sizes = [_size(root, one, video, problems) for one, video in found]
    if problems:
        raise AccordError(problems)
    told = pd.DataFrame(
        [(video, one.subject, size, one.lighting(video)) for (one, video), size in zip(found, sizes, strict=True)],
        columns=["video", "subject", "bytes", "lighting"],
    )
    mini = mini_videos.chosen(told)["video"] if len(told) else []
    rows = told.assign(mini=told["video"].isin(mini)).sort_values("video").to_dict("records")
    return table.rows(rows, Videos)


def _size(root: Path, person: Person, video: str, problems: Bounded) -> int:
    path = (root / video).resolve()
    place = f"{person.where}, video {person.videos.index(video) + 1}"
    if not path.is_relative_to(root):
        problems.add(place, "is outside the archive", HINT)
    elif not path.is_file():
        problems.add(place, "is missing", HINT)
    elif not path.stat().st_size:
        problems.add(place, "is empty", HINT)
    else:
        return path.stat().st_size
    return 0


def _said(person: Person, video: str) -> list[tuple[str, str, str, str, str]]:
    told = ccv1.said(person, video)
    return [(video, person.subject, name, value, ANNOTATORS if annotated else "") for name, value, annotated in told]
