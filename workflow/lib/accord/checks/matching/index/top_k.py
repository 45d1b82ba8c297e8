"""The k best others of each of many rows, from blocks of cosines that come one after the other."""

import numpy as np

from accord.statistics.distinct import distinct


class TopK:
    """The best others of each of some rows so far. What is better than the last of them waits until there is much."""

    def __init__(self, rows: int, most: int) -> None:
        self._ids, self._cosines = np.full((rows, most), -1, np.int32), np.full((rows, most), -np.inf, np.float32)
        self._waiting: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._size = 0

    def add(self, rows: np.ndarray, ids: np.ndarray, cosines: np.ndarray) -> None:
        """(r, i) cosines of some rows, each once, with others (int32); a row meets another in one block alone."""
        better = np.flatnonzero(cosines > self._cosines[rows, -1][:, None])
        if len(better) > 2 * len(rows) * self._most:
            better = _best(cosines, better, self._most)
        line, column = np.divmod(better, len(ids))
        self._waiting.append((rows[line], ids[column], cosines.ravel()[better]))
        self._size += len(better)
        if self._size >= self._ids.size:
            self._settle()

    def found(self) -> tuple[np.ndarray, np.ndarray]:
        """(rows, k) others, -1 where there are fewer, and their cosines, -inf there; best first."""
        if self._waiting:
            self._settle()
        return self._ids, self._cosines

    @property
    def _most(self) -> int:
        return self._ids.shape[1]

    def _settle(self) -> None:
        """Sort in what waits."""
        rows, ids, cosines = (np.concatenate(of) for of in zip(*self._waiting, strict=True))
        held = distinct(rows)
        rows = np.concatenate([np.repeat(held, self._most), rows])
        ids = np.concatenate([self._ids[held].ravel(), ids])
        cosines = np.concatenate([self._cosines[held].ravel(), cosines])
        order = np.argsort(_codes(rows, cosines))
        rows = rows[order]
        rank = np.arange(len(rows)) - np.searchsorted(rows, np.arange(len(self._ids)))[rows]
        some = rank < self._most
        place = rows[some], rank[some]
        self._ids[place], self._cosines[place] = ids[order][some], cosines[order][some]
        self._waiting, self._size = [], 0


def _best(cosines: np.ndarray, better: np.ndarray, most: int) -> np.ndarray:
    """Those of the places `better` of (r, i) cosines that are among the `most` best of their row: the first blocks of
    a row are better than nothing as a whole."""
    kept = np.zeros(cosines.shape, bool)
    np.put_along_axis(kept, np.argpartition(-cosines, most, axis=1)[:, :most], True, axis=1)
    return better[kept.ravel()[better]]


def _codes(rows: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    """uint64 that have the order of rows, and in a row of cosines from the largest."""
    bits = cosines.view(np.int32)
    rising = np.where(bits < 0, ~bits, bits | np.int32(-(2**31))).view(np.uint32)
    return (rows.astype(np.uint64) << np.uint64(32)) | ~rising
