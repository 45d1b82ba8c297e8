"""The few values of an EXIF block that are asked for, read within bounds.

Pillow copies all that a directory points at, and 64 KiB in which 2,000 entries point at the same 32 KiB become
gigabytes of numbers. Here long values are left alone.
"""

import re
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

MAX_BYTES, MOST_ENTRIES, LONGEST_VALUE = 1 << 20, 1000, 1024
PREFIX = b"Exif\0\0"
ORDERS = {b"II*\0": "<", b"MM\0*": ">", b"II\0*": "<", b"MM*\0": ">"}
"""First bytes of a block and the order of its bytes; two of them are wrong, but written."""
WELL_FORMED = (b"II*\0", b"MM\0*")
PHOTO, GPS, ORIENTATION = 0x8769, 0x8825, 0x0112
BYTES, TEXT = (1, 7), 2
SHORT_ONCE = (3, 1)
"""Type and number of values of an orientation as the standard has it."""
NUMBERS = {3: "H", 4: "I", 6: "b", 8: "h", 9: "i", 11: "f", 12: "d", 13: "I"}
FRACTIONS = {5: "I", 10: "i"}
SIZES = {1: 1, 2: 1, 7: 1, 5: 8, 10: 8} | {kind: struct.calcsize(code) for kind, code in NUMBERS.items()}
"""Bytes of each of TIFF's types of values."""
HEADER, MOST_HEADERS, LAST = re.compile(b"|".join(map(re.escape, ORDERS))), 64, 8
"""A TIFF header; headers of some bytes, and directories of a block, that are looked at; the last orientation."""
SOUGHT = frozenset({PHOTO, GPS, ORIENTATION})
Entry = tuple[int, tuple[int, int], int]
"""Of an entry: its place in its directory, its type and number of values, and where its last four bytes are."""


class Directories(NamedTuple):
    """Of file, photograph, place: tag -> bytes, text, number or tuple of numbers; None where it is long or broken."""

    main: dict
    photo: dict
    gps: dict


def read(block: bytes) -> Directories:
    """The directories of an EXIF block, with or without its prefix; empty where it is malformed or too long."""
    tiff = block.removeprefix(PREFIX)
    order = ORDERS.get(tiff[:4])
    if order is None or len(tiff) < 8 or len(tiff) > MAX_BYTES:
        return Directories({}, {}, {})
    main = _directory(tiff, order, int.from_bytes(tiff[4:8], "little" if order == "<" else "big"))
    return Directories(main, _directory(tiff, order, main.get(PHOTO)), _directory(tiff, order, main.get(GPS)))


def is_unusual(block: bytes) -> bool:
    """Whether viewers may turn a picture in different ways by its EXIF block: it says the orientation, but not
    once, as one SHORT, among the first MOST_ENTRIES of the first directory, and some reading of it turns the picture.

    Some read LONG and bytes as well, or the directory of the photograph; of two, some take the first. What no viewer
    heeds is the directory of the preview.
    """
    return not _is_usual(block.removeprefix(PREFIX)) and may_turn(block)


def may_turn(data: bytes) -> bool:
    """Whether a viewer could read an orientation from 2 to 8 out of some bytes: behind any TIFF header in them, of any
    type, in either order of bytes. All others lie upright with the tag and without it. Too many bytes may."""
    starts = sorted({header.start() for header in HEADER.finditer(data)})
    if not starts:
        return False
    blocks = [data[start : start + MAX_BYTES] for start in starts[:MOST_HEADERS]]
    return len(starts) > MOST_HEADERS or len(data) > MAX_BYTES or any(map(_turns, blocks))


def _is_usual(tiff: bytes) -> bool:
    """Whether a block has no orientation, or one as the standard has it."""
    order = ORDERS.get(tiff[:4])
    if order is None or len(tiff) < 8 or len(tiff) > MAX_BYTES:
        return len(tiff) == 0
    first, *inner = _orientations(tiff, order)
    if any(inner) or not first or len(inner) >= MOST_HEADERS:
        return not any(inner) and len(inner) < MOST_HEADERS
    place, shape, _ = first[0]
    return tiff[:4] in WELL_FORMED and len(first) == 1 and place < MOST_ENTRIES and shape == SHORT_ONCE


def _turns(tiff: bytes) -> bool:
    """Whether an orientation of a block may be read as one from 2 to 8."""
    order = ORDERS[tiff[:4]]
    directories = list(_orientations(tiff, order))
    orientations = [entry for entries in directories for entry in entries]
    is_turned = any(1 < value <= LAST for entry in orientations for value in _readings(tiff, order, entry))
    return is_turned or len(directories) > MOST_HEADERS


def _orientations(tiff: bytes, order: str) -> Iterator[list[Entry]]:
    """The orientations in the first directory of a block, then those in each of the photograph and the place."""
    starts = [struct.unpack_from(f"{order}I", tiff, 4)[0] if len(tiff) >= 8 else 0]
    read: set[int] = set()
    for start in starts:
        entries = [] if start in read else list(_entries(tiff, order, start))
        at = {place: _at(start, place) + 8 for place, (tag, *_) in enumerate(entries) if tag in SOUGHT}
        if not read:
            inner = [struct.unpack_from(f"{order}I", tiff, at[n])[0] for n in at if entries[n][0] != ORIENTATION]
            starts += inner[:MOST_HEADERS]
        read.add(start)
        yield [(n, entries[n][1:], at[n]) for n in at if entries[n][0] == ORIENTATION]


def _readings(tiff: bytes, order: str, entry: Entry) -> Iterator[float]:
    """The numbers that a viewer may take an entry for: by its type, or by its last four bytes."""
    _, (kind, count), place = entry
    raw = tiff[place : place + 4]
    yield from (raw[0], raw[3])
    for other in "<>":
        yield from (*_numbers(raw, other, "H"), *_numbers(raw, other, "I"))
    value: Any = _value(tiff, order, place, kind, count) if kind in SIZES and count else None
    if isinstance(value, str):
        yield from map(int, re.findall("[0-9]", value))
    elif value is not None:
        yield from value if isinstance(value, tuple | bytes) else (value,)


def _entries(tiff: bytes, order: str, start: int) -> Iterator[tuple[int, int, int]]:
    """Tag, type and number of values of all entries of a directory."""
    if 0 < start <= len(tiff) - 2:
        (count,) = struct.unpack_from(f"{order}H", tiff, start)
        for place in range(min(count, (len(tiff) - start - 2) // 12)):
            yield struct.unpack_from(f"{order}HHI", tiff, _at(start, place))


def _at(start: int, place: int) -> int:
    return start + 2 + 12 * place


def orientation(main: dict) -> int:
    """How a picture lies by the first directory of its EXIF, from 1 (upright) to 8."""
    value = main.get(ORIENTATION)
    return int(value) if value is not None and value in range(1, 9) else 1


def _directory(tiff: bytes, order: str, start: object) -> dict:
    found = {}
    if not isinstance(start, int) or not 0 < start <= len(tiff) - 2:
        return found
    (count,) = struct.unpack_from(f"{order}H", tiff, start)
    whole = (len(tiff) - start - 2) // 12
    for place in range(start + 2, start + 2 + 12 * min(count, MOST_ENTRIES, whole), 12):
        tag, kind, length = struct.unpack_from(f"{order}HHI", tiff, place)
        if kind in SIZES and length:
            found[tag] = _value(tiff, order, place + 8, kind, length)
    return found


def _value(tiff: bytes, order: str, place: int, kind: int, count: int) -> object:
    """What an entry holds in its last four bytes (at `place`), or where these point."""
    size = SIZES[kind] * count
    (start,) = struct.unpack_from(f"{order}I", tiff, place) if size > 4 else (place,)
    raw = tiff[start : start + size] if size <= LONGEST_VALUE else b""
    if len(raw) < size:
        return None
    if kind in BYTES:
        return raw
    if kind == TEXT:
        return raw.removesuffix(b"\0").decode("latin-1")
    values = _fractions(raw, order, FRACTIONS[kind]) if kind in FRACTIONS else _numbers(raw, order, NUMBERS[kind])
    return values[0] if count == 1 else values


def _numbers(raw: bytes, order: str, code: str) -> tuple:
    return struct.unpack(f"{order}{len(raw) // struct.calcsize(code)}{code}", raw)


def _fractions(raw: bytes, order: str, code: str) -> tuple:
    """Quotients; not a number where a denominator is zero."""
    parts = _numbers(raw, order, code)
    return tuple(top / bottom if bottom else float("nan") for top, bottom in zip(parts[::2], parts[1::2], strict=True))
