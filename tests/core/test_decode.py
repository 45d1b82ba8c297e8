"""Decoding is bounded and upright."""

import io

import numpy as np
import pytest
from PIL import Image

from accord.decode import decode, encode_png
from accord.errors import AccordError


def encoded(pixels, kind="JPEG", **options):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind, **options)
    return buffer.getvalue()


def test_orientation_is_applied():
    exif = Image.Exif()
    exif[0x0112] = 6
    wide = np.zeros((8, 16, 3), np.uint8)
    assert decode(encoded(wide, exif=exif)).shape == (16, 8, 3)


def test_png_round_trip_without_metadata():
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    data = encode_png(pixels)
    assert (decode(data) == pixels).all()
    assert [data[12:16]] == [b"IHDR"]
    assert Image.open(io.BytesIO(data)).info == {}


def test_bombs_and_broken_files_are_refused():
    data = encoded(np.zeros((64, 64, 3), np.uint8))
    with pytest.raises(AccordError, match="has more than 100 pixels"):
        decode(data, max_pixels=100)
    for broken in (data[: len(data) // 2], b"", b"GIF89a", b"not an image"):
        with pytest.raises(AccordError, match="can't be decoded"):
            decode(broken)
    with pytest.raises(AccordError, match="can't be decoded"):
        decode(encoded(np.zeros((4, 4, 3), np.uint8), "GIF"))
