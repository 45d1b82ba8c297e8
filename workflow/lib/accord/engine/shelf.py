"""Lists that are too large for memory: some of their things after the other lie in a temporary file without a name."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import TypeVar, overload

Thing = TypeVar("Thing")


class Shelf(Sequence[Thing]):
    """The things of all parts, one after the other. Those of the part that was asked for last are in memory. A context,
    at whose end the file is gone."""

    def __init__(self, parts: Iterable[list[Thing]]):
        self._file = TemporaryFile()  # noqa: SIM115, __exit__ closes it
        self._places: list[tuple[int, int]] = []
        self._starts: list[int] = []
        for part in parts:
            self._starts.append(self._file.tell())
            pickle.dump(part, self._file, pickle.HIGHEST_PROTOCOL)
            self._places += [(len(self._starts) - 1, index) for index in range(len(part))]
        self._at, self._part = -1, []

    def __enter__(self) -> "Shelf[Thing]":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Thing: ...
    @overload
    def __getitem__(self, index: slice) -> list[Thing]: ...
    def __getitem__(self, index: int | slice) -> Thing | list[Thing]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        part, place = self._places[index]
        if part != self._at:
            self._part = []  # before the next one is there, too
            self._file.seek(self._starts[part])
            self._at, self._part = part, pickle.load(self._file)  # noqa: S301, this process wrote it
        return self._part[place]

    def __iter__(self) -> Iterator[Thing]:
        return (self[index] for index in range(len(self)))
