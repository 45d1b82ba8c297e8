"""Decoding of untrusted images: bounded, upright, three channels."""

import io

import numpy as np
from PIL import Image, ImageOps

from accord.errors import AccordError, Problem

FORMATS = ("JPEG", "PNG")
MAX_PIXELS = 200_000_000

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
    try:
        with opened(data) as image:
            if image.width * image.height > max_pixels:
                raise AccordError(Problem("image", f"has more than {max_pixels} pixels", "send it at a smaller size"))
            image.load()
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except AccordError:
        raise
    except Exception as error:
        # Pillow's plugins raise a dozen kinds of exceptions on broken files; their texts can quote the file.
        raise AccordError(Problem("image", f"can't be decoded ({type(error).__name__})", "send it again")) from None


def encode_png(pixels: np.ndarray) -> bytes:
    """A PNG of the pixels and nothing else: (height, width, 3) or (height, width) uint8."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()
