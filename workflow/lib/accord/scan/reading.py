"""Reading of memory as if it were a file, without a copy of it."""

import io
from typing import Any


class Reader(io.RawIOBase):
    """A seekable file over bytes that are in memory or mapped."""

    def __init__(self, data: memoryview):
        self._data, self._at = data, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._data)}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        chunk = self._data[self._at : self._at + len(buffer)]
        buffer[: len(chunk)] = chunk
        self._at += len(chunk)
        return len(chunk)


def opened(data: memoryview) -> io.BufferedReader:
    """A buffered file over the data."""
    return io.BufferedReader(Reader(data))
