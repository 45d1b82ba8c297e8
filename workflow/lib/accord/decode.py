"""Decoding of untrusted images: bounded, upright, three channels."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

import numpy as np
from PIL import Image, ImageOps

from accord.errors import AccordError, Problem

FORMATS = ("JPEG", "PNG")
MAX_PIXELS = 200_000_000
ORIENTATION = 0x0112
"""EXIF's tag of how a picture lies."""
SIDES_SWAPPED_FROM = 5
"""EXIF orientations from here on turn a picture by a quarter."""
LARGER, SMALLER = 1.3, 0.9
"""How much larger or smaller than asked for a picture may be: to scale it would take longer than to send it."""

# Pillow's own limit lies below ours and only warns at first; whoever opens an image here reads its size first.
Image.MAX_IMAGE_PIXELS = None


def opened(data: bytes) -> Image.Image:
    """An encoded image of which only the header is read yet. Raises what Pillow's plugins raise on broken files."""
    return Image.open(io.BytesIO(data), formats=FORMATS)


def decode(data: bytes, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """The picture in an encoded image: (height, width, 3) uint8 RGB, EXIF orientation applied.

    Raises AccordError where the data are no whole JPEG or PNG, or have more than `max_pixels` pixels; the size is
    read from the header before a single pixel is made.
    """
    with _bounded(data, max_pixels) as image:
        image.load()
        return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))


def reduced(data: bytes, side: int, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """The picture in an encoded image, to be looked at: as `decode`'s, its longest side about `side` px.

    It is SMALLER to LARGER times that. A large JPEG is decoded at a fraction of its size. Raises as `decode` does.
    """
    with _bounded(data, max_pixels) as image:
        share = min(SMALLER * side / max(image.size), 1)
        shown = _at_a_fraction(image, data, ceil(image.width * share), ceil(image.height * share))
        upright = (ImageOps.exif_transpose(shown, in_place=True) or shown).convert("RGB")
        if max(upright.size) > LARGER * side:
            upright.thumbnail((side, side), Image.Resampling.BILINEAR, reducing_gap=2.0)
        return np.asarray(upright)


def encode_png(pixels: np.ndarray) -> bytes:
    """A PNG of the pixels and nothing else: (height, width, 3) or (height, width) uint8."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


@contextmanager
def _bounded(data: bytes, max_pixels: int) -> Iterator[Image.Image]:
    """`opened`, within bounds; what its plugins raise becomes an AccordError."""
    try:
        with opened(data) as image:
            if image.width * image.height > max_pixels:
                raise AccordError(Problem("image", f"has more than {max_pixels} pixels", "send it at a smaller size"))
            yield image
    except AccordError:
        raise
    except Exception as error:
        # Pillow's plugins raise a dozen kinds of exceptions on broken files; their texts can quote the file.
        raise AccordError(Problem("image", f"can't be decoded ({type(error).__name__})", "send it again")) from None


def _at_a_fraction(image: Image.Image, data: bytes, width: int, height: int) -> Image.Image:
    """The image at least so large; a JPEG in the eighth of its size that is next to it. Its orientation stays noted."""
    import simplejpeg

    if image.format != "JPEG" or image.mode != "RGB":
        return image
    small = Image.fromarray(simplejpeg.decode_jpeg(data, min_width=width, min_height=height))
    small.getexif()[ORIENTATION] = image.getexif().get(ORIENTATION, 1)
    return small
