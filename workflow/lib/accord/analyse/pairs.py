"""Pairs of faces: all genuine ones, and a sample of impostor ones that is never larger than asked for."""

from collections.abc import Callable

import numpy as np

Allowed = Callable[[np.ndarray, np.ndarray], np.ndarray]
BLOCK = 1 << 14
MOST_TRIES = 200


def genuine(subjects: np.ndarray) -> np.ndarray:
    """All pairs of rows of one subject: (n, 2) int, left < right, sorted. subjects: (faces,) int."""
    order = np.argsort(subjects, kind="stable")
    _, starts, counts = np.unique(subjects[order], return_index=True, return_counts=True)
    found = [np.empty((0, 2), np.int64)]
    for count in np.unique(counts[counts > 1]):
        left, right = np.triu_indices(count, 1)
        rows = order[starts[counts == count][:, np.newaxis] + np.arange(count)]
        found.append(np.stack([rows[:, left].ravel(), rows[:, right].ravel()], axis=1))
    pairs = np.concatenate(found)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def impostors(subjects: np.ndarray, most: int, rng: np.random.Generator, allowed: Allowed | None = None) -> np.ndarray:
    """Pairs of rows of two subjects, (n, 2) int, left < right, sorted: all of them where they are at most `most`,
    else `most` different ones drawn at random, each as likely.

    allowed: says of pairs (left rows, right rows) which may be drawn; all by default. Memory grows with `most`, not
    with the number of pairs. Where `allowed` lets so few through that drawing fails, fewer than `most` come back.
    """
    faces = len(subjects)
    total = faces * (faces - 1) // 2
    if total <= 4 * most:
        every = _wanted(np.arange(total), faces, subjects, allowed)
        chosen = every if len(every) <= most else rng.choice(every, most, replace=False)
    else:
        chosen = _drawn(faces, subjects, most, rng, allowed)
    return np.stack(_rows(np.sort(chosen), faces), axis=1)


def similarity(vectors: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Cosine of each pair of rows of `vectors` (length 1; NaN where missing): (n,) float64, or NaN."""
    blocks = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
    cosines = [np.einsum("ij,ij->i", vectors[b[:, 0]], vectors[b[:, 1]], dtype=np.float64) for b in blocks]
    return np.clip(np.concatenate([np.empty(0), *cosines]), -1, 1)


def _drawn(faces: int, subjects: np.ndarray, most: int, rng: np.random.Generator, allowed: Allowed | None):
    """Numbers of `most` different pairs: uniform draws, kept in the order in which they came first."""
    total, kept = faces * (faces - 1) // 2, np.empty(0, np.int64)
    for _ in range(MOST_TRIES):
        draws = np.concatenate([kept, _wanted(rng.integers(total, size=most), faces, subjects, allowed)])
        _, first = np.unique(draws, return_index=True)
        kept = draws[np.sort(first)][:most]
        if len(kept) == most:
            break
    return kept


def _wanted(numbers: np.ndarray, faces: int, subjects: np.ndarray, allowed: Allowed | None) -> np.ndarray:
    left, right = _rows(numbers, faces)
    keep = subjects[left] != subjects[right]
    if allowed is not None:
        keep &= allowed(left, right)
    return numbers[keep]


def _rows(numbers: np.ndarray, faces: int) -> tuple[np.ndarray, np.ndarray]:
    """The pair (left < right) of each number in 0 ... faces (faces - 1) / 2 - 1, in the order of the upper triangle.

    Row `left` of the triangle starts at left (faces - 1) - left (left - 1) / 2; found by bisection: exact at any size.
    """
    lefts = np.arange(faces, dtype=np.int64)
    starts = lefts * (faces - 1) - lefts * (lefts - 1) // 2
    left = np.minimum(np.searchsorted(starts, numbers, side="right") - 1, faces - 2)
    return left, numbers - starts[left] + left + 1
