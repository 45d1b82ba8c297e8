"""What each shard gives to the files of a release that list all of it: sorted lines, in a bundle, merged as a stream.

A bundle is a tar of five files: lines of the manifest, lines of leaves (`leaves.salted`), rows of the tables of images,
of faces, and of videos.
"""

import heapq
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem
from accord.files import temporary
from accord.imaging.bundle import BundleWriter
from accord.release.seal.leaves import whole_rows

MANIFEST, LEAVES = "manifest.jsonl", "leaves.txt"
WHOLE, FACES, VIDEOS = "whole.csv", "faces.csv", "videos.csv"
TABLES = (WHOLE, FACES, VIDEOS)
CHUNK = 1 << 16
"""Bytes of each shard's file that are in memory at once. No file stays open: a process may open fewer than shards."""


def write(path: Path, files: Mapping[str, Iterable[bytes]]) -> None:
    """Write a bundle from the lines of each of its files, one file after the other."""
    with BundleWriter(path) as bundle:
        for name, lines in files.items():
            with temporary() as written:
                size = sum(written.write(line) for line in lines)
                bundle.copy(name, written, size)


def merged(paths: Sequence[Path], name: str, key: Callable[[bytes], Any] | None = None) -> Iterator[bytes]:
    """The lines of one file of all bundles, rows of the tables whole, sorted by a key (default: the line itself), as
    each is."""
    each = (lines(path, name) for path in paths)
    return heapq.merge(*map(whole_rows, each) if name in TABLES else each, key=key)


def lines(path: Path, name: str) -> Iterator[bytes]:
    """The lines of one file of a bundle, with their ends. Raises AccordError where the bundle has none of that name."""
    start, size = _place(path, name)
    left = b""
    for offset in range(start, start + size, CHUNK):
        with path.open("rb") as file:
            file.seek(offset)
            data = left + file.read(min(CHUNK, start + size - offset))
        *whole, left = data.split(b"\n")
        for line in whole:
            yield line + b"\n"
    if left:
        yield left


def _place(path: Path, name: str) -> tuple[int, int]:
    """Offset and size of a file in a bundle."""
    try:
        with tarfile.open(path, "r:") as bundle:
            member = bundle.getmember(name)
            return member.offset_data, member.size
    except (KeyError, tarfile.TarError):
        hint = "delete it and run again"
        raise AccordError(Problem(str(path), f"is not a bundle with {name}", hint)) from None
