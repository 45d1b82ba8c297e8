"""Pictures that look alike, among more than memory holds: their vectors lie in a file without a name.

What is compared is what `looks` compares where it proposes by cells. In memory are longer vectors of the same kind, of
one byte a number; their first numbers propose, all of them choose among the proposals, and the best of these are
compared by whole ones, which the file has in 16 bits: cosines are right to 1e-5. It is gone with the process, however
that ends.
"""

from contextlib import closing
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from accord.checks.matching.index.lots import drawn
from accord.checks.matching.index.proposing import Proposed, Proposing, arranged, proposed
from accord.checks.matching.index.quantised import Quantised, Scale
from accord.checks.matching.index.recall import Kept, Recall, recalls
from accord.checks.matching.index.shorter import projection
from accord.checks.matching.index.stored_vectors import UNIT, Store
from accord.checks.matching.index.top_k import best_once
from accord.checks.matching.stored_looks import Pictures
from accord.statistics.distinct import distinct, distinct_pairs

AT_ONCE = 1000
"""Pictures whose whole vectors are shortened at once."""
LEARNT = 3_300
"""Pictures from which is learnt what short vectors keep."""
LONGER, KEPT = 256, 4
"""Numbers of a longer vector; times as many as are wanted that are compared by whole ones."""
APART = 1e-3
"""How far from 1 a cosine is at least, beside which it is told how much a short vector loses."""


class Likely(NamedTuple):
    """Sorted ids of n pictures; (m, 2) int64 positions, left < right, sorted, of pairs that look alike; how much of all
    such pairs these are: nothing is said of it where all were compared with all; and (n,) positions in an order in
    which many that look alike are near each other."""

    images: np.ndarray
    pairs: np.ndarray
    recalls: list[Recall]
    order: np.ndarray


def likely(shown: Pictures, regions: int, most: int, least: float, how: Proposing) -> Likely:
    """The pairs that `looks.likely_pairs` has, by cells, in the order of which the pictures are."""
    if not len(shown.images):
        return Likely(shown.images, np.empty((0, 2), np.int64), [], np.empty(0, np.int64))
    with closing(Store()) as whole:
        _keep(shown, whole, regions)
        pairs, kept, order = _by_cells(whole, shown.places, regions, most, least, how)
        return Likely(shown.images, pairs, recalls(whole, kept, pairs, most, least), order)


def _by_cells(
    whole: Store, places: np.ndarray, regions: int, most: int, least: float, how: Proposing
) -> tuple[np.ndarray, Kept, np.ndarray]:
    """The pairs, what short vectors keep, and the order: longer ones are in memory no more when all are proposed."""
    longer, squares = _shortened(whole, len(places), how.short)
    held, found = arranged(longer, regions, how.short), []
    kept = Kept(squares - held.kept(), np.ones(len(places), np.float32), places)
    for some in proposed(held, most, KEPT * most, how):
        nearest = _nearest(whole, places, some, most, least)
        found.append(np.sort(nearest.pairs, axis=1))
        kept.apart[nearest.asking] = nearest.apart
    return distinct_pairs(np.concatenate(found)), kept, places[held.wholes.order]


def _keep(shown: Pictures, whole: Store, regions: int) -> None:
    """Put the vectors of all pictures in the store. AccordError: they are not of one length."""
    length = None
    for table in shown.tables:
        for vectors in table.vectors(regions, length):
            length = vectors.shape[2]
            whole.add(vectors)


def _shortened(whole: Store, count: int, short: int) -> tuple[Quantised, np.ndarray]:
    """(count * regions, d) longer vectors by number, of which the first numbers are short ones; and (count,) float32
    squared lengths of those of whole pictures: 1, or 0 of a picture that looks like nothing.

    What they keep is learnt from some pictures, drawn by lot.
    """
    some = _floats(whole, pictures := drawn(count, LEARNT))
    axes = projection(some, min(LONGER, some.shape[1]), short)
    scale = Scale.of(some @ axes)
    regions = len(some) // len(pictures)
    codes, squares = np.empty((count * regions, axes.shape[1]), np.uint8), np.empty(count, np.float32)
    for start in range(0, count, AT_ONCE):
        end = min(start + AT_ONCE, count)
        vectors = _floats(whole, np.arange(start, end))
        squares[start:end] = np.square(vectors[::regions]).sum(axis=1)
        codes[start * regions : end * regions] = scale.codes(vectors @ axes)
    return Quantised(codes, scale), squares


def _floats(whole: Store, numbers: np.ndarray) -> np.ndarray:
    """(n * regions, d) float32 vectors."""
    held = whole.get(numbers)
    return held.reshape(-1, held.shape[2]) * np.float32(1 / UNIT)


class _Nearest(NamedTuple):
    """(m, 2) positions of asking pictures and others; numbers of the k asking ones, and 1 - the cosine of each with the
    last."""

    pairs: np.ndarray
    asking: np.ndarray
    apart: np.ndarray


def _nearest(store: Store, places: np.ndarray, some: Proposed, most: int, least: float) -> _Nearest:
    """The `most` nearest of the others that are proposed to each picture, by what was proposed of both."""
    alike, edges = _alike(store, some)
    line = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    line, other, alike = best_once(line, places[some.others], alike, most)
    asking, near = some.asking[edges[:-1]], alike >= least
    last = np.flatnonzero(np.diff(line, append=-1))
    pairs = np.column_stack([places[asking][line], other])
    return _Nearest(pairs[near], asking, np.maximum(1 - alike[last], APART))


def _alike(store: Store, some: Proposed) -> tuple[np.ndarray, np.ndarray]:
    """(m,) float32 cosines of the parts that are proposed, by whole vectors; where those of each picture begin."""
    numbers = distinct(np.concatenate([some.asking, some.others]))
    held, unit = store.get(numbers), np.float32(UNIT**-2)
    asking, others = (np.searchsorted(numbers, of) for of in (some.asking, some.others))
    edges, alike = np.flatnonzero(np.diff(asking, prepend=-1, append=-1)), np.empty(len(asking), np.float32)
    for first, last in pairwise(edges):
        these = slice(first, last)
        mine, seen = held[asking[first]] * unit, held[others[these], some.theirs[these]]
        np.einsum("ij,ij->i", seen, mine[some.own[these]], out=alike[these])
    return alike, edges
