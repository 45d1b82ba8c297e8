"""Frequent itemsets: all sets of columns that are often true together, counted over bits."""

from collections.abc import Iterator

import numpy as np

WORDS = 1 << 20
"""At most so many 64-bit words are compared at once."""


def frequent(marks: np.ndarray, least: int, most: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """All sets of 1 ... `most` columns of `marks` (n, k) bool that hold together in at least `least` >= 1 rows.

    For each size: the sets (m, size) of column numbers, ascending, in lexicographic order, and their counts (m,).
    Depth first; each prefix looks only at its own rows (as FP-growth's conditional trees do), packed 64 to a word.
    """
    levels: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in range(most)]
    counts = marks.sum(axis=0)
    alone = np.flatnonzero(counts >= least)
    if most and len(alone):
        levels[0].append((alone[:, np.newaxis], counts[alone]))
        _grow(np.ascontiguousarray(marks.T[alone]), alone, (), least, levels)
    return [_joined(parts, size + 1) for size, parts in enumerate(levels)]


def packed(columns: np.ndarray) -> np.ndarray:
    """(k, n) bool -> (k, words) uint64, the rest of the last word 0."""
    rows = columns.shape[1]
    padded = np.zeros((len(columns), -(-rows // 64) * 8), np.uint8)
    padded[:, : -(-rows // 8)] = np.packbits(columns, axis=1)
    return padded.view(np.uint64)


def covers(bits: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """(k, words) bits of columns, (m, size) sets -> (m, words): the rows in which all columns of a set hold."""
    return np.bitwise_and.reduce(bits[sets], axis=1)


def _grow(columns: np.ndarray, names: np.ndarray, prefix: tuple, least: int, levels: list) -> None:
    """Add all sets of the prefix and two or more of `names`. columns: (s, rows of the prefix)."""
    size = len(prefix) + 2
    if size > len(levels) or len(names) < 2:
        return
    bits = packed(columns)
    for first, second, counts in _pairs(bits):
        kept = counts >= least
        first, second, counts = first[kept], second[kept], counts[kept]
        start = np.tile(np.array(prefix, int), (len(first), 1))
        levels[size - 1].append((np.column_stack([start, names[first], names[second]]), counts))
        if size < len(levels):
            for one in np.unique(first):
                more = second[first == one]
                inner = np.ascontiguousarray(columns[np.ix_(more, np.flatnonzero(columns[one]))])
                _grow(inner, names[more], (*prefix, names[one]), least, levels)


def _pairs(bits: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """All pairs first < second with the number of rows in which both hold, in parts that fit into memory."""
    count, words = bits.shape
    each = max(1, WORDS // max(1, words * count))
    for start in range(0, count - 1, each):
        some = np.arange(start, min(start + each, count - 1))
        first = np.repeat(some, count - 1 - some)
        second = np.concatenate([np.arange(one + 1, count) for one in some])
        yield first, second, np.bitwise_count(bits[first] & bits[second]).sum(axis=1, dtype=np.int64)


def _joined(parts: list, size: int) -> tuple[np.ndarray, np.ndarray]:
    if not parts:
        return np.zeros((0, size), int), np.zeros(0, int)
    sets, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort(sets.T[::-1])
    return sets[order], counts[order]
