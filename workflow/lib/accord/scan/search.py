"""Search: all patterns at once over raw bytes, at gigabytes a second (Hyperscan)."""

import base64
import re
from collections.abc import Iterator
from contextlib import suppress
from mmap import mmap
from typing import Any, NamedTuple

from accord.scan.patterns import BASE64, HEX, TEXT, Pattern

WINDOW = 64 << 20
MAX_HITS = 20_000
"""Hits in one window after which the rest of it is passed over: it is known by then to be full of them."""
AROUND = 400
PNG, JPEG, BLOB, NUMBERS, DIGEST = "png", "jpeg", "base64 blob", "numbers", "digest"
SIGNATURES = {PNG: rb"\x89PNG\r\n\x1a\n", JPEG: rb"\xff\xd8\xff"}
SIGNS = {
    BLOB: rb"[A-Za-z0-9+/_\-]{60}",
    NUMBERS: rb"[-+0-9.eE, \t\r\n]{200}",
    DIGEST: rb"[0-9a-fA-F]{64}",
}
"""What makes it worth while to look at a text with slower means."""
LEFT = rb"(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrtfb])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2}))"
RIGHT = rb"(?![0-9A-Za-z])"
LOOSE_LEFT, LOOSE_RIGHT = rb"(?<![0-9])", rb"(?![0-9])"
PACKED = (b"SQLi", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9")
"""How a database of SQLite, its log and its journal start: there the columns of a row have nothing between them."""


class Hit(NamedTuple):
    """A pattern at [start, end)."""

    start: int
    end: int
    pattern: Pattern


class Searched(NamedTuple):
    """hits: patterns found; starts: name of a signature -> where it stands; signs: which SIGNS there are; whole: no
    window had more than MAX_HITS."""

    hits: list[Hit]
    starts: dict[str, list[int]]
    signs: set[str]
    whole: bool


class Searcher:
    """Finds the patterns, the signatures of pictures, and signs of blobs."""

    def __init__(self, patterns: list[Pattern]):
        import hyperscan as hs

        self.patterns = patterns
        self._extra = [*SIGNATURES, *SIGNS]
        flags = [hs.HS_FLAG_CASELESS if p.caseless else 0 for p in patterns]
        flags += [0] * len(SIGNATURES) + [hs.HS_FLAG_SINGLEMATCH] * len(SIGNS)
        expressions = [_literal(p.data) for p in patterns] + list(SIGNATURES.values()) + list(SIGNS.values())
        self._lengths = [len(p.data) for p in patterns] + [8, 3] + [0] * len(SIGNS)
        self._overlap = max([256, *self._lengths])
        self._database = hs.Database()
        ids = list(range(len(expressions)))
        self._database.compile(expressions=expressions, ids=ids, elements=len(ids), flags=flags)

    def search(self, data: bytes | memoryview | mmap) -> Searched:
        """All that is found in bytes, a memoryview or a memory map."""
        found, view = Searched([], {name: [] for name in SIGNATURES}, set(), True), memoryview(data)
        whole, packed = True, bytes(view[:4]) in PACKED
        for first in range(0, max(1, len(view)), WINDOW):
            window = view[max(0, first - self._overlap) : first + WINDOW]
            ends = self._ends(window)
            whole &= len(ends) < MAX_HITS
            for index, end in ends:
                self._note(found, view, index, max(0, first - self._overlap) + end, packed)
        hits = sorted({(hit.start, hit.end): hit for hit in found.hits}.values(), key=lambda hit: hit[:2])
        return Searched(hits, {name: sorted(set(starts)) for name, starts in found.starts.items()}, found.signs, whole)

    def _ends(self, window: Any) -> list[tuple[int, int]]:
        """(index of an expression, end of its match) in a window, in the order of their ends."""
        ends: list[tuple[int, int]] = []

        def on_match(index: int, _start, end: int, _flags, _context) -> bool | None:
            ends.append((index, end))
            return len(ends) >= MAX_HITS or None

        import hyperscan as hs

        with suppress(hs.ScanTerminated):
            self._database.scan(window, match_event_handler=on_match)
        return ends

    def _note(self, found: Searched, view: memoryview, index: int, end: int, packed: bool) -> None:
        start = end - self._lengths[index]
        if index >= len(self.patterns):
            name = self._extra[index - len(self.patterns)]
            found.signs.add(name) if name in SIGNS else found.starts[name].append(start)
        elif stands_alone(view, start, end, self.patterns[index], packed):
            found.hits.append(Hit(start, end, self.patterns[index]))


def stands_alone(view: memoryview, start: int, end: int, pattern: Pattern, packed: bool) -> bool:
    """Whether a pattern that must be whole is so, in the text that its surroundings mean.

    `packed`: letters may stand beside it, and only digits beside a digit make it another.
    """
    if not pattern.whole:
        return True
    left, right = (LOOSE_LEFT, LOOSE_RIGHT) if packed else (LEFT, RIGHT)
    alone = re.compile(left + re.escape(pattern.whole) + right, re.IGNORECASE)
    return any(alone.search(text) for text in _meant(view, start, end, pattern.how))


def _meant(view: memoryview, start: int, end: int, how: str) -> Iterator[bytes]:
    """The texts that bytes about a match can mean."""
    if how in (BASE64, HEX):
        run = run_of(view, start, end, how)
        for shift in range(4 if how == BASE64 else 2):
            yield _decoded(run[shift:], how)
    elif how == TEXT:
        yield bytes(view[max(0, start - 6) : end + 1])
    else:
        width = 4 if "32" in how else 2
        near = bytes(view[max(0, start - 6 * width) : end + width])
        yield near[(len(near) - (end - start) - width) % width :].decode(how, "replace").encode()


def run_of(view: memoryview, start: int, end: int, how: str) -> bytes:
    """The unbroken run of characters of an alphabet about a match, at most AROUND on each side."""
    alphabet = rb"[A-Za-z0-9+/_-]*" if how == BASE64 else rb"[0-9A-Fa-f]*"
    # An alphabet that may be empty always matches.
    left = _first(alphabet, bytes(view[max(0, start - AROUND) : start])[::-1])[::-1]
    return left + bytes(view[start:end]) + _first(alphabet, bytes(view[end : end + AROUND]))


def _first(alphabet: bytes, data: bytes) -> bytes:
    found = re.match(alphabet, data)
    return found[0] if found else b""


def _decoded(run: bytes, how: str) -> bytes:
    if how == HEX:
        return bytes.fromhex(run[: len(run) // 2 * 2].decode())
    plain = run.translate(bytes.maketrans(b"-_", b"+/"))
    return base64.b64decode(plain[: len(plain) // 4 * 4])


def _literal(data: bytes) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in data)
