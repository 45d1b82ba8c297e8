"""Bundles: many small files in one uncompressed tar, each found by its offset."""

import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any, NamedTuple

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

    def written(self, member: Member) -> bytes:
        """The content of a member that was added, read from the disk. Raises AccordError as `read` does."""
        self._file.flush()
        return read(self.path, member)

    def __enter__(self) -> "BundleWriter":
        return self

    def __exit__(self, *failure: object) -> None:
        self._tar.close()
        self._file.close()


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
        hint = "the bundle was changed or cut after it was written: delete it and run again"
        raise AccordError(Problem(f"{path}:{row.member}", "content does not match its sha256", hint))
