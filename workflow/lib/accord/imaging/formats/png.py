"""The chunks of an untrusted PNG, counted before anything decodes them: what its picture needs.

W3C Portable Network Graphics (Third Edition), chapters 5 and 11.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from accord.imaging.formats.exif_block import may_turn
from accord.imaging.formats.parts import Parts, refused, require_usual

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_CHUNKS, MOST_DATA = 1000, 1 << 16
"""Chunks of data are counted on their own: the smallest that encoders write hold 8 KiB."""
IHDR, IDAT, IEND, ICC, EXIF = b"IHDR", b"IDAT", b"IEND", b"iCCP", b"eXIf"
TRANSPARENCY = b"tRNS"
READ = frozenset({ICC, TRANSPARENCY})
"""Ancillary chunks that say how pixels are to be read."""
ONCE = frozenset({IHDR, b"PLTE", ICC, TRANSPARENCY, EXIF, b"sRGB", b"gAMA", b"cHRM", b"cICP"})
GREY_OR_RGB, EIGHT_BITS, DEPTH_AT = (0, 2), 8, 24
SRGB = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
"""cHRM of sRGB: x and y of its white, red, green and blue, times 100,000."""
GAMMA, NEAR_GAMMA, NEAR_CHROMATICITY = 45455, 2300, 1000
CODE_POINTS = bytes((1, 13, 0, 1))
"""cICP of sRGB, full range."""


class Chunk(NamedTuple):
    """A chunk's name and content, and its bytes in the file."""

    name: bytes
    content: bytes
    whole: bytes


def parts(data: bytes) -> Parts:
    """The parts of a PNG file: its picture without texts, times and previews, cut after its end.

    Raises AccordError where it has more chunks than any encoder writes, one twice that may come once, several pictures,
    or colours or a transparent colour that are told in a way that isn't read here.
    """
    kept, named, seen = [SIGNATURE], {}, set()
    for chunk in _bounded(data):
        if chunk.name in ONCE:
            if chunk.name in named:
                raise refused(f"has the chunk {chunk.name.decode()} twice")
            named[chunk.name] = chunk.content
            if chunk.name == EXIF and IDAT in seen and may_turn(chunk.content):
                raise refused("has its EXIF behind its pixels: viewers disagree on how it lies")
        seen.add(chunk.name)
        if chunk.name == b"acTL":
            raise refused("is an animation")
        if _is_critical(chunk.name) or chunk.name in READ:
            kept.append(chunk.whole)
    _check_colours(named)
    _check_transparency(named)
    exif = named.get(EXIF, b"")
    if exif.startswith(b"Exif") and may_turn(exif):
        raise refused("has an EXIF chunk with the prefix of a JPEG's: viewers disagree on how it lies")
    require_usual(exif)
    return Parts(b"".join(kept), exif)


def joined(data: bytes) -> bytes:
    """A whole PNG with its pixels in one chunk: libpng writes thousands of 8 KiB, over which readers lose time."""
    kept = list(_chunks(data))
    pixels = b"".join(chunk.whole[8:-4] for chunk in kept if chunk.name == IDAT)
    checked = IDAT + pixels
    whole = struct.pack(">I", len(pixels)) + checked + struct.pack(">I", zlib.crc32(checked))
    first = next(number for number, chunk in enumerate(kept) if chunk.name == IDAT)
    others = [chunk.whole for chunk in kept if chunk.name != IDAT]
    return b"".join([SIGNATURE, *others[:first], whole, *others[first:]])


def _bounded(data: bytes) -> Iterator[Chunk]:
    others = pieces = 0
    for chunk in _chunks(data):
        pieces += chunk.name == IDAT
        others += chunk.name != IDAT
        if others > MOST_CHUNKS:
            raise refused(f"has more than {MOST_CHUNKS} chunks beside its data")
        if pieces > MOST_DATA:
            raise refused(f"has its data in more than {MOST_DATA} chunks")
        yield chunk


def _chunks(data: bytes) -> Iterator[Chunk]:
    """All chunks up to the end of the picture; the last may be cut."""
    position = len(SIGNATURE)
    while position + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, position)
        end = position + 12 + length
        yield Chunk(name, b"" if name == IDAT else data[position + 8 : end - 4], data[position:end])
        if name == IEND:
            return
        position = end


def _is_critical(name: bytes) -> bool:
    return not name[0] & 0x20


def _check_colours(named: dict[bytes, bytes]) -> None:
    """Viewers heed these chunks where no profile is there: unheeded, other colours would be judged than they show."""
    if named.get(b"cICP", CODE_POINTS) != CODE_POINTS:
        raise refused("has colours that a cICP chunk describes", "export it in sRGB, or with an ICC profile")
    if ICC in named or b"sRGB" in named:
        return
    gamma, chromaticities = _numbers(named.get(b"gAMA", b"")), _numbers(named.get(b"cHRM", b""))
    is_far = any(abs(mine - theirs) > NEAR_CHROMATICITY for mine, theirs in zip(SRGB, chromaticities, strict=False))
    if is_far or any(abs(value - GAMMA) > NEAR_GAMMA for value in gamma):
        raise refused("has colours that a gAMA or cHRM chunk describes", "export it in sRGB, or with an ICC profile")


def _numbers(content: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(content) // 4}I", content[: len(content) // 4 * 4])


def _check_transparency(named: dict[bytes, bytes]) -> None:
    """One transparent colour: Pillow compares it with pixels rightly where both have eight bits."""
    header = named.get(IHDR, b"")
    if TRANSPARENCY in named and len(header) == 13 and header[9] in GREY_OR_RGB and header[8] != EIGHT_BITS:
        raise refused(f"has a transparent colour of {header[8]} bits", "export it without transparency")
