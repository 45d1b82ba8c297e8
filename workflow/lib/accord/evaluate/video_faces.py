"""The largest face of frames at fixed times of each of a shard's videos, and a crop of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder, Sink
from accord.errors import AccordError
from accord.evaluate.tables.videos import Frames
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


class Cut(NamedTuple):
    """The frames that were looked at."""

    frames: DataFrame[Frames]


class How(NamedTuple):
    """How many frames of a video; the square around a face in sides of its box; its largest side in px."""

    times: int
    margin: float
    side: int


def run(
    videos: DataFrame[Videos],
    *,
    archive: Folder,
    detector: dict,
    weights: Folder,
    crops: Sink,
    times: int = 100,
    margin: float = 1.3,
    side: int = 256,
    mini: bool = True,
) -> Cut:
    """The frames at (i + 0.5) / times of each video's length, one row each, in which the detector found a face or not.

    mini: of the mini set alone. detector: an entry of models.yaml as JSON, task face_localization; crops: a bundle of
    PNGs. A video that can't be read has one row that says why, and no crop. Frames are decoded one at a time; in memory
    is one, and the crops of one video. Hazirbas et al. (2021), Section 4.1: 100 face crops a video; its detector is
    dlib's.
    """
    root = formats.root("ccv1", archive)
    finder = loading.load(detector, weights, "detect")
    wanted = videos[videos["mini"]] if mini else videos
    with BundleWriter(crops) as writer:
        found = [
            row
            for one in wanted.sort_values("video").itertuples(index=False)
            for row in _of_video(root, one, finder, How(times, margin, side), writer)
        ]
    return Cut(table.rows(found, Frames))


def _of_video(root: Path, one: Any, finder: Any, how: How, writer: BundleWriter) -> list[tuple]:
    """Rows of Frames. Crops are written when the whole video was read: a truncated one tells so at its end."""
    try:
        made = list(_looked_at(_inside(root, one.video), finder, how))
    except AccordError as error:
        return [(one.video, one.subject, 0, None, False, error.problems[0].what, *FACELESS, *UNWRITTEN)]
    return [(one.video, one.subject, *row, *_written(writer, one.video, row[0], data)) for row, data in made]


def _looked_at(path: Path, finder: Any, how: How) -> Iterator[tuple[tuple, bytes | None]]:
    """index, seconds, found, note, box, score, side and scale of each frame, and the PNG of its crop."""
    for frame in video.frames(path, how.times):
        face = face_crops.largest(finder, frame.pixels)
        if face is None:
            yield (frame.index, frame.seconds, False, NO_FACE, *FACELESS), None
        else:
            cut = face_crops.crop(frame.pixels, face, how.margin, how.side)
            yield (frame.index, frame.seconds, True, "", *face, len(cut.pixels), cut.scale), encode_png(cut.pixels)


def _written(writer: BundleWriter, name: str, index: int, data: bytes | None) -> tuple:
    if data is None:
        return UNWRITTEN
    return tuple(writer.add(f"{opaque_id(name)}/{index:04}.png", data))


def _inside(root: Path, name: str) -> Path:
    """A video's file. Raises AccordError where it is not in the archive any more."""
    path = (root / name).resolve()
    if not (path.is_relative_to(root) and path.is_file()):
        raise AccordError("is missing, or outside the archive")
    return path
