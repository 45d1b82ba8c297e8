"""Files of an archive, bounded to its folder, and the sizes of pictures."""

import io
from pathlib import Path

from PIL import Image

from accord.errors import AccordError
from accord.imaging import decode
from accord.imaging.decode import MAX_PIXELS
from accord.imaging.formats import exif_block
from accord.release.format.geometry import Size

LARGEST = 2**29
"""Bytes of a picture: a PNG of MAX_PIXELS that can't be compressed is hardly larger."""


def read(folder: Path, path: str) -> bytes:
    """A file of the archive, whose folder has no links left. Raises ValueError where it is missing, lies elsewhere, or
    is too large."""
    target = inside(folder, path)
    if target.stat().st_size > LARGEST:
        raise ValueError(f"has more than {LARGEST:,} bytes")
    return target.read_bytes()


def inside(folder: Path, path: str) -> Path:
    """Where a file of the archive lies. Raises ValueError where it is missing, or outside of the folder."""
    target = (folder / path).resolve()
    if not target.is_relative_to(folder):
        raise ValueError("is outside the archive")
    if not target.is_file():
        raise ValueError("is missing")
    return target


def size(data: bytes) -> Size:
    """Width and height of a PNG, from its header. Raises ValueError where it is none, or is too large."""
    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            found = Size(*image.size)
    except Exception as error:
        raise ValueError(f"is not a valid PNG ({type(error).__name__})") from None
    return _bounded(found)


def upright_size(data: bytes) -> Size:
    """Width and height of a JPEG or PNG as `decode` shows it, from its header. Raises ValueError as `size` does."""
    try:
        parts = decode.parts(data)
        with decode.opened(data) as image:
            found = Size(*image.size)
    except AccordError as error:
        raise ValueError(error.problems[0].what) from None
    except Exception as error:
        raise ValueError(f"is not a valid JPEG or PNG ({type(error).__name__})") from None
    turned = exif_block.orientation(exif_block.read(parts.exif).main) >= decode.SIDES_SWAPPED_FROM
    return _bounded(Size(found.height, found.width) if turned else found)


def _bounded(found: Size) -> Size:
    if found.width * found.height > MAX_PIXELS:
        raise ValueError(f"has more than {MAX_PIXELS} pixels")
    return found
