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


class Cells(NamedTuple):
    """(c, d) centres; the (n, d) vectors in the order of their cells, and which they were; (c + 1) starts of cells."""

    centres: np.ndarray
    vectors: np.ndarray
    order: np.ndarray
    starts: np.ndarray


def build(vectors: np.ndarray) -> Cells:
    """Cells of (n, d) float32 vectors, twice as many as the root of their number. The same vectors give the same."""
    count = max(1, min(len(vectors), round(2 * len(vectors) ** 0.5)))
    rng = np.random.default_rng(SEED)
    some = vectors[np.sort(rng.permutation(len(vectors))[: SAMPLE * count])]
    centres = some[rng.permutation(len(some))[:count]]
    for _ in range(ROUNDS):
        centres = _means(some, _nearest(some, centres, 1)[:, 0], centres)
    cell = _nearest(vectors, centres, 1)[:, 0]
    order = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[order], np.arange(count + 1))
    return Cells(centres, vectors[order], order, starts)


def compared(cells: Cells, queries: np.ndarray, probes: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Positions of queries, positions of vectors, and the cosines of each with each; nearer cells first."""
    near = _nearest(queries, cells.centres, min(probes, len(cells.centres)))
    for rank in near.T:
        order = np.argsort(rank, kind="stable")
        bounds = np.flatnonzero(np.r_[True, np.diff(rank[order]) != 0, True])
        for first, last in pairwise(bounds):
            asking, cell = order[first:last], rank[order[first]]
            inside = slice(cells.starts[cell], cells.starts[cell + 1])
            if inside.start < inside.stop:
                yield asking, cells.order[inside], queries[asking] @ cells.vectors[inside].T


def proposals(cells: Cells, queries: np.ndarray, most: int, probes: int) -> tuple[np.ndarray, np.ndarray]:
    """(q, most) positions of the nearest vectors that were compared with each query, -1 where there are fewer, and
    their cosines, -inf there; in no order."""
    best = np.full((len(queries), most), -np.inf, np.float32)
    ids = np.full((len(queries), most), -1, np.int64)
    for asking, asked, cosines in compared(cells, queries, probes):
        worst = best[asking].min(axis=1)
        rows = np.flatnonzero(cosines.max(axis=1) > worst)
        if not len(rows):
            continue
        both = np.concatenate([best[asking[rows]], cosines[rows]], axis=1)
        names = np.concatenate([ids[asking[rows]], np.broadcast_to(asked, (len(rows), len(asked)))], axis=1)
        chosen = np.argpartition(-both, most - 1, axis=1)[:, :most]
        best[asking[rows]] = np.take_along_axis(both, chosen, axis=1)
        ids[asking[rows]] = np.take_along_axis(names, chosen, axis=1)
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


def _nearest(vectors: np.ndarray, centres: np.ndarray, most: int) -> np.ndarray:
    """(n, most) numbers of the centres that are nearest to each vector, nearest first."""
    found = np.empty((len(vectors), most), np.int32)
    for start in range(0, len(vectors), BLOCK):
        apart = -(vectors[start : start + BLOCK] @ centres.T)
        some = np.argpartition(apart, most - 1, axis=1)[:, :most] if most < len(centres) else np.argsort(apart, axis=1)
        order = np.argsort(np.take_along_axis(apart, some, axis=1), axis=1, kind="stable")
        found[start : start + BLOCK] = np.take_along_axis(some, order, axis=1)
    return found


def _means(vectors: np.ndarray, cell: np.ndarray, former: np.ndarray) -> np.ndarray:
    """The unit means of cells; a cell that has nothing keeps its centre."""
    order = np.argsort(cell, kind="stable")
    held, starts = np.unique(cell[order], return_index=True)
    sums = np.add.reduceat(vectors[order], starts, axis=0)
    made = former.copy()
    made[held] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    return made
