"""Progress: how far a scan has come, a line now and then, fit for a terminal and for a log."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from accord.scan import repository
from accord.text.nouns import counted

SECONDS, SLOWER = 10, 1.1
"""Least time between two lines; and by how much a line is later than the last, so that a long scan has few of them."""


class Progress:
    """Tells how many files of a folder were looked at, and how many things inside of files: pictures, members, git's
    objects. Folders are numbered, since their names may be personal."""

    def __init__(self, tell: Callable[[str], None], clock: Callable[[], float] = monotonic):
        self._tell, self._clock = tell, clock
        self._start, self._next = clock(), float(SECONDS)
        self._all: list[int] = []
        self._folder = self._files = self._things = 0

    def begin(self, folders: list[Path]) -> None:
        """Count what is there to be looked at."""
        self._all = [count(folder) for folder in folders]
        self._tell(f"{counted(sum(self._all), 'file')} in {counted(len(folders), 'folder')}")

    def folder(self) -> None:
        """The next folder begins."""
        self._folder, self._files = self._folder + 1, 0

    def file(self) -> None:
        """A file of it was looked at."""
        self._files += 1

    def thing(self) -> None:
        """Something is looked at: a file, or what is inside one. Tells, if it is time."""
        self._things += 1
        passed = self._clock() - self._start
        if self._all and passed >= self._next:
            self._next = max(passed + SECONDS, passed * SLOWER)
            files = f"{self._files:,} of {counted(self._all[self._folder - 1], 'file')}"
            told = f"folder {self._folder} of {len(self._all)}: {files}"
            self._tell(f"{told}; {counted(self._things, 'thing')} searched in {passed:.0f} s")


def on_stderr(command: str) -> Callable[[str], None]:
    """Tells lines on standard error, after the command's name."""
    return lambda line: print(f"accord {command}: {line}", file=sys.stderr, flush=True)


def count(folder: Path) -> int:
    """Files below a folder as a walk meets them: links are not followed, and git's objects are no files of it."""
    if not folder.is_dir() or folder.is_symlink():
        return int(folder.is_file() and not folder.is_symlink())
    found = 0
    for at, folders, names in os.walk(folder):
        if repository.is_repository(Path(at)):
            folders.remove("objects")
        found += sum(stat.S_ISREG(os.lstat(path).st_mode) for name in names if os.path.lexists(path := Path(at, name)))
    return found
