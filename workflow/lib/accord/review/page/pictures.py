"""The pictures that reviewers look at: found by image in bundles of the results, decoded within bounds.

What is asked for is a source and an image's id, looked up in the results' tables: no path ever comes from a request.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow
import pyarrow.parquet as pq

from accord.imaging import bundle, decode

BEFORE, AFTER, FACE, RELEASED, FILM = "before", "after", "face", "released", "film"
"""As it was delivered; as privacy made it; a face that was cut out of a video; a picture of an archive; a video as
privacy painted it, which is the only one there is: no request finds a video as it was delivered."""
TABLES = {
    BEFORE: "intake/*/images.parquet",
    AFTER: "privacy/*/painted.parquet",
    FACE: "evaluate/*/skin_faces.parquet",
    RELEASED: "release/*/derivatives.parquet",
    FILM: "privacy/*/videos.parquet",
}
BUNDLES = {
    BEFORE: "images.tar",
    AFTER: "images.tar",
    FACE: "video_faces.tar",
    RELEASED: "files.tar",
    FILM: "videos.tar",
}
COLUMNS = ["image", "member", "offset", "size", "sha256", "width", "height"]
ORIENTATION = "orientation"
LOOK_AGAIN = 1.0
"""Seconds between two looks at whether the results were made anew."""
THUMB, VIEW, FULL = 640, 1600, 6000
"""Longest side, px: of one of many pictures on a screen, of one that fits it, and of one to look at closely."""
QUALITY = {THUMB: (80, "420"), VIEW: (85, "420"), FULL: (92, "444")}
"""Of JPEG: quality, and how colours are sampled."""


class Place(NamedTuple):
    """Where a picture lies: a member of a bundle. width and height: px, upright."""

    bundle: Path
    member: str
    offset: int
    size: int
    sha256: str
    width: int
    height: int


class Part(NamedTuple):
    """The table of one shard, in order of its images. `stamp`: of the file that it was read from."""

    stamp: tuple[int, int, int]
    images: np.ndarray
    rows: pyarrow.Table


class Pictures:
    """All pictures of a run's results. A result that is made anew is noticed and read again."""

    def __init__(self, results: Path, clock: Callable[[], float] = time.monotonic):
        self._results, self._clock, self._looked = results, clock, float("-inf")
        self._parts: dict[tuple[str, Path], Part] = {}
        self._lock = threading.Lock()
        self.refresh()

    def find(self, source: str, image: str) -> Place | None:
        """Where the picture of an image lies, in one of TABLES; None where there is none."""
        self._look()
        for (of, table), part in self._parts.items():
            at = int(np.searchsorted(part.images, image)) if of == source else len(part.images)
            if at < len(part.images) and part.images[at] == image:
                row = {name: column[0] for name, column in part.rows.slice(at, 1).to_pydict().items()}
                return _place(table.with_name(BUNDLES[source]), row)
        return None

    def refresh(self) -> None:
        """Read the tables that are new or changed since they were read; forget those that are gone."""
        found = {(source, file) for source, pattern in TABLES.items() for file in self._results.glob(pattern)}
        parts = {key: _part(key[1], self._parts.get(key)) for key in sorted(found)}
        self._parts = {key: part for key, part in parts.items() if part is not None}

    def _look(self) -> None:
        with self._lock:
            if self._clock() - self._looked >= LOOK_AGAIN:
                self.refresh()
                self._looked = self._clock()


def rendered(place: Place, side: int) -> bytes:
    """A picture to be looked at: JPEG, upright, its longest side about `side` px, pixels alone.

    Raises AccordError where the bundle was changed, or the picture can't be decoded within bounds.
    """
    data = bundle.content(place.bundle, place)
    with ThreadPoolExecutor(1) as beside:  # the digest of a photograph takes a fifth of the time of decoding it
        checked = beside.submit(bundle.check, place.bundle, place, data)
        try:
            return encoded(decode.reduced(data, side), *QUALITY[side])
        finally:
            checked.result()  # a changed bundle is what is told, whatever became of the picture


def encoded(pixels: np.ndarray, quality: int, sampling: str = "444") -> bytes:
    """A JPEG of the pixels and nothing else: (height, width, 3) uint8 RGB."""
    import simplejpeg

    return simplejpeg.encode_jpeg(np.ascontiguousarray(pixels), quality=quality, colorsubsampling=sampling)


def _part(file: Path, known: Part | None) -> Part | None:
    try:
        status = file.stat()
        stamp = status.st_mtime_ns, status.st_size, status.st_ino
        if known is not None and known.stamp == stamp:
            return known
        names = set(pq.read_schema(file).names)
        table = pq.read_table(file, columns=[*COLUMNS, *({ORIENTATION} & names)], partitioning=None)
    except (OSError, pyarrow.ArrowException, KeyError):
        return None  # it is gone or being made anew: so are its pictures, until it is there again
    table = table.sort_by("image")
    return Part(stamp, np.array(table["image"].to_pylist(), dtype=np.str_), table)


def _place(file: Path, row: dict) -> Place:
    sides = row["width"], row["height"]
    width, height = decode.upright_size(*sides, row.get(ORIENTATION, 1))
    return Place(file, row["member"], row["offset"], row["size"], row["sha256"], width, height)
