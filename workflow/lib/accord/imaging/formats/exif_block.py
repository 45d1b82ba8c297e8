"""The few values of an EXIF block that are asked for, read within bounds.

Pillow copies all that a directory points at, and 64 KiB in which 2,000 entries point at the same 32 KiB become
gigabytes of numbers. Here long values are left alone.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

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
    once, as one SHORT, among the first MOST_ENTRIES of the first directory.

    Some read LONG and bytes as well, or the directory of the photograph; of two, some take the first. What no viewer
    heeds is the directory of the preview.
    """
    tiff = block.removeprefix(PREFIX)
    order = ORDERS.get(tiff[:4])
    if order is None or len(tiff) < 8:
        return len(tiff) > 0 and (_mentions(tiff) or len(tiff) > MAX_BYTES)
    if len(tiff) > MAX_BYTES:
        return True
    start = int.from_bytes(tiff[4:8], "little" if order == "<" else "big")
    main = list(_entries(tiff, order, start))
    told = [(place, kind, length) for place, (tag, kind, length) in enumerate(main) if tag == ORIENTATION]
    others = [
        struct.unpack_from(f"{order}I", tiff, _at(start, place) + 8)[0]
        for place, (tag, *_) in enumerate(main)
        if tag in (PHOTO, GPS)
    ]
    inner = any(tag == ORIENTATION for other in others for tag, *_ in _entries(tiff, order, other))
    usual = not told or (
        tiff[:4] in WELL_FORMED and len(told) == 1 and told[0][0] < MOST_ENTRIES and told[0][1:] == SHORT_ONCE
    )
    return inner or not usual


def _mentions(data: bytes) -> bool:
    """Whether there is a TIFF header anywhere in some bytes."""
    return any(order in data for order in ORDERS)


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
