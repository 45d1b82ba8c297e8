"""Files that are written whole or not at all, and files that their owner alone can read."""

import os
from io import BufferedRandom
from pathlib import Path
from tempfile import TemporaryFile

from accord.errors import AccordError, Problem

PRIVATE_FILE, PRIVATE_FOLDER, READ_ONLY = 0o600, 0o700, 0o444
PARTIAL = ".partial"


def replace(path: Path, data: bytes, mode: int | None = None, beside: Path | None = None) -> None:
    """Write a file whole or not at all, on the disk when this returns.

    `mode`: of the new file (default: the usual one). `beside`: the folder, of the same file system, where the
    unfinished file lies (default: the file's own).
    """
    partial = (beside or path.parent) / f"{path.name}{PARTIAL}"
    partial.unlink(missing_ok=True)
    with os.fdopen(
        os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode), "wb"
    ) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def temporary() -> BufferedRandom:
    """A file without a name, gone with the process. AccordError: TMPDIR can't be used, in whose place Python would
    take a folder that may have no room."""
    wanted = os.environ.get("TMPDIR")
    if wanted and not (Path(wanted).is_dir() and os.access(wanted, os.W_OK | os.X_OK)):
        what = f"{wanted} is no folder that can be written to"
        raise AccordError(Problem("TMPDIR", what, "make it, or set TMPDIR to a folder that has room"))
    return TemporaryFile()


def keep_private(path: Path, data: bytes) -> None:
    """Write a file that its owner alone can read: whole or not at all; its folder is made if it is missing."""
    make_private(path.parent)
    replace(path, data, PRIVATE_FILE)


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, which their owner alone can enter."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def attributes(path: Path) -> list[str]:
    """The extended attributes of a file that somebody gave it, those of the system's security left out."""
    try:
        return [name for name in os.listxattr(path) if name.startswith("user.")]
    except (OSError, AttributeError):  # neither file systems nor systems have to know any
        return []
