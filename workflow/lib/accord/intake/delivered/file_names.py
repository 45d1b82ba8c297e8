"""Names of files on the disk: found in any Unicode spelling, since macOS, Linux and archives write them differently."""

import os
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from accord.text.identity import near
from accord.text.references import normal

MOST_LISTINGS, SETTLED, RECENT = 16, 2.0, 5.0
"""Folders whose names are kept; seconds after which a folder that changes is sure to get another time, and for which
names that were read are recent."""


class Listing(NamedTuple):
    """The names in a folder: normal form -> those that have it; and what those share that are near one another."""

    spellings: dict[str, list[str]]
    near: frozenset[str]


_listings: dict[tuple[int, int], tuple[int, float, Listing]] = {}
"""Folder -> its time of change, when its names were read, and these."""


def spellings(folder: int, name: str) -> list[str]:
    """The names in an open folder that are this one, in whatever spelling: none, one, or several that clash."""
    if name.isascii() and _exists(folder, name):
        return [name]
    return _listing(folder, name).spellings.get(normal(name), [])


def has_near(folder: int, name: str) -> bool:
    """Whether a name in an open folder differs from this one only in case, blanks or leading zeros."""
    return near(name) in _listing(folder, name).near


def located(root: Path, relative: str) -> str:
    """A path in a delivery as the disk spells it; as it is where it leads to nothing, or to several files."""
    if relative.isascii() and os.path.lexists(Path(root, relative)):
        return relative
    names: list[str] = []
    for part in relative.split("/"):
        try:
            folder = os.open(Path(root, *names), os.O_RDONLY | os.O_DIRECTORY)
        except (OSError, ValueError):
            return relative
        try:
            there = spellings(folder, part)
        finally:
            os.close(folder)
        if len(there) != 1:
            return relative
        names += there
    return "/".join(names)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (OSError, ValueError):
        return False
    return True


def _listing(folder: int, name: str) -> Listing:
    """The names in an open folder, read once for as long as it stays the same.

    For a name in ASCII, which hardly any other spelling has, those of a few seconds ago do: of a folder that is being
    filled, each file that is missing would have all names read again.
    """
    state, now = os.fstat(folder), time.time()
    key = (state.st_dev, state.st_ino)
    if key in _listings:
        changed, read_at, listing = _listings[key]
        is_same = changed == state.st_mtime_ns and read_at - state.st_mtime > SETTLED
        if is_same or (name.isascii() and 0 <= now - read_at < RECENT):
            return listing
    names: dict[str, list[str]] = defaultdict(list)
    for entry in sorted(os.listdir(folder)):
        names[normal(entry)].append(entry)
    listing = Listing(dict(names), frozenset(map(near, names)))
    while len(_listings) >= MOST_LISTINGS:
        _listings.pop(next(iter(_listings)))
    _listings[key] = (state.st_mtime_ns, now, listing)
    return listing
