"""What an untrusted picture file is made of, found and bounded by one walk before anything decodes it."""

from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.imaging.formats import exif_block

HINT = "export it again as one plain picture"


class Parts(NamedTuple):
    """`bare`: the file of the first picture, with nothing in it but what its pixels need; `exif`: its EXIF, b"" without
    any; `is_first`: whether further pictures came behind it."""

    bare: bytes
    exif: bytes = b""
    is_first: bool = False


def require_usual(exif: bytes) -> None:
    """Raises AccordError where viewers may turn a picture in different ways by its EXIF block."""
    if exif_block.is_unusual(exif):
        hint = "say it once, as one SHORT in the first directory of one EXIF block; or turn the pixels and leave it out"
        raise refused("says its orientation in an unusual way: viewers disagree on how it lies", hint)


def refused(what: str, hint: str = HINT) -> AccordError:
    """The error that a picture is refused with, before it is decoded."""
    return AccordError(Problem("image", what, hint))
