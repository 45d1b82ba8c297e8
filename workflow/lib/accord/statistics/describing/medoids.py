"""Groups of vectors that are nearly one, and the medoid that stays for each: no chaining.

As in the rapid test of face recognition (cosine above 0.9, groups, keep the medoid), but every member is near to the
medoid itself: chains of small steps are not followed.
"""

from collections.abc import Iterator

import numpy as np

BLOCK = 1024


def close_cosines(vectors: np.ndarray, least: float) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """left < right and cosine of all pairs of the (n, d) unit vectors with a cosine of at least `least`, in blocks.

    All are compared with all: exact.
    """
    for start in range(0, len(vectors), BLOCK):
        cosines = vectors[start : start + BLOCK] @ vectors[start:].T
        rows, columns = np.nonzero(np.triu(cosines >= least, 1))
        yield rows + start, columns + start, cosines[rows, columns].astype(float)


def medoids(vectors: np.ndarray, least: float) -> np.ndarray:
    """For each of n unit vectors, (n, d), the position of its medoid, (n,) int64; that of a medoid is its own.

    In the order of how many vectors are near (a cosine of at least `least`), then of the sum of their cosines, then of
    position, a vector becomes a medoid unless it is near to one; the others go to the nearest medoid. So no two medoids
    are near, and every other vector is near to its own.
    """
    count = len(vectors)
    near, cosines = _neighbours(vectors, least)
    weights = [round(float(own.sum()), 6) for own in cosines]
    is_medoid = np.zeros(count, bool)
    for centre in sorted(range(count), key=lambda i: (-len(near[i]), -weights[i], i)):
        is_medoid[centre] = not is_medoid[near[centre]].any()
    medoid = np.arange(count)
    for other in np.flatnonzero(~is_medoid):
        alike = np.where(is_medoid[near[other]], cosines[other], -np.inf)
        medoid[other] = near[other][np.argmax(alike)]
    return medoid


def _neighbours(vectors: np.ndarray, least: float) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """For each vector the positions of those near to it, rising, and their cosines."""
    blocks = [(np.empty(0, int), np.empty(0, int), np.empty(0)), *close_cosines(vectors, least)]
    left, right, cosine = (np.concatenate(part) for part in zip(*blocks, strict=True))
    ends, others, values = np.r_[left, right], np.r_[right, left], np.r_[cosine, cosine]
    order = np.lexsort([others, ends])
    cuts = np.cumsum(np.bincount(ends, minlength=len(vectors)))[:-1]
    return np.split(others[order], cuts), np.split(values[order], cuts)
