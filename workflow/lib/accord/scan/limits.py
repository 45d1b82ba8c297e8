"""Limits: how far the scan goes into what may have been made to never end."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

CHUNK = 1 << 20


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
    rest, first = bytes(data), True
    while rest:
        worker, pending = decompressor(), rest
        try:
            while not worker.eof and (pending or not first):
                chunk = worker.decompress(pending, CHUNK)
                pending = getattr(worker, "unconsumed_tail", b"")
                if chunk:
                    yield chunk
                if not chunk and not pending:
                    break
        except Exception:
            if first:
                raise
            return
        if not worker.eof:
            return
        rest, first = worker.unused_data, False
