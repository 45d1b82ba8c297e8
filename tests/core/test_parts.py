"""Parts of files are counted before anything decodes them."""

import io
import struct
import time
import zlib

import numpy as np
import pytest
from PIL import Image

from accord.errors import AccordError
from accord.imaging.decode import decode, opened, parts
from accord.imaging.formats import exif_block

PIXELS = np.random.default_rng(3).integers(0, 256, (64, 64, 3), dtype=np.uint8)
QUICK = 1.0
"""CPU seconds within which anything is refused or read; the attacks took from 8 s to minutes."""
ORIENTED = b"Exif\0\0II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)


def encoded(kind="JPEG", **options):
    buffer = io.BytesIO()
    Image.fromarray(PIXELS).save(buffer, kind, **options)
    return buffer.getvalue()


def segment(marker, content=b""):
    return bytes((0xFF, marker)) + struct.pack(">H", len(content) + 2) + content


def chunk(name, content=b""):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def jpeg_with(*more):
    data = encoded()
    return data[:2] + b"".join(more) + data[2:]


def png_with(*more):
    data = encoded("PNG")
    return data[:33] + b"".join(more) + data[33:]


def empty_scans(count):
    data = encoded(progressive=True)
    return data[:-2] + segment(0xDA, bytes((1, 1, 0, 1, 1, 0))) * count + data[-2:]


def refusal(data):
    start = time.process_time()
    with pytest.raises(AccordError) as caught:
        decode(data)
    assert time.process_time() - start < QUICK
    return caught.value.problems[0].what


@pytest.mark.parametrize(("data", "why"), [
    (empty_scans(400), "has more than 64 scans"),
    (jpeg_with(segment(0xFE) * (15 << 18)), "has more than 1000 segments"),
    (jpeg_with(segment(0xE1, ORIENTED.ljust(60_000, b"\0")) * 1000), "has more than 16 segments of EXIF"),
    (jpeg_with(segment(0xED, b"Photoshop 3.0\0" + b"8BIM" * 16_000) * 1001), "has more than 1000 segments"),
    (jpeg_with(b"\xff\x01" * 2000), "has more than 1000 segments"),
    (png_with(chunk(b"tEXt", b"a\0b") * 500_000), "has more than 1000 chunks beside its data"),
    (png_with(chunk(b"IDAT") * 500_000), "has its data in more than 65536 chunks"),
    (png_with(chunk(b"gAMA", b"\0\0\xb1\x8f") * 2), "has the chunk gAMA twice"),
], ids=["scans", "comments", "EXIF", "resources", "markers", "texts", "data", "twice"])  # fmt: skip
def test_too_many_parts_are_refused_at_once(data, why):
    assert refusal(data) == why


def test_scans_are_seen_behind_whatever_libjpeg_skips():
    scan = segment(0xDA, bytes((1, 1, 0, 1, 1, 0)))
    data = encoded(progressive=True)
    for between in (
        b"\xff" * 9,
        b"\0\xff\0rubbish",
        b"\xff\xd3",
        segment(0xFE, scan * 9),
        segment(0xE5, b"x" * 65_533),
    ):
        assert refusal(data[:-2] + (between + scan) * 70 + data[-2:]) == "has more than 64 scans"


def test_what_cameras_write_is_read():
    metadata = [segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + bytes(65_000))] * 300
    data = jpeg_with(segment(0xE1, ORIENTED), *metadata, segment(0xFE, b"a comment"))
    whole = decode(encoded())
    assert (decode(data) == np.rot90(whole, -1)).all()
    assert len(parts(data).bare) <= len(encoded())
    for more in (b"\xff" * 70_000, bytes(70_000), b"\xff\xd3"):  # filled between segments
        assert (decode(jpeg_with(more)) == whole).all()
    many = b"".join(chunk(b"IDAT", bytes((one,))) for one in zlib.compress(bytes(64 * (1 + 64 * 3))))
    assert not decode(encoded("PNG")[:33] + many + chunk(b"IEND")).any()


def test_pictures_are_read_without_their_metadata():
    text, place = b"Anna was here", segment(0xE1, b'http://ns.adobe.com/xap/1.0/\0<x tiff:Orientation="6"/>')
    data = jpeg_with(place, segment(0xFE, text), segment(0xE4, text)) + text
    assert text not in parts(data).bare
    assert (decode(data) == decode(encoded())).all()  # as the table of images says: only EXIF turns a picture
    data = png_with(chunk(b"tEXt", b"Comment\0" + text), chunk(b"eXIf", ORIENTED[6:])) + text
    assert text not in parts(data).bare
    assert (decode(data) == np.rot90(PIXELS, -1)).all()
    with opened(data) as image:
        assert image.info == {}


@pytest.mark.parametrize("kind", [1, 3, 5, 9, 12])
def test_exif_whose_values_overlap_takes_no_memory(kind):
    count = 2000
    entries = b"".join(
        struct.pack("<HHII", 1000 + n, kind, 32_000 // exif_block.SIZES[kind], 8 + 2 + 12 * count) for n in range(count)
    )
    block = b"Exif\0\0II*\0" + struct.pack("<IH", 8, count) + entries + b"\1" * 40_000
    start = time.process_time()
    decode(jpeg_with(segment(0xE1, block)))
    assert set(exif_block.read(block).main.values()) == {None}
    assert time.process_time() - start < QUICK


def test_directories_that_point_at_themselves_end():
    block = b"II*\0" + struct.pack("<IHHHIIHHIII", 8, 2, 0x8769, 4, 1, 8, 0x8825, 4, 1, 8, 0)
    assert exif_block.read(block).photo == {0x8769: 8, 0x8825: 8}
    assert exif_block.read(b"II+\0" + block[4:]) == ({}, {}, {})  # BigTIFF, which EXIF never is


TURNED = (0x0112, 3, 1, 6)


def tiff(*entries, after=b""):
    """A block of one directory of entries (tag, type, count, value), and what stands behind it."""
    packed = [struct.pack("<HHII", *entry) for entry in entries]
    return b"II*\0" + struct.pack("<IH", 8, len(packed)) + b"".join(packed) + bytes(4) + after


def app1(block, prefix=b"Exif\0\0"):
    return segment(0xE1, prefix + block)


def late(data, more):
    """More, behind the pixels."""
    at = data.rindex(b"IEND") - 4 if data[:4] == b"\x89PNG" else len(data) - 2
    return data[:at] + more + data[at:]


INNER = tiff((0x8769, 4, 1, 26), after=tiff(TURNED)[8:])


@pytest.mark.parametrize("data", [
    jpeg_with(app1(tiff((0x0112, 4, 1, 6)))),
    jpeg_with(app1(tiff((0x0112, 9, 1, 6)))),
    jpeg_with(app1(tiff((0x0112, 8, 1, 6)))),
    jpeg_with(app1(tiff((0x0112, 3, 2, 6)))),
    jpeg_with(app1(tiff((0x0112, 3, 1, 1), TURNED))),
    jpeg_with(app1(tiff(*[(1, 3, 1, 1)] * 1200, TURNED))),
    jpeg_with(app1(INNER)),
    jpeg_with(app1(tiff(TURNED), b"Exif\0\xff")),
    jpeg_with(app1(tiff(TURNED), b"Exif\0\0Exif\0\0")),
    jpeg_with(app1(tiff((1, 3, 1, 1))), app1(tiff(TURNED))),
    jpeg_with(app1(tiff(TURNED).replace(b"II*\0", b"II\0*"))),
    late(encoded(), app1(tiff(TURNED))),
    png_with(chunk(b"eXIf", b"Exif\0\0" + tiff(TURNED))),
    png_with(chunk(b"eXIf", tiff((0x0112, 4, 1, 6)))),
    late(encoded("PNG"), chunk(b"eXIf", tiff(TURNED))),
], ids=["LONG", "SLONG", "SSHORT", "two values", "twice", "late entry", "inner", "prefix", "two prefixes", "two blocks",
        "header", "late", "PNG prefix", "PNG LONG", "PNG late"])  # fmt: skip
def test_an_orientation_that_viewers_read_differently_is_refused(data):
    assert "viewers disagree" in refusal(data)


UPRIGHT = (0x0112, 3, 1, 1)


@pytest.mark.parametrize("data", [
    *(jpeg_with(app1(tiff((0x0112, kind, 1, value)))) for kind in (1, 3, 4, 6, 8, 9) for value in (0, 1, 9, 4711)),
    *(jpeg_with(app1(struct.pack(">4sIHHHI4sI", b"MM\0*", 8, 1, 0x0112, kind, 1, raw, 0)))
      for kind, raw in ((4, b"\0\0\0\1"), (3, b"\0\1\0\0"), (1, b"\1\0\0\0"), (9, b"\0\0\0\0"))),
    jpeg_with(app1(tiff((0x0112, 5, 1, 26), after=struct.pack("<II", 1, 1)))),
    jpeg_with(app1(tiff((0x0112, 2, 2, ord("1"))))),
    jpeg_with(app1(tiff((0x0112, 3, 2, 1)))),
    jpeg_with(app1(tiff(UPRIGHT, UPRIGHT))),
    jpeg_with(app1(tiff(*[(1, 3, 1, 1)] * 1200, UPRIGHT))),
    jpeg_with(app1(tiff((0x8769, 4, 1, 26), after=tiff(UPRIGHT)[8:]))),
    jpeg_with(app1(tiff(UPRIGHT), b"Exif\0\xff")),
    jpeg_with(app1(tiff(UPRIGHT), b"Exif\0\0Exif\0\0")),
    jpeg_with(app1(tiff(UPRIGHT)), app1(tiff(UPRIGHT))),
    jpeg_with(app1(tiff(UPRIGHT).replace(b"II*\0", b"II\0*"))),
    late(encoded(), app1(tiff(UPRIGHT))),
    png_with(chunk(b"eXIf", b"Exif\0\0" + tiff(UPRIGHT))),
    png_with(chunk(b"eXIf", tiff((0x0112, 4, 1, 1)))),
    late(encoded("PNG"), chunk(b"eXIf", tiff(UPRIGHT))),
])  # fmt: skip
def test_an_orientation_that_nobody_can_read_as_a_turn_is_none(data):
    assert (decode(data) == decode(encoded("PNG") if data[:4] == b"\x89PNG" else encoded())).all()


@pytest.mark.parametrize("value", range(2, 9))
@pytest.mark.parametrize("kind", [1, 4, 5, 6, 8, 9, 11, 12])
def test_each_turn_of_another_type_is_refused(kind, value):
    raw = {5: struct.pack("<II", value, 1), 11: struct.pack("<f", value), 12: struct.pack("<d", value)}
    small = kind not in (5, 12)
    entry = (0x0112, kind, 1, int.from_bytes(raw[kind], "little") if kind == 11 else value if small else 26)
    assert "viewers disagree" in refusal(jpeg_with(app1(tiff(entry, after=b"" if small else raw[kind]))))


def test_the_directories_of_a_block_are_walked_once_each():
    many = [(0x8769, 4, 1, 8 + 12 * (n % 5000)) for n in range(5_000)]
    start = time.process_time()
    exif_block.is_unusual(tiff(*many, after=bytes(1000)))
    assert time.process_time() - start < QUICK


@pytest.mark.parametrize("data", [
    jpeg_with(app1(tiff(TURNED))),
    png_with(chunk(b"eXIf", tiff(TURNED))),
    jpeg_with(app1(tiff((1, 3, 1, 1)))),
    jpeg_with(app1(b"")),
    jpeg_with(app1(tiff(TURNED, (0x8769, 4, 1, 38), after=tiff((0x9209, 3, 1, 1))[8:]))),
])  # fmt: skip
def test_an_orientation_as_the_standard_has_it_is_read(data):
    assert decode(data).shape == PIXELS.shape
