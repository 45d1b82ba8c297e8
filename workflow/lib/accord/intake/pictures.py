"""The header of an untrusted picture: its format, size and EXIF, without decoding a pixel."""

import warnings
from pathlib import PurePosixPath
from typing import NamedTuple

from accord.decode import opened
from accord.intake import exif
from accord.intake.exif import Exif
from accord.intake.files import FileRefusedError

FORMATS = {"JPEG": ("image/jpeg", (".jpg", ".jpeg")), "PNG": ("image/png", (".png",))}


class Header(NamedTuple):
    """What a picture's header says; width and height: px as stored."""

    media: str
    suffix: str
    width: int
    height: int
    exif: Exif


def header(data: bytes, name: str, max_pixels: int) -> Header:
    """The header of a picture in a file called `name`.

    Raises FileRefusedError: `header` (no JPEG or PNG, or unreadable), `extension` (another format than its name says)
    or `pixels` (more than `max_pixels`).
    """
    media, suffixes, size, block = _open(data)
    if PurePosixPath(name).suffix.lower() not in suffixes:
        raise FileRefusedError("extension", f"the file's name does not end as that of {media} does")
    if size[0] * size[1] > max_pixels:
        raise FileRefusedError("pixels", f"the header says more than {max_pixels} pixels")
    if min(size) < 1:
        raise FileRefusedError("header", "the header says that the picture is empty")
    return Header(media, suffixes[0], *size, exif.parse(block))


def _open(data: bytes) -> tuple[str, tuple[str, ...], tuple[int, int], bytes]:
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures and of damaged EXIF; both are judged here.
            warnings.simplefilter("ignore")
            with opened(data) as image:
                block = image.info.get("exif", b"")
                return *FORMATS[image.format], image.size, block if isinstance(block, bytes) else b""
    except Exception as error:
        # Pillow's plugins raise a dozen kinds of exceptions on broken files; their texts can quote the file.
        raise FileRefusedError("header", f"no readable JPEG or PNG ({type(error).__name__})") from None
