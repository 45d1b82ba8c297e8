"""What an untrusted picture file is made of, found and bounded by one walk before anything decodes it."""

from typing import NamedTuple

from accord.errors import AccordError, Problem

HINT = "export it again as one plain picture"


class Parts(NamedTuple):
    """`bare`: the file of the first picture, with nothing in it but what its pixels need; `exif`: its EXIF, b"" without
    any; `is_first`: whether further pictures came behind it."""

    bare: bytes
    exif: bytes = b""
    is_first: bool = False


def refused(what: str, hint: str = HINT) -> AccordError:
    """The error that a picture is refused with, before it is decoded."""
    return AccordError(Problem("image", what, hint))
