"""EXIF of untrusted files, as typed values. Whatever can't be read is left out."""

import math
from datetime import datetime
from typing import Any, NamedTuple

from accord.imaging.formats import exif_block
from accord.intake.delivered.plain import plain

LONGEST_TEXT = 64
EXIF_IFD, GPS_IFD = 0x8769, 0x8825
MAKE, MODEL, SOFTWARE, ORIENTATION, DATE_TIME = 0x010F, 0x0110, 0x0131, 0x0112, 0x0132
EXPOSURE_TIME, F_NUMBER, ISO, DATE_TIME_ORIGINAL = 0x829A, 0x829D, 0x8827, 0x9003
SHUTTER_SPEED, APERTURE, FOCAL_LENGTH = 0x9201, 0x9202, 0x920A
UPRIGHT = 1


class Exif(NamedTuple):
    """What a picture's EXIF says. Aperture and shutter speed: APEX units; focal length: mm; GPS: degrees.

    `captured_at`: ISO 8601 local time without zone, "" where unknown; figures are NaN where unknown.
    """

    has_exif: bool = False
    orientation: int = UPRIGHT
    manufacturer: str = ""
    model: str = ""
    software: str = ""
    captured_at: str = ""
    aperture_value: float = math.nan
    focal_length: float = math.nan
    iso_speed_ratings: float = math.nan
    shutter_speed_value: float = math.nan
    gps_latitude: float = math.nan
    gps_longitude: float = math.nan


def parse(block: bytes) -> Exif:
    """The EXIF in the bytes of an EXIF segment, with or without its `Exif` prefix; none where they are malformed."""
    main, photo, gps = exif_block.read(block)
    return _typed(main, photo, gps) if main or photo or gps else Exif()


def _typed(main: dict, photo: dict, gps: dict) -> Exif:
    aperture = _number(photo.get(APERTURE), 0, 32)
    shutter = _number(photo.get(SHUTTER_SPEED), -32, 32)
    return Exif(
        has_exif=True,
        orientation=exif_block.orientation(main),
        manufacturer=_text(main.get(MAKE)),
        model=_text(main.get(MODEL)),
        software=_text(main.get(SOFTWARE)),
        captured_at=_time(photo.get(DATE_TIME_ORIGINAL)) or _time(main.get(DATE_TIME)),
        aperture_value=_apex(photo.get(F_NUMBER), 2) if math.isnan(aperture) else aperture,
        focal_length=_number(photo.get(FOCAL_LENGTH), 0, 10_000),
        iso_speed_ratings=_number(photo.get(ISO), 1, 10_000_000),
        shutter_speed_value=_apex(photo.get(EXPOSURE_TIME), -1) if math.isnan(shutter) else shutter,
        gps_latitude=_degrees(gps.get(2), gps.get(1), "S", 90),
        gps_longitude=_degrees(gps.get(4), gps.get(3), "W", 180),
    )


def _number(value: Any, low: float, high: float) -> float:
    """A finite number in [low, high]; of several, the first; NaN for anything else."""
    if isinstance(value, tuple | list) and value:
        value = value[0]
    try:
        number = float(value)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return math.nan
    return number if low <= number <= high else math.nan


def _apex(value: object, factor: int) -> float:
    """factor * log2(value): APEX aperture from the f-number (2), APEX shutter speed from the exposure time, s (-1)."""
    number = _number(value, 1e-9, 1e9)
    return math.nan if math.isnan(number) else factor * math.log2(number)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        value = value.decode("ascii", "ignore")
    if not isinstance(value, str):
        return ""
    return plain(value, LONGEST_TEXT)


def _time(value: object) -> str:
    try:
        return datetime.strptime(_text(value), "%Y:%m:%d %H:%M:%S").isoformat()
    except ValueError:
        return ""


def _degrees(parts: object, side: object, negative: str, most: float) -> float:
    """Degrees from (degrees, minutes, seconds) and a side (N, S, E, W)."""
    if not isinstance(parts, tuple | list) or len(parts) != 3 or not _text(side):
        return math.nan
    whole, minutes, seconds = (_number(part, 0, most) for part in parts)
    degrees = whole + minutes / 60 + seconds / 3600
    return math.nan if not degrees <= most else (-degrees if _text(side).upper() == negative else degrees)
