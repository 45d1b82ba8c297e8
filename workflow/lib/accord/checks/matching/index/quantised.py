"""Vectors of one byte a number (scalar quantisation, as faiss's QT_8bit has it): a quarter of what float32 takes.

Each column has a scale of its own, learnt from some vectors, since columns of a projection differ in what they hold.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

STEPS = 255
COLUMNS = 8
"""Columns that are moved at once."""


@dataclass(frozen=True)
class Scale:
    """What a code of 0 is in each of d columns, and how much more each further one is."""

    least: np.ndarray
    step: np.ndarray

    @classmethod
    def of(cls, some: np.ndarray) -> Self:
        """The scale on which (n, d) vectors fill all codes."""
        least, width = some.min(axis=0), np.ptp(some, axis=0)
        return cls(least.astype(np.float32), np.where(width > 0, width / STEPS, 1).astype(np.float32))

    def codes(self, vectors: np.ndarray) -> np.ndarray:
        """(n, d) uint8; numbers beyond the scale are its ends."""
        return np.clip(np.rint((vectors - self.least) / self.step), 0, STEPS).astype(np.uint8)

    def first(self, length: int) -> Self:
        """That of the first columns."""
        return type(self)(self.least[:length], self.step[:length])


@dataclass(frozen=True)
class Quantised:
    """(n, d) uint8 codes on a scale; rows of it are float32 vectors."""

    codes: np.ndarray
    scale: Scale

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: np.ndarray | slice) -> np.ndarray:
        vectors = self.codes[rows].astype(np.float32)
        vectors *= self.scale.step
        vectors += self.scale.least
        return vectors

    def first(self, length: int) -> Self:
        """The first columns, in the same memory."""
        return type(self)(self.codes[:, :length], self.scale.first(length))

    def reorder(self, order: np.ndarray) -> None:
        """Put the rows in this order, in place: a few columns at a time, so that all are in memory once."""
        for start in range(0, self.codes.shape[1], COLUMNS):
            self.codes[:, start : start + COLUMNS] = self.codes[order, start : start + COLUMNS]

    def along(self, rows: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """(..., m) products of rows, (..., m), with vectors, (..., d), which are scaled in place of the rows."""
        scaled = (directions * self.scale.step)[..., None]
        return (self.codes[rows].astype(np.float32) @ scaled)[..., 0] + (directions @ self.scale.least)[..., None]
