"""Limits: how far the scan goes into what may have been made to never end."""

from collections.abc import Callable, Generator, Iterator
from time import monotonic
from typing import Any, NamedTuple

CHUNK, FED = 1 << 20, 1 << 16
"""Bytes that come out of a decompressor at once, and that go in."""


class Unopened(Exception):
    """Something could not be looked into; the text says why, without anything personal."""


class Exhausted(Unopened):
    """Nothing more of a file can be looked into."""


class Limits(NamedTuple):
    """depth: containers in containers; opened: bytes made from one file by opening it; piece: bytes of one thing in it;
    pixels: of one picture; seconds: for everything (0: no limit)."""

    depth: int = 8
    opened: int = 32 << 30
    piece: int = 1 << 30
    pixels: int = 100_000_000
    seconds: float = 0


class Budget:
    """What is left to spend on one file."""

    def __init__(self, limits: Limits, until: float):
        self.limits, self._left, self._until = limits, limits.opened, until

    def spend(self, count: int) -> None:
        """Take bytes off. Raises Unopened where they are too many at once, Exhausted where none is left, or no time."""
        if count > self.limits.piece:
            raise Unopened("a part is larger than the limit")
        self._left -= count
        if self._left < 0:
            raise Exhausted("expands to more bytes than the limit")
        if self._until and monotonic() > self._until:
            raise Exhausted("the time limit was reached")

    def gather(self, chunks: Iterator[bytes]) -> bytes:
        """The chunks in one, each paid for before the next is made."""
        made = bytearray()
        for chunk in chunks:
            self.spend(len(chunk))
            made += chunk
            if len(made) > self.limits.piece:
                raise Unopened("a part is larger than the limit")
        return bytes(made)


def inflate(decompressor: Callable, data: memoryview) -> Iterator[bytes]:
    """Chunks of what was compressed, stream after stream; ends at the first byte that is of none.

    `decompressor` makes an object such as zlib.decompressobj(); the first stream must be good, else its error goes on.
    """
    start = 0
    while start < len(data):
        worker = decompressor()
        try:
            fed = yield from _stream(worker, data[start:])
        except Exception:
            if not start:
                raise
            return
        if not worker.eof:
            return
        start += fed - len(worker.unused_data)


def _stream(worker: Any, data: memoryview) -> Generator[bytes, None, int]:
    """Chunks of the stream that data start with; returns how many bytes the decompressor was given, which are few more
    than the stream has: whatever lies behind it would be copied."""
    fed = 0
    while not worker.eof:
        piece = getattr(worker, "unconsumed_tail", b"")
        if not piece and getattr(worker, "needs_input", True):
            piece = data[fed : fed + FED]
            fed += len(piece)
        if chunk := worker.decompress(piece, CHUNK):
            yield chunk
        elif not piece and fed == len(data):
            break
    return fed
