"""Which likely pairs of pictures hold: parts of both are one and the same, by their keypoints.

Keypoints of all pictures don't fit in memory. So those of a block of pictures are kept, as they lie in their tables,
and the tables that follow pass by, some rows at a time; each row is held against those that it is a pair with.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from accord.checks.matching.keypoints import Keypoints, Match, match, unpacked
from accord.checks.matching.stored_looks import Table, pictures

AT_ONCE, ROWS = 40_000, 500
"""Pictures of a block, and of those that pass by at once: their keypoints take 40 to 60 kB each."""
COLUMNS = ["points", "descriptors", "luma", "luma_width", "luma_scale"]


class Limits(NamedTuple):
    """The fewest keypoints that must agree on one place, and the least correlation of the pixels there."""

    inliers: int
    correlation: float


def verified(
    files: list[Path], images: np.ndarray, pairs: np.ndarray, limits: Limits
) -> list[tuple[tuple[str, str], Match]]:
    """(left, right) ids and the Match of those of the pairs that hold, sorted by their ids.

    images: sorted ids; pairs: (m, 2) positions in them, left < right; files: tables Looks that have the pictures.
    """
    shown = pictures(files, images.tolist())
    number = np.empty(len(images), np.int64)
    number[shown.places] = np.arange(len(images))
    low, high = np.sort(number[pairs], axis=1).T
    found = []
    for start in range(0, len(images), AT_ONCE):
        mine = np.flatnonzero((low >= start) & (low < start + AT_ONCE))
        mine = mine[np.lexsort([low[mine], high[mine]])]
        found += _of_block(shown.tables, number, pairs[mine], start + AT_ONCE, limits)
    return sorted(((str(images[left]), str(images[right])), made) for (left, right), made in found)


def _of_block(
    tables: list[Table], number: np.ndarray, pairs: np.ndarray, end: int, limits: Limits
) -> Iterator[tuple[tuple[int, int], Match]]:
    """Pairs that hold, of those whose first picture is in a block, which has the numbers before `end`.

    The pairs come in the order in which the tables have the later one of each.
    """
    needed = np.zeros(len(number), bool)
    needed[pairs] = True
    high, known = number[pairs].max(axis=1), {}
    for passing in (passing for table in tables for passing in _keypoints(table, needed)):
        numbers = number[[*passing]]
        both = known | passing
        some = slice(*np.searchsorted(high, [numbers[0], numbers[-1] + 1]))
        yield from _that_hold(pairs[some], both, limits)
        known |= {place: made for place, made in passing.items() if number[place] < end}


def _that_hold(
    pairs: np.ndarray, known: dict[int, Keypoints], limits: Limits
) -> Iterator[tuple[tuple[int, int], Match]]:
    for left, right in pairs.tolist():
        made = match(known[left], known[right], limits.inliers)
        if made.inliers >= limits.inliers and made.correlation >= limits.correlation:
            yield (left, right), made


def _keypoints(table: Table, needed: np.ndarray) -> Iterator[dict[int, Keypoints]]:
    """Keypoints of the needed pictures of a table by their position, some rows at a time, in the order of rows."""
    wanted = (table.places >= 0) & needed[table.places]
    start = 0
    for batch in pq.ParquetFile(table.path).iter_batches(ROWS, columns=COLUMNS) if wanted.any() else ():
        some = wanted[start : start + len(batch)]
        places = table.places[start : start + len(batch)][some].tolist()
        start += len(batch)
        if places:
            rows = batch.filter(pa.array(some)).to_pandas().itertuples()
            yield {place: unpacked(row) for place, row in zip(places, rows, strict=True)}
