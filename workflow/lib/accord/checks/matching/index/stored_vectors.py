"""Vectors of more pictures than memory holds, in a file without a name, which is gone with the process."""

import os
from itertools import pairwise

import numpy as np

from accord.files import temporary

MOST, UNIT = 32_767, 30_000
"""The largest number of an int16, and what 1 is in vectors of them, which take half as much room: cosines are right
to 1e-5. There is room above 1, since numbers of unit vectors that were rounded may be a little larger than 1."""


def whole_numbers(vectors: np.ndarray) -> np.ndarray:
    """Vectors of numbers from about -1 to 1 as int16, in steps of 1 / UNIT."""
    return np.clip(np.rint(vectors * np.float32(UNIT)), -MOST, MOST).astype(np.int16)


class Store:
    """Vectors of pictures in a file without a name, (regions, d) int16 each, by their numbers."""

    def __init__(self) -> None:
        self._file = temporary()
        self._shape = (0, 0)

    def add(self, vectors: np.ndarray) -> None:
        """Append (n, regions, d) vectors of numbers from about -1 to 1."""
        self._shape = vectors.shape[1:]
        self._file.write(np.ascontiguousarray(whole_numbers(vectors), "<i2").data)

    def get(self, numbers: np.ndarray) -> np.ndarray:
        """(n, regions, d) int16 vectors of sorted numbers, in steps of 1 / UNIT."""
        self._file.flush()
        found = np.empty((len(numbers), *self._shape), "<i2")
        size = 2 * self._shape[0] * self._shape[1]
        edges = np.flatnonzero(np.r_[True, np.diff(numbers) != 1, True])
        for first, last in pairwise(edges if len(numbers) else []):
            os.preadv(self._file.fileno(), [found[first:last].data], int(numbers[first]) * size)
        return found

    def close(self) -> None:
        """Give the file up."""
        self._file.close()
