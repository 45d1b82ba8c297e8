"""Pictures and videos of the version before: one that is the same again gets another name and takes no room on disk."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from accord.engine.provenance import sha256
from accord.files import READ_ONLY, attributes
from accord.release.format import videos

SHARED = frozenset({"image/png", videos.MEDIA})
"""The media types of what is worth it: everything else has new ids in each version."""


class Previous:
    """The pictures and videos of an earlier version, by sha256. Each serves once, so that within a version no file is
    another."""

    def __init__(self, manifest: Path):
        """`manifest`: of the earlier version. Where that isn't there or is damaged, there are no pictures."""
        self._places: dict[bytes, list[str]] = {}
        for digest, place in _listed(manifest):
            self._places.setdefault(digest, []).append(place)

    def link(self, digest: bytes, data: bytes | None, target: Path) -> bool:
        """Make `target` another name of a picture of that sha256; returns whether it is one now. `data`: its content,
        None of a file that is too large to be held, which is then read and digested.

        It is not where no picture is as it was published (content, mode, owner; no extended attributes), or where the
        file system can't: other disk, no links, no more links.
        """
        places = self._places.get(digest)
        if not places:
            return False
        try:
            os.link(places.pop(), target, follow_symlinks=False)
        except OSError:
            return False
        # Looked at under its new name, which nobody else knows yet: what was looked at is what is published.
        if _is_published(target, digest, data):
            return True
        target.unlink()
        return False


def _listed(manifest: Path) -> Iterator[tuple[bytes, str]]:
    """The sha256 and the place of each picture that a manifest lists and that lies in its folder, behind no link."""
    try:
        entries = [json.loads(line) for line in manifest.read_bytes().splitlines()]
        wanted = {one["path"]: bytes.fromhex(one["sha256"]) for one in entries if one["media"] in SHARED}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return
    root = str(manifest.parent)
    for above, _, names in os.walk(root):
        for place in (f"{above}/{name}" for name in names):
            if digest := wanted.get(place[len(root) + 1 :]):
                yield digest, place


def _is_published(path: Path, digest: bytes, data: bytes | None) -> bool:
    """Whether a file has that content, its owner is who asks, and nobody may write it."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or stat.S_IMODE(status.st_mode) != READ_ONLY or status.st_uid != os.geteuid():
        return False
    if attributes(path):
        return False
    if data is None:
        return sha256(path) == digest.hex()
    return status.st_size == len(data) and path.read_bytes() == data
