"""Decoding of untrusted images as a viewer shows them: bounded, upright, sRGB, over white; of several the first.

Whatever looks at a picture in this package decodes it here, so that what people agree to, what models judge and what is
published are the same pixels.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import NamedTuple

import numpy as np
from PIL import Image

from accord.errors import AccordError, Problem
from accord.imaging.formats import colour, exif_block, foreign, jpeg, png
from accord.imaging.formats.parts import Parts

FORMATS = ("JPEG", "PNG")
MAX_PIXELS = 200_000_000
ORIENTATION = exif_block.ORIENTATION
"""EXIF's tag of how a picture lies."""
SIDES_SWAPPED_FROM = 5
"""EXIF orientations from here on turn a picture by a quarter."""
LARGER, SMALLER = 1.3, 0.9
"""How much larger or smaller than asked for a picture may be: to scale it would take longer than to send it."""
WAYS, TRIED = ("runs", "repeats"), 32
"""How a PNG can be compressed (of equally good ways the first), and of how many rows one is tried."""
FIRST = "first_of_several"
CONVERSIONS = {
    FIRST: "the first of several pictures in one file",
    colour.PROFILE: "from the colours of its ICC profile to sRGB",
    colour.CMYK: "from CMYK without a profile to RGB",
    colour.DEPTH: "from 16 to 8 bits",
    colour.ALPHA: "transparent parts laid over white",
}
"""What may be done to a picture so that its pixels are what viewers show, and how people are told."""

# Pillow's own limit lies below ours and only warns at first; whoever opens an image here reads its size first.
Image.MAX_IMAGE_PIXELS = None


class Picture(NamedTuple):
    """Pixels, uint8 sRGB (height, width, 3), upright, and what was done to get them: keys of CONVERSIONS."""

    pixels: np.ndarray
    conversions: tuple[str, ...]


def parts(data: bytes) -> Parts:
    """The parts of a JPEG or PNG file. Raises AccordError where it has more of them than any camera writes."""
    if data.startswith(png.SIGNATURE):
        return png.parts(data)
    return jpeg.parts(data) if data.startswith(jpeg.SIGNATURE) else Parts(data)


def opened(data: bytes) -> Image.Image:
    """An encoded image of which only the header is read yet, without EXIF and texts.

    Raises AccordError as `parts` does, and what Pillow's plugins raise on broken files.
    """
    return Image.open(io.BytesIO(parts(data).bare), formats=FORMATS)


def upright_size(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Width and height of a picture once its EXIF orientation is applied, px, from those that are stored."""
    return (height, width) if orientation >= SIDES_SWAPPED_FROM else (width, height)


def decode(data: bytes, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """The pixels of an encoded image, as `read` gives them."""
    return read(data, max_pixels).pixels


def read(data: bytes, max_pixels: int = MAX_PIXELS) -> Picture:
    """The picture in an encoded image, EXIF orientation applied.

    Raises AccordError where the data are no whole JPEG or PNG, have more than `max_pixels` pixels, more parts than
    any camera writes, or a colour profile that can't be used; size and parts are read before a single pixel is made.
    """
    with _bounded(data, max_pixels) as (image, found):
        pixels, done = _stored(image, found.bare)
        return Picture(_upright(pixels, found.exif), (*([FIRST] if found.is_first else []), *done))


def reduced(data: bytes, side: int, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """The picture in an encoded image, to be looked at: as `decode`'s, its longest side about `side` px.

    It is SMALLER to LARGER times that. A large JPEG is decoded at a fraction of its size. Raises as `decode` does.
    """
    with _bounded(data, max_pixels) as (image, found):
        share = min(SMALLER * side / max(image.size), 1)
        pixels, _ = _stored(image, found.bare, (ceil(image.width * share), ceil(image.height * share)))
        if max(pixels.shape) > LARGER * side:
            shown = Image.fromarray(pixels)
            shown.thumbnail((side, side), Image.Resampling.BILINEAR, reducing_gap=2.0)
            pixels = np.asarray(shown)
        return _upright(pixels, found.exif)


def encode_png(pixels: np.ndarray) -> bytes:
    """A PNG of the pixels and nothing else: (height, width, 3) or (height, width) uint8. The same bytes each time.

    It is written in whichever of WAYS makes its middle rows smaller: photographs with a camera's noise hold nothing
    that repeats, and looking for it costs time and size; smooth and drawn pictures do. Measured: benchmarks/png.py.
    """
    import cv2

    stored = np.ascontiguousarray(pixels) if pixels.ndim == 2 else cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    height = len(stored)
    middle = stored[height // 2 : height // 2 + max(height // TRIED, 1)]
    way = min(WAYS, key=lambda way: len(_png(middle, way)))
    return _png(stored, way)


def _png(stored: np.ndarray, way: str) -> bytes:
    """A PNG of grey or BGR pixels, as cv2 writes it: libpng, with one filter for all rows."""
    import cv2

    flags = {
        "runs": (cv2.IMWRITE_PNG_STRATEGY_RLE, cv2.IMWRITE_PNG_FILTER_AVG, 1),
        "repeats": (cv2.IMWRITE_PNG_STRATEGY_FILTERED, cv2.IMWRITE_PNG_FILTER_UP, 2),
    }
    strategy, row_filter, level = flags[way]
    settings = (cv2.IMWRITE_PNG_COMPRESSION, level, cv2.IMWRITE_PNG_STRATEGY, strategy)
    _, data = cv2.imencode(".png", stored, [*settings, cv2.IMWRITE_PNG_FILTER, row_filter])
    return png.joined(data.tobytes())


@contextmanager
def _bounded(data: bytes, max_pixels: int) -> Iterator[tuple[Image.Image, Parts]]:
    """The opened image and its parts, within bounds; what Pillow's plugins raise becomes an AccordError."""
    try:
        found = parts(data)
        with Image.open(io.BytesIO(found.bare), formats=FORMATS) as image:
            if image.width * image.height > max_pixels:
                raise AccordError(Problem("image", f"has more than {max_pixels} pixels", "send it at a smaller size"))
            yield image, found
    except AccordError:
        raise
    except Exception as error:
        # Pillow's plugins raise a dozen kinds of exceptions on broken files; their texts can quote the file.
        kind = foreign.name_format(data)
        hint = "export it as JPEG or PNG" if kind else "send it again"
        raise AccordError(Problem("image", f"can't be decoded ({kind or type(error).__name__})", hint)) from None


def _stored(image: Image.Image, data: bytes, least: tuple[int, int] | None = None) -> tuple[np.ndarray, list[str]]:
    """Pixels as they are stored, not upright yet, and what was done to their colours.

    A JPEG is made in the eighth of its size that is next to `least` (width, height), where that is given.
    """
    way = colour.conversion(image)
    done = [colour.PROFILE] if way else [colour.CMYK] if image.mode == "CMYK" else []
    pixels = _of_jpeg(data, least) if image.format == "JPEG" and image.mode == "RGB" else None
    if pixels is not None:
        if way:
            colour.convert(pixels, way)
        return pixels, done
    pixels, shone = colour.as_seen(image, way)
    done += [colour.DEPTH] if image.format == "PNG" and data[png.DEPTH_AT] > png.EIGHT_BITS else []
    return pixels, done + [colour.ALPHA] * shone


def _of_jpeg(data: bytes, least: tuple[int, int] | None) -> np.ndarray | None:
    """The pixels of a JPEG in colours, in half of Pillow's time; None where it is damaged, which Pillow judges."""
    import simplejpeg

    if least:
        return simplejpeg.decode_jpeg(data, min_width=least[0], min_height=least[1])
    try:
        return simplejpeg.decode_jpeg(data, strict=True)
    except ValueError:
        return None


def _upright(pixels: np.ndarray, exif: bytes) -> np.ndarray:
    """Pixels as EXIF says that they are to be turned, in one piece of memory."""
    lies = exif_block.orientation(exif_block.read(exif).main)
    turned = {
        2: pixels[:, ::-1],
        3: pixels[::-1, ::-1],
        4: pixels[::-1],
        5: pixels.swapaxes(0, 1),
        6: np.rot90(pixels, -1),
        7: pixels[::-1, ::-1].swapaxes(0, 1),
        8: np.rot90(pixels),
    }
    return np.ascontiguousarray(turned.get(lies, pixels))
