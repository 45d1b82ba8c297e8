"""Documents: PDF streams, and base64 blobs in any text (data URIs, notebooks, e-mail, JSON)."""

import base64
import re
import struct
import zlib
from collections.abc import Iterator

import numpy as np

from accord.scan.limits import Budget, inflate
from accord.scan.parts import Inside, Part, Picture

ABOUT = 2_000
NUMBER = rb"/%s\s+(\d+)"
PNG_PREDICTOR = 10
LINE, BREAK = rb"[A-Za-z0-9+/_-]{60,}", rb"(?:\r?\n|(?:\\r)?\\n)"
BLOB = re.compile(LINE + b"(?:" + BREAK + LINE + b")*(?:" + BREAK + rb"[A-Za-z0-9+/_-]+)?={0,2}")
BREAKS = re.compile(rb"\\r|\\n|[\r\n=]")


def is_pdf(data: memoryview) -> bool:
    return b"%PDF-" in bytes(data[:1024])


def pdf(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """The streams of a PDF, inflated, and pictures that are stored as plain pixels."""
    whole = bytes(data)
    for number, found in enumerate(re.finditer(rb"stream\r?\n", whole)):
        if whole[max(0, found.start() - 3) : found.start()] == b"end":
            continue
        about = whole[max(0, found.start() - ABOUT) : found.start()].rpartition(b" obj")[2]
        stop = whole.find(b"endstream", found.end())
        content = memoryview(whole)[found.end() : stop if stop >= 0 else len(whole)]
        yield from _stream(f"stream {number}", about, content, budget)


def _stream(name: str, about: bytes, content: memoryview, budget: Budget) -> Iterator[Inside]:
    if b"FlateDecode" not in about:
        yield Part(name, content)
        return
    try:
        plain = budget.gather(inflate(zlib.decompressobj, content))
    except zlib.error:
        return
    yield Part(name, memoryview(plain))
    width, height, bits = (_number(about, key) for key in (b"Width", b"Height", b"BitsPerComponent"))
    if not (width and height and bits == 8 and width * height <= budget.limits.pixels):
        return
    for channels in (3, 1):
        if _number(about, b"Predictor") >= PNG_PREDICTOR and len(plain) == height * (width * channels + 1):
            yield Part(name, memoryview(_png(width, height, channels, plain)))
        elif len(plain) == height * width * channels:
            pixels = np.frombuffer(plain, np.uint8).reshape(height, width, channels)
            yield Picture(name, np.ascontiguousarray(np.broadcast_to(pixels, (height, width, 3))))


def _number(about: bytes, key: bytes) -> int:
    found = re.search(NUMBER % key, about)
    return int(found[1][:9]) if found else 0


def _png(width: int, height: int, channels: int, filtered: bytes) -> bytes:
    """A PNG of rows that are filtered as PNG's are already: PDF took its predictors from there."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(filtered, 1)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def blobs(data: memoryview, budget: Budget) -> Iterator[Part]:
    """What runs of 60 and more base64 characters mean, in either alphabet, also over several lines."""
    for found in BLOB.finditer(data):
        plain = BREAKS.sub(b"", found[0]).translate(bytes.maketrans(b"-_", b"+/"))
        content = base64.b64decode(plain + b"A" * (-len(plain) % 4))
        budget.spend(len(content))
        yield Part("base64", memoryview(content))
