"""Pictures that look alike, among more than memory holds: their vectors lie in a file without a name, in cell order.

What is compared is what `looks` compares where it proposes by cells; only short vectors, for the proposals, are in
memory. The file is gone with the process, however that ends.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from accord.checks.matching import cells

AT_ONCE = 10_000
"""Pictures of which whole vectors (26 kB each) are in memory at once, twice."""
FEW = 16
"""Tables from which is learnt what short vectors keep."""


class Proposing(NamedTuple):
    """Numbers of a short vector; proposals wanted among parts and among whole pictures; cells that each is held
    against."""

    short: int
    parts: int
    wholes: int
    probes: int


class Table(NamedTuple):
    """A table Looks: its file, and the position among all pictures of each of its rows, -1 where it isn't wanted."""

    path: Path
    places: np.ndarray

    def vectors(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the wanted pictures, and their (n, regions * d) vectors."""
        column = pq.read_table(self.path, columns=["vector"], partitioning=None)["vector"].combine_chunks()
        values = column.flatten().to_numpy(zero_copy_only=False).reshape(len(self.places), -1)
        wanted = self.places >= 0
        return self.places[wanted], values[wanted]


class Pictures(NamedTuple):
    """The ids of all wanted pictures, sorted; the tables that have them."""

    images: np.ndarray
    tables: list[Table]


class Store:
    """Vectors of pictures in a file without a name, (regions, d) float32 each, by their number there."""

    def __init__(self, regions: int, width: int):
        self._file = TemporaryFile()  # noqa: SIM115
        self._shape = (regions, width // regions)
        self._size = 4 * width

    def put(self, places: np.ndarray, vectors: np.ndarray) -> None:
        """Write vectors of pictures to their places."""
        for place, vector in zip(places.tolist(), np.ascontiguousarray(vectors, "<f4"), strict=True):
            os.pwrite(self._file.fileno(), vector, place * self._size)

    def get(self, places: np.ndarray) -> np.ndarray:
        """(n, regions, d) vectors at sorted places."""
        found = np.empty((len(places), *self._shape), "<f4")
        starts = np.flatnonzero(np.r_[True, np.diff(places) != 1])
        for first, last in zip(starts, [*starts[1:], len(places)], strict=True):
            os.preadv(self._file.fileno(), [found[first:last].data], int(places[first]) * self._size)
        return found

    def close(self) -> None:
        """Give the file up."""
        self._file.close()


def pictures(paths: list[Path], wanted: list[str]) -> Pictures:
    """Which of the wanted pictures are in the tables Looks, and where."""
    ids, tables = pa.array(sorted(wanted), pa.string()), []
    found = [pq.read_table(path, columns=["image"], partitioning=None)["image"].combine_chunks() for path in paths]
    every = pa.concat_arrays([pa.array([], pa.string()), *found])
    images = ids.filter(pc.is_in(ids, every))
    places = pc.fill_null(pc.index_in(every, images), -1).to_numpy(zero_copy_only=False)
    for path, held in zip(paths, np.split(places, np.cumsum([len(one) for one in found]))[:-1], strict=True):
        tables.append(Table(path, held))
    return Pictures(np.array(images.to_pylist(), dtype=str), tables)


def likely_pairs(shown: Pictures, regions: int, most: int, least: float, how: Proposing) -> np.ndarray:
    """(m, 2) int64 positions, left < right, sorted, as `looks.likely_pairs` has them by cells."""
    if not len(shown.images):
        return np.empty((0, 2), np.int64)
    width = len(next(table.vectors()[1] for table in shown.tables if (table.places >= 0).any())[0])
    short = _short(shown, regions, width, how.short)
    wholes, parts = cells.build(np.ascontiguousarray(short[::regions])), cells.build(short)
    del short
    lies = np.argsort(parts.order)
    rank = np.argsort(wholes.order)
    store = Store(regions, width)
    try:
        for table in shown.tables:
            places, vectors = table.vectors()
            store.put(rank[places], vectors)
        found = [np.empty((0, 2), np.int64)]
        for start in range(0, len(rank), AT_ONCE):
            rows = wholes.order[start : start + AT_ONCE]
            mine = parts.vectors[lies[rows[:, None] * regions + np.arange(regions)]]
            near, _ = cells.proposals(parts, mine[:, 0], how.parts, how.probes)
            whole, _ = cells.proposals(wholes, mine.reshape(-1, mine.shape[-1]), how.wholes, how.probes)
            others = np.concatenate([np.where(near < 0, -1, near // regions), whole.reshape(len(rows), -1)], axis=1)
            found.append(np.unique(_nearest(store, rank, rows, others, most, least), axis=0))
    finally:
        store.close()
    return np.unique(np.concatenate(found), axis=0)


def _short(shown: Pictures, regions: int, width: int, length: int) -> np.ndarray:
    """(n * regions, length) short vectors. What they keep is learnt from tables that lie far apart."""
    some, count = [], 0
    for table in shown.tables[:: max(len(shown.tables) // FEW, 1)]:
        some.append(table.vectors()[1].reshape(-1, width // regions))
        count += len(some[-1])
        if count >= 2 * cells.BLOCK:
            break
    axes = cells.shorter(np.concatenate(some), min(length, width // regions))
    found = np.empty((len(shown.images), regions, axes.shape[1]), np.float32)
    for table in shown.tables:
        places, vectors = table.vectors()
        found[places] = (vectors.reshape(-1, width // regions) @ axes).reshape(len(places), regions, axes.shape[1])
    return found.reshape(-1, axes.shape[1])


def _nearest(
    store: Store, rank: np.ndarray, rows: np.ndarray, others: np.ndarray, most: int, least: float
) -> np.ndarray:
    """Pairs of pictures (`rows`) with the `most` nearest of the others proposed to each, by exact cosines."""
    asking = np.repeat(np.arange(len(rows)), others.shape[1])
    asked = others.ravel()
    real = (asked >= 0) & (asked != rows[asking])
    code = np.unique(asking[real] * len(rank) + rank[asked[real]])
    asking, place = code // len(rank), code % len(rank)
    alike = np.empty(len(code), np.float32)
    own = store.get(rank[rows])
    for some, held in _blocks(store, place):
        at = np.searchsorted(held[0], place[some])
        for first, last in _runs(asking[some]):
            seen, mine = held[1][at[first:last]], own[asking[some[first]]]
            alike[some[first:last]] = np.maximum((seen @ mine[0]).max(axis=1), (seen[:, 0] @ mine.T).max(axis=1))
    picture = np.empty(len(rank), np.int64)
    picture[rank] = np.arange(len(rank))
    order = np.lexsort([picture[place], -alike, asking])
    starts = np.searchsorted(asking[order], asking[order])
    best = order[(np.arange(len(order)) - starts < most) & (alike[order] >= least)]
    return np.sort(np.stack([rows[asking[best]], picture[place[best]]], axis=1), axis=1)


def _blocks(store: Store, place: np.ndarray) -> Iterator[tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]]:
    """Pairs whose others lie at AT_ONCE places, by their numbers; these places, and the vectors there."""
    places = np.unique(place)
    for start in range(0, len(places), AT_ONCE):
        held = places[start : start + AT_ONCE]
        yield np.flatnonzero((place >= held[0]) & (place <= held[-1])), (held, store.get(held))


def _runs(values: np.ndarray) -> Iterator[tuple[int, int]]:
    """Begin and end of each run of equal values."""
    edges = np.flatnonzero(np.r_[True, np.diff(values) != 0, True]) if len(values) else np.zeros(0, int)
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
