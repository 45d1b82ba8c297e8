"""Embeddings of the person among numbers."""

import re
from collections.abc import Iterator

import numpy as np

SAME = 0.999
"""Cosine from which two embeddings are one: rounding to 16 bits keeps 0.99999, to 8 bits 0.9995; two pictures of a
person are further apart."""
RUN = re.compile(rb"[-+0-9.eE, \t\r\n]{200,}")
NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Vectors:
    """The embeddings of a dossier, by length."""

    def __init__(self, vectors: dict[int, np.ndarray]):
        self._unit = {length: _unit(rows)[0].T for length, rows in vectors.items()}

    @property
    def lengths(self) -> set[int]:
        return set(self._unit)

    def closest(self, rows: np.ndarray) -> float | None:
        """The largest cosine of any row, (n, d), with an embedding of the dossier; None below SAME."""
        if rows.ndim != 2 or rows.shape[1] not in self._unit or not len(rows):
            return None
        unit, known = _unit(rows)
        best = float((unit[known] @ self._unit[rows.shape[1]]).max(initial=-1))
        return min(best, 1.0) if best >= SAME else None

    def in_text(self, data: bytes | memoryview) -> float | None:
        """The same of runs of numbers in text: JSON, CSV, a printed array.

        A run may have up to two numbers more in front or behind, such as what is left of an id, or a label.
        """
        found = [self._in_run(run[0]) for run in RUN.finditer(data)] if self._unit else []
        return max((score for score in found if score is not None), default=None)

    def _in_run(self, run: bytes) -> float | None:
        lines = (line.count(b",") or line.count(b" ") for line in run.splitlines())
        several = sum(count + 1 >= min(self._unit) for count in lines) > 1
        found = [self._in_numbers(part) for part in (run.splitlines() if several else [run])]
        return max((score for score in found if score is not None), default=None)

    def _in_numbers(self, text: bytes) -> float | None:
        numbers = np.array([float(number) for number in NUMBER.findall(text)])
        rows = (r for length in self._unit for r in _aligned(numbers, length))
        found = [self.closest(row[None]) for row in rows]
        return max((score for score in found if score is not None), default=None)


def _aligned(numbers: np.ndarray, length: int) -> Iterator[np.ndarray]:
    """The stretches of a length in a list that is at most two numbers longer."""
    more = len(numbers) - length
    if 0 <= more <= 2:
        yield from (numbers[shift : shift + length] for shift in range(more + 1))


def _unit(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows scaled to length one, and which of them could be."""
    values = np.nan_to_num(np.asarray(rows, np.float32), posinf=0, neginf=0)
    norms = np.linalg.norm(values, axis=1, keepdims=True)
    return values / np.where(norms > 0, norms, 1), (norms > 0)[:, 0]
