"""The files that are made from a picture: by the picture, its size, its faces and their outlines alone."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

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


class Face(NamedTuple):
    """A face in px of the downsampled picture, and what is outlined of the person: (segment, polygon)."""

    geometry: FaceGeometry
    outlines: list[tuple]


class Picture(NamedTuple):
    """A picture of which derivatives are made: its pixels, and its size when downsampled."""

    pixels: np.ndarray
    smaller: Size

    @property
    def factors(self) -> np.ndarray:
        """By what coordinates in the downsampled picture are multiplied to get those in the original."""
        height, width = self.pixels.shape[:2]
        return factors(self.smaller, Size(width, height))


class File(NamedTuple):
    """A file, or what else one is: the rows of Derivatives that it stands for (subject, kind, part), its name without
    the image, and its size in px; homography: from the downsampled picture to it, float (9,), where it is of a face."""

    kinds: list[tuple[str, str, str]]
    name: str
    data: bytes
    size: Size
    homography: np.ndarray | None = None


def files(data: bytes, size: Size, shown: list[Face], sides: Sides) -> Iterator[File]:
    """What is made from the file of a picture, in the order of the bundle."""
    picture = Picture(decode(data), downsampled(size, sides.longest))
    yield from _whole(picture, data, size)
    for face in shown:
        yield from _crop(picture, face.geometry)
        yield from _aligned(picture, face, sides)


def _whole(picture: Picture, data: bytes, size: Size) -> Iterator[File]:
    """The original and the downsampled picture; one file stands for both where the original is small enough."""
    original, small = ("", "original", ""), ("", "downsampled", "")
    is_both = picture.smaller == size
    yield File([original, small] if is_both else [original], "original.png", data, size)
    if not is_both:
        yield _png(*small, faces.smaller(picture.pixels, picture.smaller))


def _crop(picture: Picture, face: FaceGeometry) -> Iterator[File]:
    if face.window is not None:
        corners = np.rint(np.array(face.window) * np.tile(picture.factors, 2)).astype(int)
        pixels = faces.crop(picture.pixels, tuple(corners.tolist()))
        homography = to_crop(face.window, Size(pixels.shape[1], pixels.shape[0]))
        yield _png(face.subject, "face_crop", "", pixels, homography)


def _aligned(picture: Picture, face: Face, sides: Sides) -> Iterator[File]:
    subject, _, rectangle = face.geometry
    if rectangle is None:
        return
    pixels = faces.aligned(picture.pixels, rectangle * picture.factors, sides.aligned, sides.warped)
    homography = to_square(rectangle, sides.aligned)
    yield _png(subject, "face_aligned", "", pixels, homography)
    drawn = [(segment, moved(polygon, homography)) for segment, polygon in face.outlines]
    masks = parsing.masks(parsing.labels(drawn, sides.aligned))
    yield from (_png(subject, "mask", part, mask) for part, mask in sorted(masks.items()))


def _png(subject: str, kind: str, part: str, pixels: np.ndarray, homography: np.ndarray | None = None) -> File:
    name = "/".join(filter(None, (subject, kind, part)))
    size = Size(pixels.shape[1], pixels.shape[0])
    flat = None if homography is None else homography.ravel()
    return File([(subject, kind, part)], f"{name}.png", encode_png(pixels), size, flat)
