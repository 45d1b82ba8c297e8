"""Vectors of more pictures than memory holds, in a file without a name, which is gone with the process."""

import os
from itertools import pairwise

import numpy as np

from accord.files import temporary


class Store:
    """Vectors of pictures in a file without a name, (regions, d) int16 each, by their numbers."""

    def __init__(self) -> None:
        self._file = temporary()
        self._shape = (0, 0)

    def add(self, vectors: np.ndarray) -> None:
        """Append (n, regions, d) vectors."""
        self._shape = vectors.shape[1:]
        self._file.write(np.ascontiguousarray(vectors, "<i2").data)

    def get(self, numbers: np.ndarray) -> np.ndarray:
        """(n, regions, d) vectors of sorted numbers."""
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
