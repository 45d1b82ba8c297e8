"""Reading the files of a delivery, which is untrusted: no links, no way out of the folder, bounded sizes."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from accord.intake.delivered import file_names

MEBIBYTE = 1 << 20
LONGEST_PATH = 512
PLACES = ("path", "name")
"""Checks that a file fails by where it lies."""
CLASH = "several files have this name, in different Unicode spellings"
NEAR = "the file does not exist: one whose name differs only in case, blanks or leading zeros does"


class FileRefusedError(Exception):
    """A file that isn't read: `check` is path, name, missing_file or header; the text says why, and names no file."""

    def __init__(self, check: str, reason: str):
        self.check, self.reason = check, reason
        super().__init__(reason)


def read(root: Path, relative: str, limit: int) -> bytes:
    """The content of a file in the folder `root`, of at most `limit` bytes. Raises FileRefusedError.

    Each part of the path is opened relative to the one before and never through a link, so that nothing that changes
    meanwhile can lead elsewhere. A name counts in any Unicode spelling (`file_names`).
    """
    with opened(root, relative) as file:
        data = file.read(limit + 1)
    _check_size(len(data), limit)
    return data


def sha256(root: Path, relative: str, limit: int) -> bytes:
    """The SHA-256 of a file that `read` reads, without holding its content. Raises FileRefusedError as `read` does."""
    hashed, size = hashlib.sha256(), 0
    with opened(root, relative) as file:
        while part := file.read(min(MEBIBYTE, limit + 1 - size)):
            size += len(part)
            hashed.update(part)
    _check_size(size, limit)
    return hashed.digest()


def digest(data: bytes) -> str:
    """The SHA-256 of a content that was read, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


@contextmanager
def opened(root: Path, relative: str) -> Iterator[BinaryIO]:
    """A file in the folder `root`, to be read piece by piece. Raises FileRefusedError as `read` does."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        *parents, name = parts(relative)
        for parent in parents:
            folder = _step_into(folder, parent)
        with _regular(folder, name) as file:
            yield file
    except OSError as error:
        raise _refused(error) from None
    finally:
        os.close(folder)


def parts(relative: str) -> list[str]:
    """The parts of a path inside a delivery. Raises FileRefusedError where it could lead anywhere else."""
    if not relative:
        raise FileRefusedError("missing_file", "no file is named")
    found = relative.split("/")
    if len(relative) > LONGEST_PATH or "\0" in relative or "\\" in relative or {"", ".", ".."} & set(found):
        raise FileRefusedError("path", "the path is outside the delivery, or not a plain relative path")
    return found


def _step_into(folder: int, name: str) -> int:
    inner = os.open(_spelled(folder, name), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    os.close(folder)
    return inner


@contextmanager
def _regular(folder: int, name: str) -> Iterator[BinaryIO]:
    # O_NONBLOCK: opening a named pipe would wait for ever.
    opened = os.open(_spelled(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise FileRefusedError("path", "the path is not a regular file")
        with os.fdopen(opened, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(opened)


def _spelled(folder: int, name: str) -> str:
    """The name of the file in an open folder that is meant by this one."""
    there = file_names.spellings(folder, name)
    if len(there) > 1:
        raise FileRefusedError("name", CLASH)
    if not there and file_names.has_near(folder, name):
        raise FileRefusedError("missing_file", NEAR)
    return there[0] if there else name


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise FileRefusedError("header", f"the file is larger than {limit // MEBIBYTE} MiB")


def _refused(error: OSError) -> FileRefusedError:
    if error.errno == errno.ENOENT:
        return FileRefusedError("missing_file", "the file does not exist")
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return FileRefusedError("path", "the path goes through a link or a file")
    why = errno.errorcode.get(error.errno or 0, "unknown")
    return FileRefusedError("missing_file", f"the file can't be read ({why})")
