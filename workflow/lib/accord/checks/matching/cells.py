"""Near neighbours among many vectors: cells propose, exact cosines decide.

The vectors are shared out among cells by their nearest centre (spherical k-means; Dhillon and Modha 2001), and a query
is compared with the vectors of the cells next to it alone (inverted files; Sivic and Zisserman 2003). It is built anew
in each run, in memory, and kept nowhere: whoever has left since is not in it.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

SEED = 20_231
SAMPLE, ROUNDS = 32, 6
"""Vectors of a cell from which its centre is learnt, and rounds of learning."""
BLOCK = 8192
AT_ONCE, PIECE = 1 << 20, 4096
"""Cosines in memory at once; vectors of a cell that are compared at once: some cells are much larger than others."""
COLUMNS = 8
"""Numbers of vectors that are moved at once."""
BANDS = (0, 1, 4)
"""Ranks of cells between which proposals are looked for at once."""
MOST, UNIT = 32_767, 30_000
"""The largest number of an int16, and what 1 is in vectors of them, which take half as much memory: cosines are right
to 1e-5. There is room above 1, since numbers of unit vectors that were rounded may be a little larger than 1."""


class Cells(NamedTuple):
    """(c, d) centres; the (n, d) vectors in the order of their cells, and which they were; (c + 1) starts of cells."""

    centres: np.ndarray
    vectors: np.ndarray
    order: np.ndarray
    starts: np.ndarray


def whole_numbers(vectors: np.ndarray) -> np.ndarray:
    """Vectors of numbers from about -1 to 1 as int16, in steps of 1 / UNIT."""
    return np.clip(np.rint(vectors * np.float32(UNIT)), -MOST, MOST).astype(np.int16)


def build(vectors: np.ndarray, in_place: bool = False) -> Cells:
    """Cells of (n, d) float32 or int16 vectors, twice as many as the root of their number. The same vectors give the
    same. in_place: the vectors themselves are put in the order of their cells, so that they are in memory once."""
    count = max(1, min(len(vectors), round(2 * len(vectors) ** 0.5)))
    rng = np.random.default_rng(SEED)
    some = _real(vectors[np.sort(rng.permutation(len(vectors))[: SAMPLE * count])])
    centres = some[rng.permutation(len(some))[:count]]
    for _ in range(ROUNDS):
        centres = _means(some, _nearest(some, centres, 1)[:, 0], centres)
    cell = _nearest(vectors, centres, 1)[:, 0]
    order = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[order], np.arange(count + 1))
    return Cells(centres, _reordered(vectors, order) if in_place else vectors[order], order, starts)


def _reordered(vectors: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The vectors, which are moved to this order a few of their numbers at a time."""
    for first in range(0, vectors.shape[1], COLUMNS):
        vectors[:, first : first + COLUMNS] = vectors[order, first : first + COLUMNS]
    return vectors


def compared(
    cells: Cells, queries: np.ndarray, probes: int, bands: tuple[int, ...] = ()
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Positions of queries, positions of vectors, and the cosines of each with each; nearer cells first.

    bands: ranks of cells between which a cell takes all its queries at once, whether nearer or farther; by default
    it takes those to which it is the nearest, then the second, and so on.
    """
    near = _nearest(queries, cells.centres, min(probes, len(cells.centres)))
    edges = [edge for edge in bands if edge < near.shape[1]] or range(near.shape[1])
    for first, last in pairwise([*edges, near.shape[1]]):
        ranks = near[:, first:last].ravel()
        order = np.argsort(ranks, kind="stable")
        bounds = np.flatnonzero(np.r_[True, np.diff(ranks[order]) != 0, True]) if len(ranks) else [0]
        for begin, end in pairwise(bounds):
            cell, asking = ranks[order[begin]], order[begin:end] // (last - first)
            for start in range(cells.starts[cell], cells.starts[cell + 1], PIECE):
                inside = slice(start, min(start + PIECE, cells.starts[cell + 1]))
                held, asked = _real(cells.vectors[inside]).T, cells.order[inside]
                step = max(1, AT_ONCE // len(asked))
                for some in (asking[at : at + step] for at in range(0, len(asking), step)):
                    yield some, asked, _real(queries[some]) @ held


def proposals(cells: Cells, queries: np.ndarray, most: int, probes: int) -> tuple[np.ndarray, np.ndarray]:
    """(q, most) positions of the nearest vectors that were compared with each query, -1 where there are fewer, and
    their cosines, -inf there; in no order."""
    best = np.full((len(queries), most), -np.inf, np.float32)
    ids = np.full((len(queries), most), -1, np.int32)
    worst = best.min(axis=1)
    for asking, asked, cosines in compared(cells, queries, probes, bands=BANDS):
        # Few are better than what nearer cells had: only these are sorted in.
        rows, columns = np.divmod(np.flatnonzero(cosines > worst[asking][:, None]), len(asked))
        if not len(rows):
            continue
        held, counts = np.unique(rows, return_counts=True)
        place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts) + most
        line = np.repeat(np.arange(len(held)), counts)
        both = np.full((len(held), most + counts.max()), -np.inf, np.float32)
        names = np.full(both.shape, -1, np.int32)
        both[:, :most], names[:, :most] = best[asking[held]], ids[asking[held]]
        both[line, place], names[line, place] = cosines[rows, columns], asked[columns]
        chosen = np.argpartition(-both, most - 1, axis=1)[:, :most]
        best[asking[held]] = np.take_along_axis(both, chosen, axis=1)
        ids[asking[held]] = np.take_along_axis(names, chosen, axis=1)
        worst[asking[held]] = best[asking[held]].min(axis=1)
    return ids, best


def close(vectors: np.ndarray, least: float, probes: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """left < right and cosine of pairs of (n, d) unit vectors with a cosine of at least `least`, in blocks; each once.

    A pair is missed where neither lies in one of the `probes` cells next to the other.
    """
    cells = build(vectors)
    found = [(np.empty(0, np.int64), np.empty(0))]
    for asking, asked, cosines in compared(cells, vectors, probes):
        rows, columns = np.nonzero(cosines >= least)
        one, other = asking[rows], asked[columns]
        apart = one != other
        codes = np.minimum(one, other)[apart] * np.int64(len(vectors)) + np.maximum(one, other)[apart]
        found.append((codes, cosines[rows, columns][apart].astype(float)))
    codes, first = np.unique(np.concatenate([one for one, _ in found]), return_index=True)
    values = np.concatenate([one for _, one in found])[first]
    yield codes // len(vectors), codes % len(vectors), values


def shorter(vectors: np.ndarray, length: int) -> np.ndarray:
    """A (d, length) projection that keeps as much of the vectors' products as it can (uncentred PCA)."""
    rng = np.random.default_rng(SEED)
    some = vectors[np.sort(rng.permutation(len(vectors))[:BLOCK])].astype(np.float64)
    _, axes = np.linalg.eigh(some.T @ some)
    return np.ascontiguousarray(axes[:, ::-1][:, :length].astype(np.float32))


def _real(vectors: np.ndarray) -> np.ndarray:
    """float32 vectors."""
    return vectors if vectors.dtype != np.int16 else vectors * np.float32(1 / UNIT)


def _nearest(vectors: np.ndarray, centres: np.ndarray, most: int) -> np.ndarray:
    """(n, most) numbers of the centres that are nearest to each vector, nearest first."""
    found = np.empty((len(vectors), most), np.int32)
    step = max(1, min(BLOCK, 8 * AT_ONCE // max(len(centres), 1)))
    for start in range(0, len(vectors), step):
        alike = _real(vectors[start : start + step]) @ centres.T
        if most == 1:
            found[start : start + step, 0] = alike.argmax(axis=1)
            continue
        apart = -alike
        some = np.argpartition(apart, most - 1, axis=1)[:, :most] if most < len(centres) else np.argsort(apart, axis=1)
        order = np.argsort(np.take_along_axis(apart, some, axis=1), axis=1, kind="stable")
        found[start : start + step] = np.take_along_axis(some, order, axis=1)
    return found


def _means(vectors: np.ndarray, cell: np.ndarray, former: np.ndarray) -> np.ndarray:
    """The unit means of cells; a cell that has nothing keeps its centre."""
    order = np.argsort(cell, kind="stable")
    held, starts = np.unique(cell[order], return_index=True)
    sums = np.add.reduceat(vectors[order], starts, axis=0)
    made = former.copy()
    made[held] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    return made
