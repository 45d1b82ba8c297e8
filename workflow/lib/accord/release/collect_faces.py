"""Collecting a shard of an archive of sources: one face is cut out of each of its pictures, and frames of videos."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder, Sink
from accord.errors import AccordError
from accord.imaging import decode, face_crops, video
from accord.imaging.bundle import BundleWriter
from accord.imaging.face_crops import Crop, Face
from accord.models import loading
from accord.release.archives import archive_files, formats
from accord.release.source_tables import CutFaces, FacePrints, Listed, Sources
from accord.release.sources import assembled
from accord.release.sources.assembled import Taken
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

NO_FACE = "no face was found"
SAME = "the picture is that of the time before"
"""Of a video with fewer frames than are asked for, or of one that stands still: one face would count many times."""
FACELESS = (None,) * 7


class Collected(NamedTuple):
    """The tables of a shard, as `import_ai_face.Imported`, of the pictures that have a face; and each that was looked
    at, those without a face too."""

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
    sources: DataFrame[Sources]
    prints: DataFrame[FacePrints]
    cut: DataFrame[CutFaces]


class Cropped(NamedTuple):
    """A face, and the square around it."""

    face: Face
    crop: Crop


class How(NamedTuple):
    """The square around a face in sides of its box, and its largest side in px."""

    margin: float
    side: int


def run(
    listed: DataFrame[Listed],
    *,
    archive: Folder,
    terms: dict,
    detector: dict,
    weights: Folder,
    files: Sink,
    margin: float = 1.3,
    side: int = 256,
) -> Collected:
    """A square crop of the largest face of each picture of a shard's list, and of each frame of a video of it.

    A picture without a face, or that can't be read, is refused: a row of `cut` says why. In memory is one picture or
    frame. detector: an entry of models.yaml as JSON, task face_localization; files: a bundle of PNGs. AI-Face (Lin et
    al., 2025) cuts faces out with RetinaFace, and states no margin.
    """
    root = formats.root("ai_face", archive)
    finder = loading.load(detector, weights, "detect")
    cut, taken = [], []
    with BundleWriter(files) as writer:
        for image, looked in _looked_at(root, listed, finder, How(margin, side)):
            cut.append(_row(image, looked))
            if isinstance(looked, Cropped):
                taken.append(_taken(image, looked, writer))
    derived, sources, prints = assembled.assembled(listed, taken, terms)
    return Collected(*derived, sources, prints, table.rows(sorted(cut), CutFaces))


def _looked_at(root: Path, listed: pd.DataFrame, finder: Any, how: How) -> Iterator[tuple[str, Cropped | str]]:
    """Each picture and frame with its face, or with why there is none."""
    ordered = listed.sort_values(["file", "image"]).itertuples(index=False)
    for file, some in groupby(ordered, key=lambda row: row.file):
        rows = list(some)
        try:
            # Of a video all or nothing: a truncated one tells so at its end.
            yield from list(_of_file(root, file, rows, finder, how))
        except (AccordError, ValueError) as error:
            why = error.problems[0].what if isinstance(error, AccordError) else str(error)
            yield from ((row.image, why) for row in rows)


def _of_file(root: Path, file: str, rows: list[Any], finder: Any, how: How) -> Iterator[tuple[str, Cropped | str]]:
    if pd.isna(rows[0].index):
        yield rows[0].image, _cropped(decode.decode(archive_files.read(root, file)), finder, how)
        return
    wanted, last = {row.index: row.image for row in rows}, None
    for frame in video.frames(archive_files.inside(root, file), int(rows[0].frames)):
        if frame.index in wanted:
            again = last is not None and np.array_equal(last, frame.pixels)
            yield wanted[frame.index], SAME if again else _cropped(frame.pixels, finder, how)
        last = frame.pixels


def _cropped(pixels: np.ndarray, finder: Any, how: How) -> Cropped | str:
    face = face_crops.largest(finder, pixels)
    return NO_FACE if face is None else Cropped(face, face_crops.crop(pixels, face, how.margin, how.side))


def _row(image: str, looked: Cropped | str) -> tuple:
    """A row of CutFaces."""
    if isinstance(looked, str):
        return (image, False, looked, *FACELESS)
    return (image, True, "", *looked.face, len(looked.crop.pixels), looked.crop.scale)


def _taken(image: str, looked: Cropped, writer: BundleWriter) -> Taken:
    pixels = looked.crop.pixels
    member = writer.add(assembled.member_of(image, ".png"), decode.encode_png(pixels))
    side = len(pixels)
    width, height = looked.face.width * looked.crop.scale, looked.face.height * looked.crop.scale
    box = ((side - width) / 2, (side - height) / 2, width, height)
    return Taken(image, member, side, side, box, assembled.prints(pixels))
