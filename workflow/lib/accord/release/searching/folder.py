"""Pictures that somebody gathered by hand: a folder for each person, named as the person is listed."""

import os
import stat
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from accord.errors import AccordError, Problem
from accord.release.searching import fetching
from accord.release.searching.register import normalised
from accord.release.searching.searchers import OPTIONS, Found

UNREADABLE = "can't be read"


class Folder:
    """`path`: the folder. Links in it are not followed. When its pictures were published, it can't say."""

    def __init__(self, *, path: str) -> None:
        self._people: dict[str, list[Path]] = {}
        if not path or not Path(path).is_dir():
            raise AccordError(Problem(f"{OPTIONS}.path", "isn't a folder", "it holds a folder for each person"))
        for one in _entries(Path(path)):
            if one.is_dir() and not one.is_symlink():
                self._people.setdefault(normalised(one.name), []).append(one)

    def find(self, words: str, since: date, most: int) -> list[Found]:
        """As `Searcher`: the first files by name of the person's folder, of all where several are named alike."""
        files = [one for folder in self._people.get(normalised(words), []) for one in _entries(folder)]
        return [Found(str(one)) for one in files if one.is_symlink() or not one.is_dir()][:most]

    def read(self, urls: Sequence[str]) -> list[bytes | str]:
        """Of each file its bytes, or why there are none."""
        return [_bytes(url) for url in urls]


def _entries(folder: Path) -> list[Path]:
    """What a folder holds and doesn't hide."""
    try:
        return sorted(one for one in folder.iterdir() if not one.name.startswith("."))
    except OSError:
        return []


def _bytes(path: str) -> bytes | str:
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return UNREADABLE
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return UNREADABLE
        data = file.read(fetching.LARGEST + 1)
    return data if len(data) <= fetching.LARGEST else fetching.TOO_LARGE
