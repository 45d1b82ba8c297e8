"""Near neighbours among many vectors: cells propose, exact cosines decide.

The vectors are shared out among cells by their nearest centre (spherical k-means; Dhillon and Modha 2001), and a query
is compared with the vectors of the cells next to it alone (inverted files; Sivic and Zisserman 2003). It is built anew
in each run, in memory, and kept nowhere: whoever has left since is not in it.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from accord.checks.matching.index.lots import lots
from accord.checks.matching.index.quantised import Quantised
from accord.checks.matching.index.top_k import TopK

SAMPLE, ROUNDS = 32, 6
"""Vectors of a cell from which its centre is learnt, and rounds of learning."""
BLOCK = 8192
AT_ONCE, PIECE = 1 << 20, 4096
"""Cosines in memory at once; vectors of a cell that are compared at once: some cells are much larger than others."""
BANDS = (0, 1, 4)
"""Ranks of cells between which proposals are looked for at once."""


class Cells(NamedTuple):
    """(c, d) centres, each next to one near to it; the (n, d) vectors in the order of their cells, and which they were;
    (c + 1) starts of cells."""

    centres: np.ndarray
    vectors: np.ndarray | Quantised
    order: np.ndarray
    starts: np.ndarray


def build(vectors: np.ndarray) -> Cells:
    """Cells of (n, d) float32 vectors."""
    made = placed(vectors)
    return made._replace(vectors=vectors[made.order])


def placed(vectors: np.ndarray | Quantised) -> Cells:
    """Cells of (n, d) vectors, twice as many as the root of their number; the vectors are not yet in their order. The
    same vectors give the same."""
    count = max(1, min(len(vectors), round(2 * len(vectors) ** 0.5)))
    rng = lots()
    some = vectors[np.sort(rng.permutation(len(vectors))[: SAMPLE * count])]
    centres = some[rng.permutation(len(some))[:count]]
    for _ in range(ROUNDS):
        centres = _means(some, _nearest(some, centres, 1)[:, 0], centres)
    centres = centres[_tour(centres)]
    cell = _nearest(vectors, centres, 1)[:, 0]
    order = np.argsort(cell, kind="stable")
    return Cells(centres, vectors, order, np.searchsorted(cell[order], np.arange(count + 1)))


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
        order = np.argsort(ranks.astype(np.min_scalar_type(len(cells.centres))), kind="stable")
        bounds = np.flatnonzero(np.r_[True, np.diff(ranks[order]) != 0, True]) if len(ranks) else [0]
        for begin, end in pairwise(bounds):
            cell, asking = ranks[order[begin]], order[begin:end] // (last - first)
            for start in range(cells.starts[cell], cells.starts[cell + 1], PIECE):
                inside = slice(start, min(start + PIECE, cells.starts[cell + 1]))
                held, asked = cells.vectors[inside].T, cells.order[inside]
                step = max(1, AT_ONCE // len(asked))
                for some in (asking[at : at + step] for at in range(0, len(asking), step)):
                    yield some, asked, queries[some] @ held


def proposals(cells: Cells, queries: np.ndarray, most: int, probes: int) -> tuple[np.ndarray, np.ndarray]:
    """(q, most) positions of the nearest vectors that were compared with each query, -1 where there are fewer, and
    their cosines, -inf there; best first."""
    best = TopK(len(queries), most, len(cells.order))
    for asking, asked, cosines in compared(cells, queries, probes, bands=BANDS):
        best.add(asking, asked, cosines)
    return best.found()


def _nearest(vectors: np.ndarray | Quantised, centres: np.ndarray, most: int) -> np.ndarray:
    """(n, most) numbers of the centres that are nearest to each vector, nearest first."""
    found = np.empty((len(vectors), most), np.int32)
    step = max(1, min(BLOCK, 8 * AT_ONCE // max(len(centres), 1)))
    for start in range(0, len(vectors), step):
        alike = vectors[start : start + step] @ centres.T
        if most == 1:
            found[start : start + step, 0] = alike.argmax(axis=1)
            continue
        apart = -alike
        some = np.argpartition(apart, most - 1, axis=1)[:, :most] if most < len(centres) else np.argsort(apart, axis=1)
        order = np.argsort(np.take_along_axis(apart, some, axis=1), axis=1, kind="stable")
        found[start : start + step] = np.take_along_axis(some, order, axis=1)
    return found


def _tour(centres: np.ndarray) -> np.ndarray:
    """An order of (c, d) centres: the first, and after each the nearest of those that are left."""
    left, order = np.ones(len(centres), bool), np.zeros(len(centres), int)
    for place in range(1, len(centres)):
        left[order[place - 1]] = False
        order[place] = np.where(left, centres @ centres[order[place - 1]], -np.inf).argmax()
    return order


def _means(vectors: np.ndarray, cell: np.ndarray, former: np.ndarray) -> np.ndarray:
    """The unit means of cells; a cell that has nothing keeps its centre."""
    order = np.argsort(cell, kind="stable")
    held, starts = np.unique(cell[order], return_index=True)
    sums = np.add.reduceat(vectors[order], starts, axis=0)
    made = former.copy()
    made[held] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    return made
