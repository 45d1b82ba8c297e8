"""The header of an untrusted picture: its format, size, profile and EXIF, without decoding a pixel."""

import io
import warnings
from pathlib import PurePosixPath
from typing import NamedTuple

from PIL import Image

from accord.errors import AccordError
from accord.imaging import decode
from accord.imaging.formats import colour, foreign
from accord.intake.delivered.files import FileRefusedError
from accord.intake.reading import exif
from accord.intake.reading.exif import Exif

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

    Raises FileRefusedError: `header` (no JPEG or PNG, or unreadable), `parts` (more than any camera writes, or
    what can't be shown as a viewer shows it: animations, broken colour profiles), `extension` (another format than its
    name says) or `pixels` (more than `max_pixels`).
    """
    media, suffixes, size, block = _open(data)
    if PurePosixPath(name).suffix.lower() not in suffixes:
        raise FileRefusedError("extension", f"the file's extension is not one of {media}")
    if size[0] * size[1] > max_pixels:
        raise FileRefusedError("pixels", f"the header says more than {max_pixels} pixels")
    if min(size) < 1:
        raise FileRefusedError("header", "the header says that the picture is empty")
    return Header(media, suffixes[0], *size, exif.parse(block))


def _open(data: bytes) -> tuple[str, tuple[str, ...], tuple[int, int], bytes]:
    try:
        found = decode.parts(data)
        with warnings.catch_warnings():
            # Pillow warns of large pictures; they are judged here.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(found.bare), formats=decode.FORMATS) as image:
                colour.conversion(image)
                media, suffixes = FORMATS[image.format or ""]
                return media, suffixes, image.size, found.exif
    except AccordError as error:
        raise FileRefusedError("parts", f"the file {error.problems[0].what}") from None
    except Exception as error:
        # Pillow's plugins raise a dozen kinds of exceptions on broken files; their texts can quote the file.
        kind = foreign.name_format(data) or type(error).__name__
        raise FileRefusedError("header", f"not a readable JPEG or PNG ({kind})") from None
