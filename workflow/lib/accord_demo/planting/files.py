"""Files made from a whole JPEG: copies that look alike, and files that are broken or are something else.

Each function takes the original's bytes and the EXIF block of the copy, and returns the new file's bytes. `MOVED`
tells where the pixels of a copy have gone. Re-encoding makes a picture a little smaller, as messengers do.
"""

import io
import struct
import zlib
from collections.abc import Callable
from typing import NamedTuple

BOMB_SIDE = 40_000
JPEG_MAGIC = b"\xff\xd8\xff"


class Move(NamedTuple):
    """Where pixels have gone: coordinates times `scale`, after `cut` (a share of each side) was cut off all around.

    A negative cut is a frame put around.
    """

    scale: float = 1.0
    cut: float = 0.0


MOVED = {
    "re_encoded": Move(scale=0.96),
    "resized": Move(scale=0.75),
    "cropped_1": Move(cut=0.005),
    "cropped_5": Move(cut=0.025),
    "cropped_30": Move(cut=0.15),
    "framed": Move(scale=0.6, cut=-0.3),
}


def made(how: str, data: bytes, exif: bytes) -> bytes:
    """The file that `how` makes of a JPEG. Raises KeyError for an unknown way."""
    return MAKERS[how](data, exif)


def size_after(how: str, width: int, height: int) -> tuple[int, int]:
    """Width and height of a picture, px, after it was copied in a way."""
    move = MOVED.get(how, Move())
    left, top = round(width * move.cut), round(height * move.cut)
    return round((width - 2 * left) * move.scale), round((height - 2 * top) * move.scale)


def _identical(data: bytes, exif: bytes) -> bytes:
    return data


def _scaled(how: str, quality: int) -> Callable[[bytes, bytes], bytes]:
    def scale(data: bytes, exif: bytes) -> bytes:
        from PIL import Image

        image = _stored(data)
        return _jpeg(image.resize(size_after(how, *image.size), Image.Resampling.LANCZOS), quality, exif)

    return scale


def _cropped(how: str) -> Callable[[bytes, bytes], bytes]:
    def crop(data: bytes, exif: bytes) -> bytes:
        from PIL import Image

        image = _stored(data)
        left, top = (round(side * MOVED[how].cut) for side in image.size)
        cut = image.crop((left, top, image.width - left, image.height - top))
        size = size_after(how, *image.size)
        return _jpeg(cut if cut.size == size else cut.resize(size, Image.Resampling.LANCZOS), 85, exif)

    return crop


def _truncated(data: bytes, exif: bytes) -> bytes:
    return data[: len(data) // 2]


def _corrupt(data: bytes, exif: bytes) -> bytes:
    """Whole in length and header, but the Huffman tables, without which nothing can be decoded, are overwritten."""
    broken = bytearray(data)
    start = data.index(b"\xff\xc4", _end_of_exif(data))
    broken[start + 4 : start + 21] = b"\xff" * 17
    return bytes(broken)


def _header_broken(data: bytes, exif: bytes) -> bytes:
    """JPEG by its first bytes; the rest of what should be the header is noise."""
    return JPEG_MAGIC + bytes((i * 151 + 7) % 255 for i in range(4096))


def _png(data: bytes, exif: bytes) -> bytes:
    from PIL import Image

    image, buffer = _stored(data), io.BytesIO()
    small = image.resize((image.width // 2, image.height // 2), Image.Resampling.BOX)
    small.save(buffer, "PNG", optimize=True, exif=exif)
    return buffer.getvalue()


def _text(data: bytes, exif: bytes) -> bytes:
    return b"This is a note and no photograph.\n"


def _bomb(data: bytes, exif: bytes) -> bytes:
    """A PNG of a few hundred kB, valid to its last byte, that inflates to 1.6 gigapixels."""
    pack = zlib.compressobj(9)
    row = bytes(1 + BOMB_SIDE // 8)
    packed = b"".join(pack.compress(row) for _ in range(BOMB_SIDE)) + pack.flush()
    header = struct.pack(">IIBBBBB", BOMB_SIDE, BOMB_SIDE, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


MAKERS: dict[str, Callable[[bytes, bytes], bytes]] = {
    "identical": _identical, "re_encoded": _scaled("re_encoded", 60), "resized": _scaled("resized", 85),
    "cropped_1": _cropped("cropped_1"), "cropped_5": _cropped("cropped_5"),
    "cropped_30": _cropped("cropped_30"), "framed": _cropped("framed"), "truncated": _truncated,
    "corrupt": _corrupt, "header_broken": _header_broken, "png": _png, "text": _text, "bomb": _bomb,
}  # fmt: skip


def _stored(data: bytes):
    """The picture as it is stored: the orientation stays with the EXIF block."""
    from PIL import Image

    return Image.open(io.BytesIO(data)).convert("RGB")


def _jpeg(image, quality: int, exif: bytes) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality, optimize=True, **({"exif": exif} if exif else {}))
    return buffer.getvalue()


def _end_of_exif(data: bytes) -> int:
    """Where the first table of a JPEG starts, after its APP segments."""
    at = 2
    while data[at + 1] & 0xF0 == 0xE0:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at
