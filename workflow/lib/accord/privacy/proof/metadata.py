"""Proof that an image file carries pixels and nothing else: every PNG chunk and JPEG marker against an allow-list.

PNG: W3C Portable Network Graphics (Third Edition), chapters 5 and 11. JPEG: ITU-T T.81, annex B. What is not named
here is a violation: text, EXIF, XMP, ICC profiles, comments, thumbnails, times, trailers; and so is transparency.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_CHUNKS = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND", b"sRGB", b"gAMA"})
COLOUR_TYPE, WITH_ALPHA = 9, (b"\x04", b"\x06")
"""Where IHDR says how pixels are stored, and what it says where they have alpha."""
JPEG_NAMES = {0xC4: "DHT", 0xDA: "SOS", 0xDB: "DQT", 0xDD: "DRI", 0xE0: "APP0", 0xFE: "COM"}
JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
JPEG_MARKERS = JPEG_FRAMES | {0xC4, 0xDA, 0xDB, 0xDD, 0xE0}
FED, INFLATED = 1 << 16, 1 << 20
"""Bytes of a compressed stream that are inflated at once, and bytes that come out at once."""
JFIF = b"JFIF\0"
JFIF_SIZE = 14
HINT = "write the file again from its pixels"


def violations(data: bytes) -> list[str]:
    """All that is in a PNG or JPEG file besides what its pixels need; empty for a clean file."""
    if data.startswith(PNG_SIGNATURE):
        return list(png_violations(data))
    if data.startswith(b"\xff\xd8"):
        return list(jpeg_violations(data))
    return ["is neither PNG nor JPEG"]


def png_violations(data: bytes) -> Iterator[str]:
    """Chunks that are not on the list, broken ones, hidden bytes in the pixel stream, and what follows IEND."""
    position, names, stream = len(PNG_SIGNATURE), [], []
    while position < len(data) and names[-1:] != [b"IEND"]:
        header = data[position : position + 8]
        if len(header) < 8:
            yield f"invalid chunk at byte {position}"
            return
        length, name = struct.unpack(">I4s", header)
        body = data[position + 8 : position + 8 + length]
        check = data[position + 8 + length : position + 12 + length]
        if len(body) < length or check != struct.pack(">I", zlib.crc32(name + body)):
            yield f"chunk {_shown(name)} at byte {position} is truncated or has a wrong checksum"
            return
        yield from _png_chunk(name, body)
        names.append(name)
        stream += [body] if name == b"IDAT" else []
        position += 12 + length
    yield from _png_order(names, stream)
    if position < len(data):
        yield f"{len(data) - position} bytes after IEND"


def _png_chunk(name: bytes, body: bytes) -> Iterator[str]:
    if name not in PNG_CHUNKS:
        yield f"chunk {_shown(name)} ({len(body)} bytes) is not on the allow-list"
    if name == b"IEND" and body:
        yield f"IEND contains {len(body)} bytes"
    if name == b"IHDR" and body[COLOUR_TYPE : COLOUR_TYPE + 1] in WITH_ALPHA:
        yield "pixels have an alpha channel, which can hide them"


def _png_order(names: list[bytes], stream: list[bytes]) -> Iterator[str]:
    if names[:1] != [b"IHDR"] or names[-1:] != [b"IEND"] or b"IDAT" not in names:
        yield "IHDR, IDAT and IEND are not all present in this order"
        return
    inflater = zlib.decompressobj()
    try:
        hidden = sum(_inflated(inflater, piece) for piece in stream)
    except zlib.error:
        yield "the pixel stream is damaged"
        return
    if hidden:
        yield f"{hidden} bytes hidden after the pixel stream"


def _inflated(inflater: zlib._Decompress, piece: bytes) -> int:
    """Inflate a piece of a stream, little in memory at once; returns how many of its bytes lie behind the stream."""
    if inflater.eof:
        return len(piece)
    for start in range(0, len(piece), FED):
        fed = piece[start : start + FED]
        while fed and not inflater.eof:
            inflater.decompress(fed, INFLATED)
            fed = inflater.unconsumed_tail
        if inflater.eof:
            return len(inflater.unused_data) + max(len(piece) - start - FED, 0)
    return 0


def jpeg_violations(data: bytes) -> Iterator[str]:
    """Markers that are not on the list, a JFIF segment with more than its header, and what follows EOI."""
    position = 2
    while position + 1 < len(data):
        if data[position] != 0xFF:
            yield f"no marker at byte {position}"
            return
        marker = data[position + 1]
        if marker == 0xD9:
            if position + 2 < len(data):
                yield f"{len(data) - position - 2} bytes after EOI"
            return
        if len(data) < position + 4:
            break
        (length,) = struct.unpack(">H", data[position + 2 : position + 4])
        body = data[position + 4 : position + 2 + length]
        yield from _jpeg_segment(marker, body)
        position += 2 + max(length, 2)
        if marker == 0xDA:
            position = _end_of_scan(data, position)
    yield "ends without EOI"


def _jpeg_segment(marker: int, body: bytes) -> Iterator[str]:
    name = JPEG_NAMES.get(marker, f"APP{marker - 0xE0}" if 0xE0 <= marker <= 0xEF else f"0x{marker:02X}")
    if marker not in JPEG_MARKERS:
        yield f"marker {name} ({len(body)} bytes) is not on the allow-list"
    elif marker == 0xE0 and (not body.startswith(JFIF) or len(body) != JFIF_SIZE or body[12:14] != b"\0\0"):
        yield f"marker APP0 ({len(body)} bytes) is more than a JFIF header"


def _end_of_scan(data: bytes, position: int) -> int:
    """The first marker after entropy-coded data: 0xFF, but no stuffed zero (FF00) and no restart (FFD0-FFD7)."""
    while (position := data.find(b"\xff", position)) >= 0 and position + 1 < len(data):
        if data[position + 1] not in (0x00, 0xFF) and not 0xD0 <= data[position + 1] <= 0xD7:
            return position
        position += 1 if data[position + 1] == 0xFF else 2
    return len(data)


def _shown(name: bytes) -> str:
    """A chunk's name, if it is one: other bytes could be anything."""
    return name.decode("ascii") if name.isalpha() else name.hex()
