"""Bundles: many small files in one uncompressed tar, each found by its offset."""

import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from accord.errors import AccordError, Problem


class Member(NamedTuple):
    """Where a file lies in its bundle. `offset` and `size` in bytes; `sha256` of the content."""

    member: str
    offset: int
    size: int
    sha256: str


class BundleWriter:
    """Writes files into a tar, one after the other. The same files give the same bytes."""

    def __init__(self, path: Path):
        self.path = path
        self._file = Path(path).open("wb")  # noqa: SIM115
        self._tar = tarfile.open(fileobj=self._file, mode="w", format=tarfile.USTAR_FORMAT)  # noqa: SIM115

    def add(self, member: str, data: bytes) -> Member:
        """Append a file; returns where it lies."""
        info = tarfile.TarInfo(member)
        info.size = len(data)
        self._tar.addfile(info, io.BytesIO(data))
        end = self._tar.offset
        padded = -(-len(data) // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
        return Member(member, end - padded, len(data), hashlib.sha256(data).hexdigest())

    def copy(self, member: str, file: BinaryIO, size: int) -> Member:
        """Append a file of `size` bytes from its beginning, piece by piece; returns where it lies."""
        info = tarfile.TarInfo(member)
        info.size = size
        file.seek(0)
        read = _Hashed(file)
        self._tar.addfile(info, read)  # pyrefly: ignore[bad-argument-type]
        padded = -(-size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
        return Member(member, self._tar.offset - padded, size, read.sha256.hexdigest())

    def written(self, member: Member) -> bytes:
        """The content of a member that was added, read from the disk. Raises AccordError as `read` does."""
        self._file.flush()
        return read(self.path, member)

    def __enter__(self) -> "BundleWriter":
        return self

    def __exit__(self, *failure: object) -> None:
        self._tar.close()
        self._file.close()


class _Hashed:
    """A file that is digested while it is read."""

    def __init__(self, file: BinaryIO):
        self._file, self.sha256 = file, hashlib.sha256()

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self.sha256.update(data)
        return data


class Window(NamedTuple):
    """A member of a bundle as a file that can be opened and read piece by piece."""

    path: Path
    offset: int
    size: int

    def open(self, mode: str = "rb") -> io.BufferedReader:
        """Its content, opened for reading."""
        return io.BufferedReader(_Section(self.path.open("rb"), self.offset, self.size))


class _Section(io.RawIOBase):
    """A part of a file, as a file."""

    def __init__(self, file: BinaryIO, offset: int, size: int):
        super().__init__()
        self._file = file
        self._offset, self._size, self._at = offset, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = max(0, (0, self._at, self._size)[whence] + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._offset + self._at)
        data = self._file.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def window(path: Path, row: Any) -> Window:
    """A member as a file; `row` as `read` has it. Raises AccordError where its bytes aren't those that were written."""
    found = Window(Path(path), int(row.offset), int(row.size))
    with found.open() as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != row.sha256:
            raise AccordError(_changed(path, row))
    return found


def read(path: Path, row: Any) -> bytes:
    """The content of one member; `row` has `member`, `offset`, `size`, `sha256`.

    Raises AccordError where the bytes are not those that were written.
    """
    data = content(path, row)
    check(path, row, data)
    return data


def unchanged(path: Path, row: Any) -> bytes | None:
    """As `read`; None where the bundle is not there, or the bytes are not those that were written."""
    try:
        return read(path, row)
    except (AccordError, OSError):
        return None


def content(path: Path, row: Any) -> bytes:
    """The bytes where a member lies, not checked yet."""
    with Path(path).open("rb") as file:
        file.seek(int(row.offset))
        return file.read(int(row.size))


def check(path: Path, row: Any, data: bytes) -> None:
    """Raises AccordError where `data` are not the bytes of a member that were written."""
    if hashlib.sha256(data).hexdigest() != row.sha256:
        raise AccordError(_changed(path, row))


def _changed(path: Path, row: Any) -> Problem:
    hint = "the bundle was changed or cut after it was written: delete it and run again"
    return Problem(f"{path}:{row.member}", "content does not match its sha256", hint)
