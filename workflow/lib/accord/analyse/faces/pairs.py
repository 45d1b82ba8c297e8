"""Pairs of faces: all genuine ones, and a sample of impostor ones that is never larger than asked for."""

from collections.abc import Callable

import numpy as np

from accord.statistics.distinct import distinct

Allowed = Callable[[np.ndarray, np.ndarray], np.ndarray]
BLOCK = 1 << 14
MOST_TRIES = 200
SPARE, FEWEST = 1.1, 64
"""What is still missing is drawn with a tenth more, and so many at the least."""


def genuine(subjects: np.ndarray) -> np.ndarray:
    """All pairs of rows of one subject: (n, 2) int, left < right, sorted. subjects: (faces,) int."""
    order = np.argsort(subjects, kind="stable")
    _, starts, counts = np.unique(subjects[order], return_index=True, return_counts=True)
    found = [np.empty((0, 2), np.int64)]
    for count in distinct(counts[counts > 1]):
        left, right = np.triu_indices(count, 1)
        rows = order[starts[counts == count][:, np.newaxis] + np.arange(count)]
        found.append(np.stack([rows[:, left].ravel(), rows[:, right].ravel()], axis=1))
    pairs = np.concatenate(found)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def possible(subjects: np.ndarray) -> int:
    """How many pairs of rows of two subjects there are; subjects: (faces,) int."""
    counts = np.unique(subjects, return_counts=True)[1].astype(int)
    return int((counts.sum() ** 2 - (counts**2).sum()) // 2)


def impostors(subjects: np.ndarray, most: int, rng: np.random.Generator, allowed: Allowed | None = None) -> np.ndarray:
    """Pairs of rows of two subjects, (n, 2) int, left < right, sorted: all of them where they are at most `most`,
    else `most` different ones drawn at random, each as likely.

    allowed: says of pairs (left rows, right rows) which may be drawn; all by default. Memory and time grow with `most`,
    not with the number of pairs. Where `allowed` lets so few through that drawing fails, fewer than `most` come back.
    """
    faces = len(subjects)

    def wanted(numbers: np.ndarray) -> np.ndarray:
        left, right = _rows(numbers, faces)
        keep = subjects[left] != subjects[right]
        if allowed is not None:
            keep &= allowed(left, right)
        return numbers[keep]

    chosen = _chosen(faces * (faces - 1) // 2, most, rng, wanted)
    return np.stack(_rows(chosen, faces), axis=1)


def impostors_between(
    inside: np.ndarray, outside: np.ndarray, subjects: np.ndarray, most: int, rng: np.random.Generator
) -> np.ndarray:
    """Impostor pairs of a row of `inside` and one of `outside` (disjoint), of two subjects, sampled as in `impostors`.

    (n, 2) int, first the row of `inside`. subjects: of all rows.
    """

    def rows(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first, second = np.divmod(numbers, max(1, len(outside)))
        return inside[first], outside[second]

    def wanted(numbers: np.ndarray) -> np.ndarray:
        left, right = rows(numbers)
        return numbers[subjects[left] != subjects[right]]

    return np.stack(rows(_chosen(len(inside) * len(outside), most, rng, wanted)), axis=1)


def similarity(vectors: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Cosine of each pair of rows of `vectors` (length 1; NaN where missing): (n,) float64, or NaN."""
    blocks = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
    cosines = [np.einsum("ij,ij->i", vectors[b[:, 0]], vectors[b[:, 1]], dtype=np.float64) for b in blocks]
    return np.clip(np.concatenate([np.empty(0), *cosines]), -1, 1)


def _chosen(total: int, most: int, rng: np.random.Generator, wanted: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """At most `most` different numbers of 0 ... total - 1 of those that are `wanted`, sorted."""
    if total > 4 * most:
        return _drawn(total, most, rng, wanted)
    every = wanted(np.arange(total))
    return every if len(every) <= most else np.sort(rng.choice(every, most, replace=False))


def _drawn(total: int, most: int, rng: np.random.Generator, wanted: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """`most` different numbers, sorted: uniform draws, of which those that are too many are dropped at random."""
    kept, size = np.empty(0, np.int64), most
    for _ in range(MOST_TRIES):
        found = wanted(rng.integers(total, size=size))
        share, kept = len(found) / size, _different(np.concatenate([kept, found]))
        missing = most - len(kept)
        if missing <= 0:
            break
        size = min(most, int(SPARE * missing / max(share, 1 / most)) + FEWEST)
    return np.delete(kept, rng.choice(len(kept), max(0, -missing), replace=False))


def _different(numbers: np.ndarray) -> np.ndarray:
    """The numbers, each once, sorted. (NumPy's `unique` takes ten times as long since it hashes them.)"""
    rising = np.sort(numbers)
    return rising[np.append(True, rising[1:] != rising[:-1])] if len(rising) else rising


def _rows(numbers: np.ndarray, faces: int) -> tuple[np.ndarray, np.ndarray]:
    """The pair (left < right) of each number in 0 ... faces (faces - 1) / 2 - 1, in the order of the upper triangle.

    The root of the row's start may be off by one where floats are coarse, and is put right in whole numbers: exact.
    """
    side = 2 * faces - 1
    left = ((side - np.sqrt(float(side) ** 2 - 8.0 * numbers)) / 2).astype(np.int64)
    left -= _start(left, faces) > numbers
    left += _start(left + 1, faces) <= numbers
    return left, numbers - _start(left, faces) + left + 1


def _start(row: np.ndarray, faces: int) -> np.ndarray:
    """The number of the first pair of a row of the triangle."""
    return row * (faces - 1) - row * (row - 1) // 2
