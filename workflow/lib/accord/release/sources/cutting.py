"""The largest face of a picture, or of frames of a video, of an archive of sources: looked for, and cut out."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord.imaging import decode, face_crops, video
from accord.release.sources import assembled

NO_FACE = "no face was found"
SAME = "the picture is that of the time before"
"""Of a video with fewer frames than are asked for, or of one that stands still: one face would count many times."""
FACELESS = (None,) * 7


class How(NamedTuple):
    """The square around a face in sides of its box, and its largest side in px."""

    margin: float
    side: int


class Looked(NamedTuple):
    """A row of CutFaces; where there is a face, the square around it as PNG, and what tells whether it is a copy."""

    row: tuple
    png: bytes = b""
    prints: tuple[str, str, int] = ("", "", 0)


def without(image: str, why: str) -> Looked:
    """A picture in which no face was found."""
    return Looked((image, False, why, *FACELESS))


def of_picture(image: str, data: bytes, finder: Any, how: How) -> Looked:
    """Of an encoded picture. Raises AccordError where it can't be decoded."""
    return _of_pixels(image, decode.decode(data), finder, how)


def of_video(path: Path, wanted: Mapping[int, str], frames: int, finder: Any, how: How) -> Iterator[Looked]:
    """Of those of a number of `frames`, spread over the length of a video, that are wanted: index -> image.

    Raises AccordError or ValueError where it can't be read to its end: a truncated one tells so only there.
    """
    last = None
    for frame in video.frames(path, frames):
        if frame.index in wanted:
            again = last is not None and np.array_equal(last, frame.pixels)
            image = wanted[frame.index]
            yield without(image, SAME) if again else _of_pixels(image, frame.pixels, finder, how)
        last = frame.pixels


def _of_pixels(image: str, pixels: np.ndarray, finder: Any, how: How) -> Looked:
    face = face_crops.largest(finder, pixels)
    if face is None:
        return without(image, NO_FACE)
    square, scale = face_crops.crop(pixels, face, how.margin, how.side)
    row = (image, True, "", *face, len(square), scale)
    return Looked(row, decode.encode_png(square), assembled.prints(square))
