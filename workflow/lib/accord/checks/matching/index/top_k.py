"""The k best others of each of many rows, from blocks of cosines that come one after the other, or all at once."""

import numpy as np

from accord.checks.matching.index.keys import Keys


def once(rows: np.ndarray, others: np.ndarray, cosines: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, sorted, each of the others of each once, and their greatest cosines; best first, and of equal ones those
    with the lowest numbers."""
    how = Keys.of(int(rows.max(initial=0)) + 1, int(others.max(initial=0)) + 1)
    keys = how.once(how.starts(rows), others, cosines)
    return how.rows(keys), how.others(keys), how.cosines(keys)


def best_once(
    rows: np.ndarray, others: np.ndarray, cosines: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The `most` best of each row that `once` tells of."""
    line, other, alike = once(rows, others, cosines)
    best = place_in_each(line) < most
    return line[best], other[best], alike[best]


def place_in_each(rows: np.ndarray) -> np.ndarray:
    """(n,) the place of each among those that are of the same row, from 0; rows are sorted."""
    return np.arange(len(rows)) - np.searchsorted(rows, rows)


class TopK:
    """The best of some others of each of some rows so far. What is better than the last of them waits until there is
    much."""

    def __init__(self, rows: int, most: int, others: int) -> None:
        self._how = Keys.of(rows, others)
        self._starts = self._how.starts(np.arange(rows))
        self._keys = np.repeat(self._starts[:, None] | self._how.none(), most, axis=1)
        self._least = np.full(rows, -np.inf, np.float32)
        self._waiting: list[np.ndarray] = []
        self._size = 0

    def add(self, rows: np.ndarray, ids: np.ndarray, cosines: np.ndarray) -> None:
        """(r, i) cosines of some rows, each once, with others (from 0 on); a row meets another in one block alone."""
        better = np.flatnonzero(self._better(rows, cosines))
        line, column = np.divmod(better, len(ids))
        starts = self._starts[rows]
        self._waiting.append(self._how.nearest_first(starts[line], ids[column], cosines.ravel()[better]))
        self._size += len(better)
        if self._size >= self._keys.size:
            self._settle()

    def found(self) -> tuple[np.ndarray, np.ndarray]:
        """(rows, k) others, -1 where there are fewer, and their cosines, -inf there; best first."""
        if self._waiting:
            self._settle()
        return self._how.others(self._keys), self._how.cosines(self._keys)

    def _better(self, rows: np.ndarray, cosines: np.ndarray) -> np.ndarray:
        """Which cosines may be among the best; of rows that have none so far, the best of the block."""
        least, most = self._least[rows][:, None], self._keys.shape[1]
        if cosines.shape[1] <= most or (least > -np.inf).any():
            return cosines > least
        return cosines >= np.maximum(np.partition(cosines, -most, axis=1)[:, -most, None], np.finfo(np.float32).min)

    def _settle(self) -> None:
        """Sort in what waits. Each row has as many keys as are kept already, so the best of it are next to each
        other."""
        keys = np.concatenate([self._keys.ravel(), *self._waiting])
        keys.sort()
        first = np.searchsorted(keys, self._starts)
        self._keys = keys[first[:, None] + np.arange(self._keys.shape[1])]
        self._least = self._how.cosines(self._keys[:, -1])
        self._waiting, self._size = [], 0
