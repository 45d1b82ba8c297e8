import io
import struct
import zlib
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from accord.imaging.decode import encode_png
from accord.privacy.proof.metadata import violations

PIXELS = np.random.default_rng(0).integers(0, 255, (40, 30, 3), dtype=np.uint8)
PNG = encode_png(PIXELS)


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def with_chunk(name: bytes, body: bytes) -> bytes:
    return PNG[:33] + chunk(name, body) + PNG[33:]


def jpeg(**options) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(PIXELS).save(buffer, "JPEG", **options)
    return buffer.getvalue()


def with_segment(marker: int, body: bytes) -> bytes:
    data = jpeg()
    return data[:2] + struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body + data[2:]


@pytest.mark.parametrize("image", [PIXELS, PIXELS[..., 0]])
def test_a_png_rebuilt_from_pixels_is_clean(image):
    assert violations(encode_png(image)) == []


def test_a_palette_with_a_colour_space_is_clean():
    buffer = io.BytesIO()
    Image.fromarray(PIXELS).quantize(8).save(buffer, "PNG")
    data = buffer.getvalue()
    data = data[:33] + chunk(b"sRGB", b"\0") + chunk(b"gAMA", struct.pack(">I", 45455)) + data[33:]
    assert violations(data) == []


def test_pixels_that_can_be_hidden_are_no_clean_picture():
    clear, keyed = io.BytesIO(), io.BytesIO()
    Image.fromarray(PIXELS).convert("RGBA").save(clear, "PNG")
    Image.fromarray(PIXELS).save(keyed, "PNG", transparency=(1, 2, 3))
    assert violations(clear.getvalue()) == ["pixels have an alpha channel, which can hide them"]
    assert violations(keyed.getvalue()) == ["chunk tRNS (6 bytes) is not on the allow-list"]


@pytest.mark.parametrize("name", [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"iCCP", b"pHYs", b"caBX", b"prVt"])
def test_any_other_chunk_is_found(name):
    assert violations(with_chunk(name, b"12345")) == [f"chunk {name.decode()} (5 bytes) is not on the allow-list"]


def test_what_pillow_writes_beside_the_pixels_is_found():
    info, exif = PngImagePlugin.PngInfo(), Image.Exif()
    info.add_text("Author", "somebody")
    exif[0x010E] = "somebody"
    buffer = io.BytesIO()
    Image.fromarray(PIXELS).save(buffer, "PNG", pnginfo=info, exif=exif, dpi=(72, 72))
    assert [found.split()[1] for found in violations(buffer.getvalue())] == ["tEXt", "pHYs", "eXIf"]


@settings(max_examples=30, deadline=None)
@given(st.binary(min_size=1, max_size=40))
def test_a_trailer_is_found(trailer):
    assert violations(PNG + trailer) == [f"{len(trailer)} bytes after IEND"]
    assert violations(jpeg() + trailer) == [f"{len(trailer)} bytes after EOI"]


def test_bytes_behind_the_pixel_stream_are_found():
    end = PNG.index(b"IEND") - 4
    assert violations(PNG[:end] + chunk(b"IDAT", b"secret") + PNG[end:]) == ["6 bytes hidden after the pixel stream"]


def split(data: bytes, size: int) -> bytes:
    """A PNG whose pixel stream lies in chunks of so many bytes."""
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    return PNG[:33] + b"".join(chunk(b"IDAT", piece) for piece in pieces) + chunk(b"IEND", b"")


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5_000), st.binary(max_size=3_000), st.binary(max_size=60))
def test_bytes_behind_the_pixel_stream_are_counted_wherever_chunks_end(size, pixels, hidden):
    told = [f"{len(hidden)} bytes hidden after the pixel stream"] if hidden else []
    assert violations(split(zlib.compress(pixels) + hidden, size)) == told


def test_a_broken_pixel_stream_is_told():
    assert violations(split(b"no zlib", 3)) == ["the pixel stream is damaged"]


def test_hidden_bytes_of_any_number_are_counted():
    hidden = zlib.compress(b"seen") + bytes(3 << 16)
    assert violations(split(hidden, len(hidden))) == [f"{3 << 16} bytes hidden after the pixel stream"]


def test_a_png_of_many_chunks_takes_time_in_proportion():
    data = split(zlib.compress(PIXELS.tobytes()) + bytes(3 << 20), 64)
    start = process_time()
    assert violations(data) == [f"{3 << 20} bytes hidden after the pixel stream"]
    assert process_time() - start < 2  # copying what was read before, for each chunk, takes some 10 s


def test_a_damaged_png_is_no_proof():
    assert violations(PNG[:50]) == [
        "chunk IDAT at byte 33 is truncated or has a wrong checksum",
    ]
    assert violations(PNG[:33]) == ["IHDR, IDAT and IEND are not all present in this order"]
    assert violations(PNG[:-8] + b"IENX" + PNG[-4:]) == [
        f"chunk IENX at byte {len(PNG) - 12} is truncated or has a wrong checksum"
    ]


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}, {"quality": 100}])
def test_a_jpeg_of_pixels_alone_is_clean(options):
    assert violations(jpeg(**options)) == []


@pytest.mark.parametrize(
    ("marker", "name"), [(0xE1, "APP1"), (0xE2, "APP2"), (0xED, "APP13"), (0xEF, "APP15"), (0xFE, "COM")]
)
def test_any_other_jpeg_segment_is_found(marker, name):
    assert violations(with_segment(marker, b"12345")) == [f"marker {name} (5 bytes) is not on the allow-list"]


def test_a_jfif_thumbnail_is_found():
    thumbnail = b"JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01" + b"\0\0\0"
    assert violations(with_segment(0xE0, thumbnail)) == ["marker APP0 (17 bytes) is more than a JFIF header"]


def test_a_cut_jpeg_is_no_proof():
    assert violations(jpeg()[:-2]) == ["ends without EOI"]


def test_other_files_are_refused():
    assert violations(b"GIF89a") == ["is neither PNG nor JPEG"]
    assert violations(b"") == ["is neither PNG nor JPEG"]


def test_all_violations_are_told():
    data = with_chunk(b"tEXt", b"a\0b") + b"trailer"
    assert violations(data) == ["chunk tEXt (3 bytes) is not on the allow-list", "7 bytes after IEND"]
    assert violations(PNG) == []
