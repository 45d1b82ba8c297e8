"""ICC profiles (ICC.1:2001-04) made for tests: of a matrix and a curve, of greys, and of inks."""

import struct

import numpy as np

D50 = (0.9642, 1.0, 0.8249)
SRGB = ((0.4360, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141))
DISPLAY_P3 = ((0.5151, 0.2412, -0.0011), (0.2919, 0.6922, 0.0419), (0.1572, 0.0666, 0.7841))
"""XYZ of red, green and blue, adapted to D50."""


def of_matrix(colorants=DISPLAY_P3) -> bytes:
    """A profile of RGB with the colorants and sRGB's curve."""
    curve = _curve(_linear(np.arange(1024) / 1023))
    tags = {name: _xyz(xyz) for name, xyz in zip((b"rXYZ", b"gXYZ", b"bXYZ"), colorants, strict=True)}
    return _profile(b"RGB ", {**tags, **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve)})


def of_greys(gamma: float = 1.8) -> bytes:
    """A profile of greys with a gamma."""
    return _profile(b"GRAY", {b"kTRC": _curve((np.arange(1024) / 1023) ** gamma)})


def of_inks() -> bytes:
    """A profile of CMYK in which black is what lies on the paper alone, and other inks are not seen."""
    corners = [(0 if black else 255, 128, 128) for _ in range(8) for black in (0, 1)]
    table = b"mft1" + bytes(4) + bytes((4, 3, 2, 0)) + struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    table += bytes(range(256)) * 4 + bytes(value for corner in corners for value in corner) + bytes(range(256)) * 3
    return _profile(b"CMYK", {b"A2B0": table}, b"Lab ", b"prtr")


def p3_to_srgb(pixels: np.ndarray) -> np.ndarray:
    """Pixels of Display P3, uint8 (..., 3), as sRGB by arithmetic: what a profile's conversion must give."""
    linear = _linear(pixels / 255) @ np.array(DISPLAY_P3) @ np.linalg.inv(np.array(SRGB))
    inside = np.clip(linear, 0, 1)
    encoded = np.where(inside <= 0.0031308, 12.92 * inside, 1.055 * inside ** (1 / 2.4) - 0.055)
    return np.rint(255 * encoded).astype(int)


def _linear(values: np.ndarray) -> np.ndarray:
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _profile(space: bytes, tags: dict[bytes, bytes], pcs: bytes = b"XYZ ", kind: bytes = b"mntr") -> bytes:
    tags = {b"desc": _description(b"test"), b"wtpt": _xyz(D50), **tags}
    at, table, body = 128 + 4 + 12 * len(tags), struct.pack(">I", len(tags)), b""
    for name, content in tags.items():
        table += struct.pack(">4sII", name, at + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"lcms", 0x02400000, kind, space, pcs) + bytes(12) + b"acsp"
    head = head.ljust(68, b"\0") + _xyz(D50)[8:]
    return head.ljust(128, b"\0") + table + body


def _xyz(values) -> bytes:
    return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(65536 * value) for value in values))


def _curve(values: np.ndarray) -> bytes:
    return b"curv" + struct.pack(">II", 0, len(values)) + np.rint(values * 65535).astype(">u2").tobytes()


def _description(text: bytes) -> bytes:
    return b"desc" + struct.pack(">II", 0, len(text) + 1) + text + bytes(1 + 4 + 4 + 2 + 1 + 67)
