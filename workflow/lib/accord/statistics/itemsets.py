"""Frequent itemsets: all sets of columns that are often true together, counted over bits."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

WORDS = 1 << 15
"""So many 64-bit words are compared at once: they stay in the processor's cache."""

KEPT = 1 << 20
"""So many words of rows of sets are kept at each size, while larger sets are made of them."""


class Columns(NamedTuple):
    """bits: (k, words) uint64, the rows of each column; least: how many rows are frequent; together: (k, k) bool, which
    pairs first < second are."""

    bits: np.ndarray
    least: int
    together: np.ndarray


def frequent(marks: np.ndarray, least: int, most: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """All sets of 1 ... `most` columns of `marks` (n, k) bool that hold together in at least `least` >= 1 rows.

    For each size: the sets (m, size) of column numbers, ascending, in lexicographic order, and their counts (m,).
    Two sets that differ in their last column alone make one of the next size (Agrawal and Srikant, 1994: Apriori), if
    the two columns are frequent together; its rows are those of the one that the other's last column has (Zaki, 2000:
    Eclat), packed 64 to a word. Sets of one size are counted in blocks, and larger ones made of some of them at a time.
    """
    levels: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in range(most)]
    counts = marks.sum(axis=0)
    alone = np.flatnonzero(counts >= least)
    if most and len(alone):
        levels[0].append((alone[:, np.newaxis], counts[alone]))
        bits = packed(np.ascontiguousarray(marks.T))
        columns = Columns(bits, least, np.triu(np.ones((len(bits),) * 2, bool), 1))
        _grow(columns, alone[:, np.newaxis], bits[alone], levels)
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


def _grow(columns: Columns, sets: np.ndarray, cover: np.ndarray, levels: list) -> None:
    """Add all larger sets that begin with those of `sets` (m, size), whose rows are `cover` (m, words)."""
    size = sets.shape[1]
    if size == len(levels) or len(sets) < 2:
        return
    first, second = _followers(sets)
    last, added = sets[first, -1], sets[second, -1]
    likely = columns.together[last, added]
    first, last, added = first[likely], last[likely], added[likely]
    counts = _counted(columns.bits, cover, first, added)
    kept = counts >= columns.least
    first, last, added = first[kept], last[kept], added[kept]
    made = np.column_stack([sets[first], added])
    levels[size].append((made, counts[kept]))
    if size == 1:
        columns.together[:] = False
        columns.together[last, added] = True
    if size + 1 < len(levels):
        for some in _portions(first, columns.bits.shape[1]):
            _grow(columns, made[some], cover[first[some]] & columns.bits[added[some]], levels)


def _followers(sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of rows first < second of sets that differ in their last column alone; sets in lexicographic order."""
    m = len(sets)
    starts = np.flatnonzero(np.r_[True, (sets[1:, :-1] != sets[:-1, :-1]).any(axis=1)])
    ends = np.repeat(np.r_[starts[1:], m], np.diff(np.r_[starts, m]))
    more = ends - np.arange(m) - 1
    first = np.repeat(np.arange(m), more)
    return first, np.arange(len(first)) - np.repeat(np.cumsum(more) - more, more) + first + 1


def _counted(bits: np.ndarray, cover: np.ndarray, first: np.ndarray, added: np.ndarray) -> np.ndarray:
    """(p,): in how many rows of set `first` column `added` holds."""
    words = bits.shape[1]
    each = max(1, WORDS // max(1, words))
    counts, block = np.zeros(len(first), np.int64), np.empty((2, each, words), np.uint64)
    ones = np.empty((each, words), np.uint8)
    for start in range(0, len(first), each):
        some = slice(start, start + each)
        m = len(first[some])
        np.take(cover, first[some], axis=0, out=block[0, :m], mode="clip")
        np.take(bits, added[some], axis=0, out=block[1, :m], mode="clip")
        np.bitwise_and(block[0, :m], block[1, :m], out=block[0, :m])
        counts[some] = np.bitwise_count(block[0, :m], out=ones[:m]).sum(axis=1, dtype=np.int64)
    return counts


def _portions(first: np.ndarray, words: int) -> Iterator[slice]:
    """Parts of new sets, made of the sets `first` (ascending), whose rows fit into KEPT; those of one are together."""
    ends = np.flatnonzero(np.r_[first[1:] != first[:-1], True]) + 1 if len(first) else np.zeros(0, int)
    start = 0
    while start < len(first):
        fitting = ends[(ends > start) & (ends - start <= max(1, KEPT // max(1, words)))]
        end = int(fitting[-1] if len(fitting) else ends[ends > start][0])
        yield slice(start, end)
        start = end


def _joined(parts: list, size: int) -> tuple[np.ndarray, np.ndarray]:
    if not parts:
        return np.zeros((0, size), int), np.zeros(0, int)
    sets, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sets, counts
