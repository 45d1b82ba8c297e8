"""Pictures that look alike, among more than memory holds: their vectors lie in files without a name.

What is compared is what `looks` compares where it proposes by cells; only short vectors, for the proposals, are in
memory. Proposals are compared by longer ones of the same kind, the best of them by whole ones. Numbers are of 16 bits,
in the files and in memory: cosines are right to 1e-5. The files are gone with the process, however that ends.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from accord.checks.matching import cells
from accord.checks.matching.stored_vectors import Store
from accord.engine.table_files import each, opened, readable
from accord.statistics.distinct import distinct, distinct_pairs

ASKING, HELD = 10_000, 500
"""Pictures for which others are proposed at once, and which are held against these by whole vectors at once."""
ROWS = 1000
"""Rows of a table that are in memory at once."""
FEW = 16
"""Tables from which is learnt what short vectors keep."""
LONGER, KEPT = 256, 4
"""Numbers of a longer vector; times as many as are wanted that are compared by whole ones."""


class Proposing(NamedTuple):
    """Numbers of a short vector; times as many parts as pictures are wanted that are proposed to a whole one, and four
    times as many as whole ones to a part: cosines of short vectors are not exact; the fewest cells of parts, and
    vectors in them, that a whole one is held against, and twice and four times those of wholes that a part is."""

    short: int
    wider: int
    probes: int
    compared: int


class Table(NamedTuple):
    """A table Looks: its file, and the position among all pictures of each of its rows, -1 where it isn't wanted."""

    path: Path
    places: np.ndarray

    def vectors(self) -> Iterator[np.ndarray]:
        """(n, regions * d) vectors of the wanted pictures, in the order of rows."""
        start = 0
        with readable(self.path):
            for batch in opened(self.path).iter_batches(ROWS, columns=["vector"]):
                wanted = self.places[start : start + len(batch)] >= 0
                start += len(batch)
                if wanted.any():
                    values = sound(batch.column("vector").flatten().to_numpy(zero_copy_only=False), len(batch))
                    yield values if wanted.all() else values[wanted]


class Pictures(NamedTuple):
    """The ids of all wanted pictures, sorted; the tables that have them."""

    images: np.ndarray
    tables: list[Table]

    @property
    def places(self) -> np.ndarray:
        """The position of each picture, as they lie in the tables: their numbers."""
        places = np.concatenate([table.places for table in self.tables])
        return places[places >= 0]


def pictures(paths: list[Path], wanted: list[str]) -> Pictures:
    """Which of the wanted pictures are in the tables Looks, and where."""
    found = each(paths, names)
    every = pa.concat_arrays([pa.array([], pa.string()), *found])
    images = every.filter(pc.is_in(every, pa.array(wanted, pa.string())))
    images = images.take(pc.array_sort_indices(images))
    places = pc.fill_null(pc.index_in(every, images), -1).to_numpy(zero_copy_only=False)
    edges = np.cumsum([len(one) for one in found])[:-1]
    tables = [Table(path, held) for path, held in zip(paths, np.split(places, edges), strict=True)]
    return Pictures(np.array(images.to_pylist(), dtype=str), tables)


def sound(values: np.ndarray, rows: int) -> np.ndarray:
    """The vectors of a column, (rows, regions * d). ValueError: they are of different lengths, or not of numbers."""
    vectors = values.reshape(rows, -1)
    if not np.isfinite(vectors.sum(axis=1)).all():
        raise ValueError("vectors have something else than numbers")
    return vectors


def names(path: Path) -> pa.Array:
    """The ids of all images of a table Looks, in the order of rows."""
    with readable(path):
        return opened(path).read(columns=["image"])["image"].combine_chunks()


def likely_pairs(shown: Pictures, regions: int, most: int, least: float, how: Proposing) -> np.ndarray:
    """(m, 2) int64 positions, left < right, sorted, as `looks.likely_pairs` has them by cells."""
    if not len(shown.images):
        return np.empty((0, 2), np.int64)
    places, found = shown.places, [np.empty((0, 2), np.int64)]
    with closing(Store()) as longer, closing(Store()) as whole:
        short = _read(shown, longer, whole, regions, how.short)
        for pairs in _proposed(short, regions, most, how):
            near = _nearest(longer, places, pairs, KEPT * most, -1)
            found.append(np.sort(places[_nearest(whole, places, near, most, least)], axis=1))
    return distinct_pairs(np.concatenate(found))


def _read(shown: Pictures, longer: Store, whole: Store, regions: int, length: int) -> list[np.ndarray]:
    """[(n * regions, length) short int16 vectors by number]; longer and whole ones go to the stores."""
    axes = _axes(shown, regions)
    found = np.empty((len(shown.images) * regions, min(length, axes.shape[1])), np.int16)
    start = 0
    for vectors in (vectors for table in shown.tables for vectors in table.vectors()):
        made = cells.whole_numbers(vectors.reshape(len(vectors) * regions, -1) @ axes)
        found[start : start + len(made)] = made[:, :length]
        longer.add(made.reshape(len(vectors), regions, -1))
        whole.add(cells.whole_numbers(vectors).reshape(len(vectors), regions, -1))
        start += len(made)
    return [found]


def _axes(shown: Pictures, regions: int) -> np.ndarray:
    """What longer vectors keep, and in their first numbers short ones; learnt from some in tables that lie apart."""
    held = [table for table in shown.tables if (table.places >= 0).any()]
    held = held[:: max(len(held) // FEW, 1)]
    each = -(-2 * cells.BLOCK // (regions * len(held)))
    first = (next(table.vectors()) for table in held)
    some = np.concatenate([rows[:: max(len(rows) // each, 1)][:each].copy() for rows in first])
    return cells.shorter(some.reshape(len(some) * regions, -1), min(LONGER, some.shape[1] // regions))


def _proposed(short: list[np.ndarray], regions: int, most: int, how: Proposing) -> Iterator[np.ndarray]:
    """(m, 2) numbers of HELD pictures at a time and of those that short vectors propose to them.

    The list is emptied: its vectors are needed in the order of cells alone.
    """
    own = np.ascontiguousarray(short[0][::regions])
    wholes, parts = cells.build(own, in_place=True), cells.build(short.pop(), in_place=True)
    probes = _probes(parts, how.probes, how.compared), _probes(wholes, how.probes // 2, how.compared // 4)
    lies = np.empty(len(parts.order), np.int32)
    lies[parts.order] = np.arange(len(lies), dtype=np.int32)
    for start in range(0, len(wholes.order), ASKING):
        rows = wholes.order[start : start + ASKING]
        mine = parts.vectors[lies[rows[:, None] * regions + np.arange(regions)]]
        near, _ = cells.proposals(parts, mine[:, 0], how.wider * most, probes[0])
        whole, _ = cells.proposals(wholes, mine.reshape(-1, mine.shape[-1]), how.wider * most // 4, probes[1])
        others = np.concatenate([near // regions, whole.reshape(len(rows), -1)], axis=1)
        for first in range(0, len(rows), HELD):
            asking, some = rows[first : first + HELD], others[first : first + HELD]
            line, place = np.nonzero((some >= 0) & (some != asking[:, None]))
            code = distinct(line * len(lies) + some[line, place])
            yield np.stack([asking[code // len(lies)], code % len(lies)], axis=1)


def _probes(among: cells.Cells, least: int, vectors: int) -> int:
    """The number of cells that have so many vectors together, if they are of a size; no fewer than `least`."""
    return max(least, -(-vectors * len(among.centres) // max(len(among.order), 1)))


def _nearest(store: Store, places: np.ndarray, pairs: np.ndarray, most: int, least: float) -> np.ndarray:
    """Those of the pairs (numbers) of a picture with the `most` nearest of the others proposed to it.

    Pairs of one picture lie next to each other.
    """
    numbers = distinct(pairs)
    held, found = store.get(numbers), [np.empty((0, 2), np.int64)]
    edges = np.flatnonzero(np.r_[True, np.diff(pairs[:, 0]) != 0, True]) if len(pairs) else []
    unit = np.float32(1 / cells.UNIT)
    for first, last in pairwise(edges):
        mine = held[np.searchsorted(numbers, pairs[first, 0])] * unit
        seen = held[np.searchsorted(numbers, pairs[first:last, 1])] * unit
        alike = np.maximum((seen @ mine[0]).max(axis=1), (seen[:, 0] @ mine.T).max(axis=1))
        best = np.lexsort([places[pairs[first:last, 1]], -alike])[:most]
        found.append(pairs[first:last][best[alike[best] >= least]])
    return np.concatenate(found)
