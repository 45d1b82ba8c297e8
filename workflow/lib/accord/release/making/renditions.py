"""The files that are made from each picture of a shard, one picture in memory at a time."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.imaging import bundle as bundles
from accord.imaging.decode import decode, encode_png
from accord.release.format import parsing
from accord.release.format.face_geometry import FaceGeometry
from accord.release.format.geometry import Size, downsampled, factors, moved, to_crop, to_square
from accord.release.making import faces


class Sides(NamedTuple):
    """Sizes of pictures, px: the longest side when downsampled, an aligned face, and what it is warped to before."""

    longest: int
    aligned: int
    warped: int


class Picture(NamedTuple):
    """A picture of which derivatives are made: the original's pixels, its size when downsampled, its sha256."""

    image: str
    pixels: np.ndarray
    smaller: Size
    sha256: str

    @property
    def factors(self) -> np.ndarray:
        """By what coordinates in the downsampled picture are multiplied to get those in the original."""
        height, width = self.pixels.shape[:2]
        return factors(self.smaller, Size(width, height))


def derivatives(
    pictures: pd.DataFrame,
    bundle: Path,
    faces_of: dict[str, list[FaceGeometry]],
    segments: pd.DataFrame,
    sides: Sides,
    writer: bundles.BundleWriter,
) -> tuple[list[tuple], list[tuple]]:
    """Rows of Derivatives and of Faces; the files themselves go into the bundle of `writer`."""
    polygons = dict(iter(segments.groupby(["image", "subject"])))
    files, homographies = [], []
    for row in pictures.sort_values("image").itertuples():
        data = bundles.read(bundle, row)
        smaller = downsampled(Size(row.width, row.height), sides.longest)
        picture = Picture(row.image, decode(data), smaller, row.sha256)
        files += _whole(picture, data, writer)
        for face in faces_of.get(row.image, []):
            made = [_crop(picture, face, writer), _aligned(picture, face, polygons, sides, writer)]
            files += [file for found, _ in made for file in found]
            homographies += [homography for _, found in made for homography in found]
    return files, homographies


def _whole(picture: Picture, data: bytes, writer: bundles.BundleWriter) -> list[tuple]:
    """The original and the downsampled picture; one file stands for both where the original is small enough."""
    height, width = picture.pixels.shape[:2]
    member = writer.add(f"{picture.image}/original.png", data)
    original = (picture.image, "", "original", "", *member, picture.sha256, width, height)
    if picture.smaller == (width, height):
        return [original, (picture.image, "", "downsampled", *original[3:])]
    pixels = faces.smaller(picture.pixels, picture.smaller)
    return [original, _write(picture, "", "downsampled", "", pixels, writer)]


def _crop(picture: Picture, face: FaceGeometry, writer: bundles.BundleWriter) -> tuple[list, list]:
    if face.window is None:
        return [], []
    corners = np.rint(np.array(face.window) * np.tile(picture.factors, 2)).astype(int)
    pixels = faces.crop(picture.pixels, tuple(corners.tolist()))
    homography = to_crop(face.window, Size(pixels.shape[1], pixels.shape[0]))
    file = _write(picture, face.subject, "face_crop", "", pixels, writer)
    return [file], [(picture.image, face.subject, "face_crop", homography.ravel())]


def _aligned(picture: Picture, face: FaceGeometry, polygons: dict, sides: Sides, writer: Any) -> tuple[list, list]:
    if face.rectangle is None:
        return [], []
    pixels = faces.aligned(picture.pixels, face.rectangle * picture.factors, sides.aligned, sides.warped)
    homography = to_square(face.rectangle, sides.aligned)
    files = [_write(picture, face.subject, "face_aligned", "", pixels, writer)]
    rows = polygons.get((picture.image, face.subject))
    drawn = [] if rows is None else [(r.segment, moved(r.polygon, homography)) for r in rows.itertuples()]
    masks = parsing.masks(parsing.labels(drawn, sides.aligned))
    files += [_write(picture, face.subject, "mask", part, mask, writer) for part, mask in sorted(masks.items())]
    return files, [(picture.image, face.subject, "face_aligned", homography.ravel())]


def _write(picture: Picture, subject: str, kind: str, part: str, pixels: np.ndarray, writer: Any) -> tuple:
    """A row of Derivatives for pixels that are written as PNG."""
    name = "/".join(filter(None, (picture.image, subject, kind, part)))
    member = writer.add(f"{name}.png", encode_png(pixels))
    return (picture.image, subject, kind, part, *member, picture.sha256, pixels.shape[1], pixels.shape[0])
