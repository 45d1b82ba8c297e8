"""What a written mp4 file holds besides its pictures: read box by box, without FFmpeg, against an allow-list.

ISO/IEC 14496-12 (boxes), 14496-15 section 5 (H.264 in them), ITU-T H.264 section 7.4.1 (NAL units).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

BOXES: dict[str, tuple[str, ...]] = {
    "": ("ftyp", "free", "mdat", "moov"),
    "moov": ("mvhd", "trak", "udta"),
    "trak": ("tkhd", "mdia"),
    "mdia": ("mdhd", "hdlr", "minf"),
    "minf": ("vmhd", "dinf", "stbl"),
    "dinf": ("dref",),
    "stbl": ("stsd", "stts", "stss", "stsc", "stsz", "stco", "co64"),
    "stsd": ("avc1",),
    "avc1": ("avcC", "colr", "btrt"),
}
"""A box -> the boxes that it may hold, each once. No edit list, no second track, no tags, no chapters, no user data."""
HEADERS = {"stsd": 8, "avc1": 78}
"""Bytes of a box before those that it holds."""
TIMED = ("mvhd", "tkhd", "mdhd")
"""Boxes that begin with a time of creation and one of change, in version 0 and 1."""
EXACT = {
    "ftyp": b"isom\x00\x00\x02\x00isomiso2avc1mp41",
    "free": b"",
    "udta": b"\x00\x00\x005meta" + bytes(7) + b"!hdlr" + bytes(8) + b"mdirappl" + bytes(9) + b"\x00\x00\x00\x08ilst",
    "hdlr": bytes(8) + b"vide" + bytes(12) + b"VideoHandler\0",
    "dref": bytes(7) + b"\x01\x00\x00\x00\x0curl \x00\x00\x00\x01",
    "vmhd": b"\x00\x00\x00\x01" + bytes(8),
    "colr": b"nclx\x00\x01\x00\x01\x00\x01\x00",
}
"""Boxes whose content is always the same: `udta` is FFmpeg's empty list of tags."""
IDENTITY = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
NAME_OF_ENCODER = slice(42, 74)
SLICES = (1, 5)
"""Types of NAL units that are pictures. Type 6 holds notes: of encoders, captions, times, whatever one likes."""
MOST = 1 << 26
"""Bytes of a box of tables that are read at most."""


SHOWN = 20
"""Violations that are told at most."""


class Box(NamedTuple):
    """A box: its name, and where its content begins and ends in the file."""

    name: str
    start: int
    end: int


def violations(file: Path) -> list[str]:
    """What a file holds that is not on the list; empty where it holds pictures alone."""
    with file.open("rb") as data:
        size = data.seek(0, 2)
        try:
            return list(islice(_inside(data, Box("", 0, size)), SHOWN))
        except (struct.error, ValueError, IndexError):
            return ["the boxes of the file are damaged"]


def _inside(data: BinaryIO, holder: Box) -> Iterator[str]:
    seen: set[str] = set()
    for box in _boxes(data, holder):
        if box.name not in BOXES[holder.name]:
            yield f"box {box.name} ({box.end - box.start} bytes) is not on the allow-list"
        elif box.name in seen:
            yield f"box {box.name} is there twice"
        elif box.name == "mdat":
            yield from _pictures(data, box)
        else:
            yield from _content(data, box)
        seen.add(box.name)
    if holder.name == "" and not {"ftyp", "mdat", "moov"} <= seen:
        yield "ftyp, mdat and moov are not all present"


def _boxes(data: BinaryIO, holder: Box) -> Iterator[Box]:
    position = holder.start + HEADERS.get(holder.name, 0)
    while position < holder.end:
        data.seek(position)
        size, name = struct.unpack(">I4s", data.read(8))
        start = position + 8
        if size == 1:
            (size,) = struct.unpack(">Q", data.read(8))
            start += 8
        if not start - position <= size <= holder.end - position:
            raise ValueError
        printable = name.decode("ascii") if name.isalnum() and name.isascii() else name.hex()
        yield Box(printable, start, position + size)
        position += size


def _content(data: BinaryIO, box: Box) -> Iterator[str]:
    if box.name in BOXES:
        if box.name in HEADERS:
            data.seek(box.start)
            yield from _header(box.name, data.read(HEADERS[box.name]))
        yield from _inside(data, box)
        return
    if box.end - box.start > MOST:
        raise ValueError
    data.seek(box.start)
    body = data.read(box.end - box.start)
    if box.name in EXACT and body != EXACT[box.name]:
        yield f"box {box.name} holds more than it should ({len(body)} bytes)"
    if box.name in TIMED and any(body[4 : 20 if body[0] else 12]):
        yield f"box {box.name} has a time of creation or change"
    if box.name == "mdhd" and body[-4:] != b"\x55\xc4\0\0":
        yield "box mdhd names a language"
    if box.name in ("mvhd", "tkhd") and IDENTITY not in body:
        yield f"box {box.name} turns the pictures"
    if box.name == "avcC":
        yield from _parameters(body)


def _header(name: str, header: bytes) -> Iterator[str]:
    if name == "stsd" and header != bytes(7) + b"\x01":
        yield "box stsd has several descriptions"
    if name == "avc1" and any(header[NAME_OF_ENCODER]):
        yield "box avc1 names an encoder"


def _parameters(body: bytes) -> Iterator[str]:
    """One sequence and one picture parameter set, and at most the four bytes of a high profile behind them."""
    position = 5
    for kind in (7, 8):
        count, length = body[position] & 0x1F, int.from_bytes(body[position + 1 : position + 3])
        if count != 1 or body[position + 3] & 0x1F != kind:
            yield "box avcC holds other than one set of parameters of each kind"
            return
        position += 3 + length
    if len(body) - position not in (0, 4):
        yield f"{len(body) - position} bytes after the parameters in avcC"


def _pictures(data: BinaryIO, box: Box) -> Iterator[str]:
    """NAL units, one behind the other, none of which is no part of a picture."""
    position, strange = box.start, set()
    while position < box.end:
        data.seek(position)
        length, kind = struct.unpack(">IB", data.read(5))
        if not 0 < length <= box.end - position - 4:
            raise ValueError
        if kind & 0x1F not in SLICES:
            strange.add(kind & 0x1F)
        position += 4 + length
    if strange:
        yield f"NAL units that are no pictures, of types {sorted(strange)}"
