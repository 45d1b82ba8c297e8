"""Rows, others and their cosines as whole numbers of 64 bits: NumPy sorts one such column far faster than three."""

from dataclasses import dataclass
from typing import Self

import numpy as np

BITS, FINEST = 64, 32
"""Bits of a key, and the most of them that a cosine takes."""
LARGEST = 2.0
"""Cosines of vectors that were rounded may be a little larger than 1; those beyond this are as large."""


@dataclass(frozen=True)
class Keys:
    """How many bits of a key an other and a cosine take. Cosines, of -2 to 2, are right to 6e-8 for 100,000 rows and a
    million others, and finer for fewer."""

    other: int
    cosine: int

    @classmethod
    def of(cls, rows: int, others: int) -> Self:
        """Those of so many rows and others."""
        bits = others.bit_length()
        return cls(bits, min(FINEST, BITS - rows.bit_length() - bits))

    def starts(self, rows: np.ndarray) -> np.ndarray:
        """uint64, no greater than any key of a row."""
        return rows.astype(np.uint64) << self._row

    def nearest_first(self, starts: np.ndarray, others: np.ndarray, cosines: np.ndarray) -> np.ndarray:
        """Keys that have the order of rows, in a row of cosines from the largest, and then of others."""
        return starts | self._below(cosines) << np.uint64(self.other) | others.astype(np.uint64)

    def once(self, starts: np.ndarray, others: np.ndarray, cosines: np.ndarray) -> np.ndarray:
        """The keys, sorted, of which each row has one of each other: that with the greatest cosine."""
        bits = np.uint64(self.cosine)
        keys = np.sort(starts | others.astype(np.uint64) << bits | self._below(cosines))
        same = keys >> bits
        keys = keys[np.r_[True, same[1:] != same[:-1]]] if len(keys) else keys
        below, other = keys & _ones(bits), keys >> bits & _ones(self.other)
        return np.sort(keys >> self._row << self._row | below << np.uint64(self.other) | other)

    def none(self) -> np.uint64:
        """What a row has in place of an other and a cosine where there is none: it is sorted last."""
        return _ones(self._row)

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Rows, int64."""
        return (keys >> self._row).astype(np.int64)

    def others(self, keys: np.ndarray) -> np.ndarray:
        """Others, int32; -1 where there is none."""
        found = (keys & _ones(self.other)).astype(np.int32)
        found[keys & self.none() == self.none()] = -1
        return found

    def cosines(self, keys: np.ndarray) -> np.ndarray:
        """Cosines, float32; -inf where there is none."""
        below = keys & self.none()
        exact = LARGEST - (below >> np.uint64(self.other)) / self._steps
        return np.where(below == self.none(), -np.inf, exact).astype(np.float32)

    @property
    def _row(self) -> np.uint64:
        return np.uint64(self.other + self.cosine)

    @property
    def _steps(self) -> float:
        return 2.0 ** (self.cosine - 2)

    def _below(self, cosines: np.ndarray) -> np.ndarray:
        """How far cosines are below LARGEST, in steps."""
        steps = (LARGEST - cosines.astype(float)) * self._steps
        return np.clip(steps, 0, 2.0**self.cosine - 1).astype(np.uint64)


def _ones(bits: int | np.uint64) -> np.uint64:
    return np.uint64((1 << int(bits)) - 1)
