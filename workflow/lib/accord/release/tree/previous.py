"""Pictures and videos of the version before: one that is the same again gets another name and takes no room on disk."""

import os
import re
import stat
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from accord.engine.provenance import sha256
from accord.files import READ_ONLY, attributes

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Previous:
    """The files of an earlier version, found by what their names are now; `ids`: id now -> id in that version.

    A file's content is given as its bytes, or as its sha256 where it is too large to be held.
    """

    def __init__(self, folder: Path, ids: Mapping[str, str] | None = None):
        self._folder, self._ids = folder.resolve(), ids or {}
        self._is_inside = cache(lambda parent: parent.resolve() == parent)

    def link(self, path: str, content: bytes | str, target: Path) -> bool:
        """Make `target` another name of the file that has that path now; returns whether it is one now.

        It is not where the earlier version has none, or not as it was published (content, mode, owner; no extended
        attributes), or where the file system can't: other disk, no links, no more links.
        """
        place = self._place(path)
        try:
            if not self._is_inside(place.parent):
                return False
            os.link(place, target, follow_symlinks=False)
        except OSError:
            return False
        # Looked at under its new name, which nobody else knows yet: what was looked at is what is published.
        if _is_published(target, content):
            return True
        target.unlink()
        return False

    def has(self, path: str, content: bytes | str) -> bool:
        """Whether the earlier version has that file, as it was published."""
        place = self._place(path)
        try:
            return self._is_inside(place.parent) and _is_published(place, content)
        except OSError:
            return False

    def _place(self, path: str) -> Path:
        """Where the file lay."""
        return self._folder / ID.sub(lambda found: self._ids.get(found[0], found[0]), path)


def _is_published(path: Path, content: bytes | str) -> bool:
    """Whether a file has that content, its owner is who asks, and nobody may write it."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or stat.S_IMODE(status.st_mode) != READ_ONLY or status.st_uid != os.geteuid():
        return False
    if attributes(path):
        return False
    if isinstance(content, str):
        return sha256(path) == content
    return status.st_size == len(content) and path.read_bytes() == content
