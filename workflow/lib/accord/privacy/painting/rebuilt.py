"""A picture rebuilt from its pixels: upright, in sRGB, without metadata."""

from typing import Any

import numpy as np

from accord.imaging import decode
from accord.imaging.bundle import Member
from accord.imaging.decode import Picture


def read(data: bytes) -> Picture:
    """The picture in a delivered file: its pixels, and what was done to get them."""
    return decode.read(data)


def file(pixels: np.ndarray) -> bytes:
    """The PNG of pixels, uint8 (H, W, 3)."""
    return decode.encode_png(pixels)


def record(row: Any, member: Member, width: int, height: int) -> dict:
    """A row of Pictures. row: of Images; member: where the file lies."""
    source = {"image": row.image, "subject": row.subject, "source_sha256": row.sha256}
    return {**source, **member._asdict(), "width": width, "height": height}
