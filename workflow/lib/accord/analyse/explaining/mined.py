"""Patterns among the rows of one test: which sets of items go with errors."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from accord.analyse.explaining.binary_features import Items
from accord.statistics.itemsets import covers, frequent, packed
from accord.statistics.permuting.max_statistic import Association, associate

CHUNK = 1024
HELD = 1 << 25
"""So many numbers, 128 MB, are unpacked once and kept; more are unpacked anew each time."""


@dataclass(frozen=True)
class Candidates:
    """m sets of items: `sets[i]` their column numbers; cover: (m, words) their rows as bits, all of them different;
    bits: (k, words) of the items; rows: n."""

    sets: list[tuple[int, ...]]
    cover: np.ndarray
    bits: np.ndarray
    rows: int

    def columns(self) -> Iterator[np.ndarray]:
        """(n, c) float32 of 0 and 1, some sets after the other."""
        for start in range(0, len(self.cover), CHUNK):
            yield unpacked(self.cover[start : start + CHUNK], self.rows).T.astype(np.float32)


def candidates(items: Items, subjects: np.ndarray, support: float, most: int, least: int) -> Candidates:
    """All sets of up to `most` items that hold for at least a share `support` of rows and `least` subjects.

    Errors play no part in the choice, so that they can be tested. Of sets that hold in exactly the same rows the
    shortest stays (then the first by column).
    """
    rows = len(subjects)
    bits = packed(items.marks.T)
    sets, cover = [], [np.zeros((0, bits.shape[1]), np.uint64)]
    for some, _ in frequent(items.marks, max(1, int(np.ceil(support * rows)), least), most):
        sets += list(map(tuple, some.tolist()))
        cover.append(covers(bits, some))
    whole = np.concatenate(cover)
    first = np.sort(np.unique(_whole_rows(whole), return_index=True)[1])
    kept = first[_subjects(whole[first], subjects, rows) >= least]
    return Candidates([sets[i] for i in kept], whole[kept], bits, rows)


def weigh(
    found: Candidates, errors: np.ndarray, subjects: np.ndarray, most: int, rng: np.random.Generator, below: float
) -> Association:
    """How each candidate goes with errors: z, and p corrected for all candidates; `below`: see `associate`."""
    held = list(found.columns()) if len(found.cover) * found.rows <= HELD else None
    columns = found.columns if held is None else lambda: held
    return associate(columns, errors.astype(np.float32), subjects, most, rng, even=True, below=below)


def unpacked(bits: np.ndarray, rows: int) -> np.ndarray:
    """(m, words) -> (m, rows) bool: the inverse of `packed`."""
    return np.unpackbits(bits.view(np.uint8), axis=1, count=rows).astype(bool)


def _subjects(cover: np.ndarray, subjects: np.ndarray, rows: int) -> np.ndarray:
    """(m,): how many subjects each set describes."""
    of = sparse.csr_array((np.ones(rows, np.float32), (subjects, np.arange(rows))))
    counted = [np.zeros(0, int)]
    for start in range(0, len(cover), CHUNK):
        marks = np.ascontiguousarray(unpacked(cover[start : start + CHUNK], rows).T, np.float32)
        counted.append((of @ marks > 0).sum(axis=0))
    return np.concatenate(counted)


def _whole_rows(cover: np.ndarray) -> np.ndarray:
    """Each row as one comparable thing."""
    return np.ascontiguousarray(cover).view(np.dtype((np.void, cover.shape[1] * 8))).ravel()
