"""The segments of an untrusted JPEG, counted before anything decodes them: what its first picture needs.

ITU-T T.81, annex B. The walk steps from marker to marker as libjpeg does, and so meets each scan that libjpeg meets.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from accord.imaging.formats import exif_block
from accord.imaging.formats.parts import Parts, refused, require_usual

SIGNATURE = SOI = b"\xff\xd8"
MOST_SCANS, MOST_SEGMENTS, MOST_EXIF = 64, 1000, 16
MARKER = re.compile(rb"\xff[^\x00\xff]", re.DOTALL)
IN_SCAN = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)
"""Restart markers are part of the compressed data."""
EOI, SOS, APP1, APP2, COMMENT = 0xD9, 0xDA, 0xE1, 0xE2, 0xFE
APPLICATION = range(0xE0, 0xF0)
EXIF = exif_block.PREFIX
MISPLACED = "has an EXIF block of another form, in several parts, or behind its pixels: viewers disagree on how it lies"
INDEX, BEHIND = b"MPF\0", re.compile(rb"\0*\xff\xd8\xff")
"""A list of further pictures (CIPA DC-007), and the start of one right behind the first."""
READ = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
"""Application segments that say how pixels are to be read, and how they start."""


class Segment(NamedTuple):
    """A marker and where it lies in the file with all that belongs to it, but for the data of a scan."""

    marker: int
    start: int
    end: int


def parts(data: bytes) -> Parts:
    """The parts of a JPEG file: its first picture without comments, previews and what other programs left.

    Raises AccordError where it has more scans or segments than any camera writes, or viewers disagree on how it lies.
    """
    head, scans, end, exif, is_listed = [SOI], len(data), len(data), [], False
    moved: list[bytes] = []
    for segment in _bounded(data):
        content = data[segment.start : segment.end]
        is_listed |= segment.marker == APP2 and content.startswith(INDEX, 4)
        if segment.marker == SOS:
            scans = min(scans, segment.start)
        elif segment.marker == EOI:
            end = segment.end
        elif content.startswith(EXIF, 4) and segment.marker == APP1:
            exif.append(content[4 + len(EXIF) :])
            moved += [content] if segment.start > scans else []
        elif content.startswith(EXIF[:4], 4) and segment.marker in APPLICATION:
            moved.append(content)
        elif segment.start < scans and _is_needed(segment.marker, content):
            head.append(content)
    is_first = bool(BEHIND.match(data, end)) or (is_listed and data.find(SOI + b"\xff", end) >= 0)
    require_usual(b"".join(exif))
    if any(map(exif_block.may_turn, [*moved, *(exif if _is_odd(exif) else ())])):
        raise refused(MISPLACED)
    return Parts(b"".join([*head, data[scans:end]]), b"".join(exif), is_first)


def _is_odd(exif: list[bytes]) -> bool:
    """Whether the segments of EXIF aren't the parts of one block: another begins in them, or the first gives less."""
    told = [exif_block.orientation(exif_block.read(block).main) for block in (b"".join(exif), *exif[:1])]
    starts = [block[:4] in exif_block.ORDERS or block.startswith(EXIF) for block in exif[1:]]
    return len(set(told)) > 1 or any(starts) or b"".join(exif).startswith(EXIF)


def _bounded(data: bytes) -> Iterator[Segment]:
    scans = exif = 0
    for count, segment in enumerate(_segments(data), 1):
        scans += segment.marker == SOS
        exif += segment.marker == APP1 and data.startswith(EXIF, segment.start + 4)
        if count - scans > MOST_SEGMENTS:
            raise refused(f"has more than {MOST_SEGMENTS} segments")
        if scans > MOST_SCANS:
            raise refused(f"has more than {MOST_SCANS} scans")
        if exif > MOST_EXIF:
            raise refused(f"has more than {MOST_EXIF} segments of EXIF")
        yield segment


def _segments(data: bytes) -> Iterator[Segment]:
    """All segments up to the end of the first picture."""
    position, pattern = len(SOI), MARKER
    while found := pattern.search(data, position):
        start, marker = found.start(), data[found.start() + 1]
        position = start + 2 + _length(data, start + 2, marker)
        yield Segment(marker, start, position)
        if marker == EOI:
            return
        pattern = IN_SCAN if marker == SOS else pattern


def _length(data: bytes, start: int, marker: int) -> int:
    """Bytes after a marker that belong to it: none where it stands alone, or no standard says that it has a length."""
    if marker < 0xC0 or 0xD0 <= marker <= EOI:
        return 0
    return max(int.from_bytes(data[start : start + 2], "big"), 2)


def _is_needed(marker: int, content: bytes) -> bool:
    if marker in APPLICATION:
        return marker in READ and content.startswith(READ[marker], 4)
    return marker != COMMENT
