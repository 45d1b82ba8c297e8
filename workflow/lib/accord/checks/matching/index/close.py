"""All pairs of vectors with at least some cosine, among more than are compared with all others.

Each is compared with the vectors of as many cells as it takes: some vectors, drawn by lot, are compared with all, and
tell how many cells there must be.
"""

from collections.abc import Iterator
from math import ceil

import numpy as np

from accord.checks.matching.index import cells
from accord.checks.matching.index.cells import Cells
from accord.checks.matching.index.lots import lots

DRAWN, MOST = 2000, 20_000
"""Vectors that are drawn, and pairs with them that tell how many cells it takes."""
LOST = 0.0001
"""The share of these pairs that may be missed."""
ENOUGH, SHARE = 3_000, 0.25
"""Fewer pairs say little of such a share: then the least share of the cells with which each vector is compared."""
ASKING, BLOCK, AT_ONCE = 20_000, 200, 1 << 24
"""Vectors whose cells are looked up at once, and that are compared with centres at once; cosines in memory at once."""


def close(vectors: np.ndarray, least: float) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """left < right and cosine of pairs of (n, d) unit vectors with a cosine of at least `least`, in blocks; each once.

    A pair is missed where neither lies in one of the cells with which the other is compared.
    """
    made = cells.build(vectors)
    probes = needed(made, vectors, least)
    found = [(np.empty(0, np.int64), np.empty(0))]
    for start in range(0, len(vectors), ASKING):
        for asking, asked, cosines in cells.compared(made, vectors[start : start + ASKING], probes, bands=(0,)):
            rows, columns = _alike(cosines, least)
            one, other = start + asking[rows], asked[columns]
            apart = one != other
            codes = np.minimum(one, other)[apart] * np.int64(len(vectors)) + np.maximum(one, other)[apart]
            found.append((codes, cosines[rows, columns][apart].astype(float)))
    codes, first = np.unique(np.concatenate([one for one, _ in found]), return_index=True)
    values = np.concatenate([one for _, one in found])[first]
    yield codes // len(vectors), codes % len(vectors), values


def needed(made: Cells, vectors: np.ndarray, least: float) -> int:
    """The number of cells next to a vector in which, or from which, all but LOST of the pairs of drawn ones are found;
    no fewer than SHARE of the cells where they have fewer than ENOUGH pairs."""
    count, rng = len(made.centres), lots()
    one, other = _pairs(vectors, np.sort(rng.permutation(len(vectors))[:DRAWN]), least)
    some = rng.permutation(len(one))[:MOST]
    one, other = one[some], other[some]
    cell = np.empty(len(vectors), int)
    cell[made.order] = np.repeat(np.arange(count), np.diff(made.starts))
    ranks = np.sort(np.minimum(_ranks(made, vectors[one], cell[other]), _ranks(made, vectors[other], cell[one])))
    enough = int(ranks[ceil((1 - LOST) * len(ranks)) - 1]) + 1 if len(ranks) else 1
    return enough if len(ranks) >= ENOUGH else max(enough, ceil(SHARE * count))


def _pairs(vectors: np.ndarray, drawn: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Drawn vectors and all others with at least such a cosine."""
    found = [(np.empty(0, int), np.empty(0, int))]
    step = max(1, AT_ONCE // max(len(vectors), 1))
    for start in range(0, len(drawn), step):
        some = drawn[start : start + step]
        row, other = _alike(vectors[some] @ vectors.T, least)
        apart = some[row] != other
        found.append((some[row][apart], other[apart]))
    one, other = zip(*found, strict=True)
    return np.concatenate(one), np.concatenate(other)


def _alike(cosines: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of cosines of at least so much. NumPy finds places in one dimension in a sixth of the time."""
    return np.divmod(np.flatnonzero(cosines >= least), cosines.shape[1])


def _ranks(made: Cells, vectors: np.ndarray, cell: np.ndarray) -> np.ndarray:
    """How many cells are nearer to each of the vectors than one cell is, (n,)."""
    found = np.empty(len(vectors), int)
    for start in range(0, len(vectors), BLOCK):
        some = slice(start, start + BLOCK)
        alike = vectors[some] @ made.centres.T
        found[some] = (alike > alike[np.arange(len(alike)), cell[some]][:, None]).sum(axis=1)
    return found
