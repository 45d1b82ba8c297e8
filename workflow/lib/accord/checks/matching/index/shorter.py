"""What shorter vectors keep of long ones: as much as they can, and of a few that vary in directions of their own, too.

What is lost of a vector matters beside how far its neighbours are: before one backdrop, all are near to one another.
"""

import numpy as np

from accord.checks.matching.index.lots import drawn

ROUNDS, LEAST = 6, 1e-6
"""Rounds of weighing, and what at least is taken to be lost of a vector: float32 tell no less."""
REFERENCES, NEIGHBOUR, NEAREST = 4096, 3, 0.1
"""Vectors among which neighbours are looked for; which of them tells how far they are; how far it is at least, in
shares of what it is of all (root mean square): copies have no distance."""
BLOCK = 1024


def projection(vectors: np.ndarray, length: int, first: int) -> np.ndarray:
    """(d, length) float32 orthonormal axes of (n, d) float32 vectors, of which the first keep most (uncentred PCA).

    A vector of which the `first` axes lose more than they do on average, or more beside how far its neighbours are,
    counts more in the next round, so that those that lose most come to lose less (fair PCA, Samadi et al. 2018, here
    without groups; by multiplicative weights). Otherwise a few that vary where the others don't would all look alike.
    """
    counts, first = np.ones(len(vectors), np.float32), min(first, length)
    whole, apart = np.square(vectors).sum(axis=1), np.square(_distances(vectors))
    for _ in range(ROUNDS):
        kept = np.square(vectors @ _axes(vectors, counts, first)).sum(axis=1)
        lost = np.maximum(whole - kept, LEAST)
        beside = lost / apart
        counts *= np.maximum(np.maximum(lost / lost.mean(), beside / beside.mean()), 1)
    return _axes(vectors, counts, length)


def _distances(vectors: np.ndarray) -> np.ndarray:
    """(n,) float32 distances of vectors to their NEIGHBOUR-nearest of some."""
    some = vectors[drawn(len(vectors), REFERENCES)]
    rank, lengths = min(NEIGHBOUR, len(some) - 1), np.square(some).sum(axis=1)
    found = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), BLOCK):
        mine = vectors[start : start + BLOCK]
        apart = np.square(mine).sum(axis=1)[:, None] + lengths - 2 * mine @ some.T
        found[start : start + BLOCK] = np.partition(apart, rank, axis=1)[:, rank]
    distances = np.sqrt(np.maximum(found, 0))
    least = NEAREST * np.sqrt(np.mean(distances**2))
    return np.maximum(distances, least) if least > 0 else np.ones_like(distances)


def _axes(vectors: np.ndarray, counts: np.ndarray, length: int) -> np.ndarray:
    """(d, length) axes along which vectors that count so much vary most about zero."""
    from scipy.linalg import eigh

    size = vectors.shape[1]
    _, axes = eigh((vectors * counts[:, None]).T @ vectors, subset_by_index=[size - length, size - 1])
    return np.ascontiguousarray(axes[:, ::-1])
