"""Walk: every file below folders, links not followed, and every object of their git repositories."""

import mmap
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.scan import repository
from accord.scan.findings import Finding, Gap, Place
from accord.scan.inspection import Inspector
from accord.scan.limits import Unopened
from accord.scan.progress import Progress

MAPPED = 256 << 20
"""Bytes from which a file is mapped, not read: a file that is cut while it is mapped ends the process."""


def walk(
    folders: Iterable[Path],
    inspector: Inspector,
    leave_out: frozenset[Path] = frozenset(),
    progress: Progress | None = None,
) -> int:
    """Look at everything below the folders (files can be named too); returns how many files were looked at.

    A file of several names (hard links) is looked at once, and told under each. `leave_out`: resolved paths that
    are passed over. `progress` is told how many files there are before the first is looked at.
    """
    folders = list(folders)
    if progress:
        progress.begin(folders)
    seen: dict[tuple[int, int], tuple[list[Finding], list[Gap]]] = {}
    for folder in folders:
        if progress:
            progress.folder()
        for entry in _below(folder, inspector):
            status = entry.lstat()
            place = Place(str(entry), inode=status.st_ino)
            inspector.name(entry.name.encode(errors="surrogateescape"), place)
            if stat.S_ISLNK(status.st_mode):
                inspector.name(os.fsencode(entry.readlink()), place.within("target of the link"))
            elif stat.S_ISREG(status.st_mode):
                identity = (status.st_dev, status.st_ino)
                if entry.resolve() in leave_out:
                    pass
                elif identity in seen:
                    _repeat(*seen[identity], place, inspector)
                else:
                    seen[identity] = _told(entry, place, inspector)
                if progress:
                    progress.file()
    return len(seen)


def _told(path: Path, place: Place, inspector: Inspector) -> tuple[list[Finding], list[Gap]]:
    """Look at a file; returns what was found in it, and what could not be looked into."""
    findings, gaps = len(inspector.findings), len(inspector.gaps)
    _file(path, place, inspector)
    return inspector.findings[findings:], inspector.gaps[gaps:]


def _repeat(findings: list[Finding], gaps: list[Gap], place: Place, inspector: Inspector) -> None:
    """Tell the same of another name of a file: deleting one leaves it under the others."""
    inspector.findings += [one._replace(place=place._replace(inside=one.place.inside)) for one in findings]
    inspector.gaps += [one._replace(place=place._replace(inside=one.place.inside)) for one in gaps]


def _below(folder: Path, inspector: Inspector) -> Iterator[Path]:
    """The folder's entries, depth first, in the order of their names. A repository's objects are looked at here."""
    yield folder
    if folder.is_symlink() or not folder.is_dir():
        return
    objects = folder / "objects" if repository.is_repository(folder) else None
    if objects:
        _objects(folder, inspector)
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        inspector.gaps.append(Gap(Place(str(folder)), f"can't be read ({type(error).__name__})"))
        return
    for entry in entries:
        if entry != objects:
            yield from _below(entry, inspector)


def _objects(folder: Path, inspector: Inspector) -> None:
    place = Place(str(folder), inode=folder.stat().st_ino)
    try:
        for name, content in repository.objects(folder, inspector.limits.piece):
            inspector.content(content, place.within(f"git object {name}"))
    except Unopened as why:
        inspector.gaps.append(Gap(place, str(why)))


def _file(path: Path, place: Place, inspector: Inspector) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            large = os.fstat(descriptor).st_size >= MAPPED
            data = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) if large else file.read()
    except OSError as error:
        inspector.gaps.append(Gap(place, f"can't be read ({type(error).__name__})"))
        return
    inspector.content(data, place)
