"""The largest face of frames at fixed times of each of a shard's videos, and a crop of it."""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.engine import kept, table
from accord.engine.parameter_types import Folder, Former, Kept, Sink
from accord.errors import AccordError
from accord.evaluate.tables.videos import Frames
from accord.imaging import bundle as bundles
from accord.imaging import face_crops, video
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.models import loading
from accord.release.archives import formats
from accord.release.video_tables import Videos
from accord.shards import opaque_id

NO_FACE = "no face was found"
FACELESS = (None,) * 7
UNWRITTEN = ("", None, None, "")
PLACED = -len(UNWRITTEN)
"""Where in a row of Frames it begins to say where the crop lies."""
Seen = tuple[tuple, bytes]
"""A row of Frames but for where its crop lies, and the crop's PNG, nothing where there is none."""


class Cut(NamedTuple):
    """The frames that were looked at, of videos that tell from what they were made."""

    frames: DataFrame[Frames]


class Source(NamedTuple):
    """Where a video lies, and its sha256; or why it can't be read."""

    path: Path
    sha256: str
    why: str


class How(NamedTuple):
    """How many frames of a video; the square around a face in sides of its box; its largest side in px."""

    times: int
    margin: float
    side: int


class Looking(NamedTuple):
    """What all videos are looked at with: a detector, made when it is first needed; the last run's rows and bundle."""

    finder: Callable[[], Any]
    how: How
    memory: kept.Memory
    crops: Path | None
    basis: str


def run(
    videos: DataFrame[Videos],
    *,
    archive: Folder,
    detector: dict,
    weights: Folder,
    crops: Sink,
    former: Former,
    times: int = 100,
    margin: float = 1.3,
    side: int = 256,
    mini: bool = True,
) -> Cut:
    """The frames at (i + 0.5) / times of each video's length, one row each, in which the detector found a face or not.

    mini: of the mini set alone. detector: an entry of models.yaml as JSON, task face_localization; crops: a bundle of
    PNGs. A video that can't be read has one row that says why, and no crop. Frames are decoded one at a time; in memory
    is one, and the crops of one video. Rows and crops of videos whose bytes are as they were are taken over from the
    last run. Hazirbas et al. (2021), Section 4.1: 100 face crops a video; its detector is dlib's.
    """
    root, how = formats.root("ccv1", archive), How(times, margin, side)
    basis = kept.basis("evaluate.video_faces", [detector, *how])
    finder = cache(lambda: loading.load(detector, weights, "detect"))
    looking = Looking(finder, how, kept.memory(former, "frames", Frames), former.get("crops"), basis)
    wanted = videos[videos["mini"]] if mini else videos
    found, made_from = [], {}
    with BundleWriter(crops) as writer:
        for one in wanted.sort_values("video").itertuples(index=False):
            source = _opened(root, one.video)
            digest = kept.digest(basis, one.subject, *source[1:])
            seen = _held(looking, one.video, digest) or _seen(source, one, looking)
            found += [_written(writer, row, png) for row, png in seen]
            made_from[one.video] = digest
    return Cut(Kept(table.rows(found, Frames), made_from))


def _opened(root: Path, name: str) -> Source:
    path = (root / name).resolve()
    if not (path.is_relative_to(root) and path.is_file()):
        return Source(path, "", "is missing, or outside the archive")
    with path.open("rb") as file:
        return Source(path, hashlib.file_digest(file, "sha256").hexdigest(), "")


def _held(looking: Looking, name: str, digest: str) -> list[Seen]:
    """What the last run made of the same video; nothing where it made nothing, or a crop isn't there any more."""
    if looking.crops is None or not looking.memory.holds(name, digest):
        return []
    rows = list(looking.memory.of(name).itertuples(index=False, name="Row"))
    held = [(row, bundles.unchanged(looking.crops, row) if row.found else b"") for row in rows]
    whole = [(tuple(row)[:PLACED], png) for row, png in held if png is not None]
    return whole if len(whole) == len(held) else []


def _seen(source: Source, one: Any, looking: Looking) -> list[Seen]:
    """Rows of a video, once the whole of it was read: a truncated one tells so at its end."""
    try:
        if source.why:
            raise AccordError(source.why)
        made = list(_looked_at(source.path, looking.finder(), looking.how))
    except AccordError as error:
        return [((one.video, one.subject, 0, None, False, error.problems[0].what, *FACELESS), b"")]
    return [((one.video, one.subject, *row), png) for row, png in made]


def _looked_at(path: Path, finder: Any, how: How) -> Iterator[Seen]:
    """index, seconds, found, note, box, score, side and scale of each frame, and the PNG of its crop."""
    for frame in video.frames(path, how.times):
        face = face_crops.largest(finder, frame.pixels)
        if face is None:
            yield (frame.index, frame.seconds, False, NO_FACE, *FACELESS), b""
        else:
            cut = face_crops.crop(frame.pixels, face, how.margin, how.side)
            yield (frame.index, frame.seconds, True, "", *face, len(cut.pixels), cut.scale), encode_png(cut.pixels)


def _written(writer: BundleWriter, row: tuple, png: bytes) -> tuple:
    """A row of Frames, with the place of its crop."""
    return (*row, *(writer.add(f"{opaque_id(row[0])}/{row[2]:04}.png", png) if png else UNWRITTEN))
