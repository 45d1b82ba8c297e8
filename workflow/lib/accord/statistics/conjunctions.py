"""Columns of 0 and 1 that hold where all of some items do, kept as the items' bits: what they come to is counted 64
rows at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.statistics.distinct import coded
from accord.statistics.itemsets import covers, packed

CHUNK = 1024
WORDS = 1 << 16
"""So many 64-bit words of columns are counted at once: they stay in the processor's cache."""

FEW = 8
"""Rows of so few to a subject are counted in pairs, 64 subjects at a time; of more, number by number."""


@dataclass(frozen=True)
class Conjunctions:
    """m columns of n rows. bits: (k, words) uint64, the rows of each item; items: (m, width) int, the items of each
    column, one of them again where there are fewer; rows: n. Called, it gives the columns (n, c) float32 of 0 and 1,
    some after the other."""

    bits: np.ndarray
    items: np.ndarray
    rows: int

    def __call__(self) -> Iterator[np.ndarray]:
        return (unpacked(some, self.rows).T.astype(np.float32) for some in self.covers())

    def covers(self) -> Iterator[np.ndarray]:
        """(c, words): the rows of some columns after the other, as bits."""
        return (covers(self.bits, self.items[at : at + CHUNK]) for at in range(0, len(self.items), CHUNK))

    def only(self, some: np.ndarray) -> "Conjunctions":
        """Some of the columns, by number or bool."""
        return Conjunctions(self.bits, self.items[some], self.rows)

    def marks(self) -> tuple[np.ndarray, np.ndarray]:
        """(k', n) bool of those items that are in a column; and `items` by their numbers."""
        used, items = coded(self.items)
        return unpacked(self.bits[used], self.rows), items.reshape(self.items.shape)

    def of(self, rows: np.ndarray) -> "Conjunctions":
        """The columns in some of the rows."""
        marks, items = self.marks()
        return Conjunctions(packed(marks[:, rows]), items, len(rows))


@dataclass(frozen=True)
class Tally:
    """Of subjects with k rows each, for each of m columns (m,): the sum over rows, the sum of squares of subjects'
    sums, how many subjects have any, and the sum over rows with a response."""

    sums: np.ndarray
    squares: np.ndarray
    subjects: np.ndarray
    responding: np.ndarray


def conjunctions(bits: np.ndarray, sets: list[tuple[int, ...]], rows: int) -> Conjunctions:
    """The columns of sets of items of any sizes."""
    width = max(map(len, sets), default=1)
    padded = [some + some[-1:] * (width - len(some)) for some in sets]
    return Conjunctions(bits, np.array(padded, int).reshape(-1, width), rows)


def tallies(columns: Conjunctions, of: list[np.ndarray], response: np.ndarray | None = None) -> list[Tally]:
    """The tally of each block (subjects, rows of each) of row numbers; response: (n,) of 0 and 1, none for 0."""
    marks, items = columns.marks()
    wrong = np.zeros(columns.rows, bool) if response is None else response.astype(bool)
    return [_tally(marks, items, rows, wrong) for rows in of]


def unpacked(bits: np.ndarray, rows: int) -> np.ndarray:
    """(m, words) -> (m, rows) bool: the inverse of `packed`."""
    return np.unpackbits(bits.view(np.uint8), axis=1, count=rows).astype(bool)


def _tally(marks: np.ndarray, items: np.ndarray, rows: np.ndarray, wrong: np.ndarray) -> Tally:
    slots = [packed(marks[:, some]) for some in rows.T]
    errors = packed(wrong[rows.T])
    each = max(1, WORDS // (len(slots) * errors.shape[1]))
    parts = [np.zeros((4, 0), np.int64)]
    for start in range(0, len(items), each):
        held = np.stack([covers(bits, items[start : start + each]) for bits in slots])
        squares = _squares_of_few(held) if len(held) <= FEW else _squares(held, len(rows))
        sums, responding = _ones(held).sum(axis=0), _ones(held & errors[:, np.newaxis]).sum(axis=0)
        parts.append(np.stack([sums, squares, _ones(np.bitwise_or.reduce(held)), responding]))
    return Tally(*np.concatenate(parts, axis=1))


def _ones(bits: np.ndarray) -> np.ndarray:
    return np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)


def _squares_of_few(held: np.ndarray) -> np.ndarray:
    """(k, c, words) -> (c,): x^2 = x, and twice each pair of a subject's rows in which both hold."""
    found = _ones(held).sum(axis=0)
    for slot in range(1, len(held)):
        found += 2 * _ones(held[:slot] & held[slot]).sum(axis=0)
    return found


def _squares(held: np.ndarray, subjects: int) -> np.ndarray:
    sums = np.zeros((held.shape[1], subjects), np.int64)
    for bits in held:
        sums += unpacked(bits, subjects)
    return (sums**2).sum(axis=1)
