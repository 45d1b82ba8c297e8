"""The folders of a project: what nobody made, what was left unfinished, and what others could read or change."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.audit.targets.places import OWN, Places
from accord.audit.telling.checks import About, Check
from accord.errors import Problem
from accord.files import PARTIAL, PRIVATE_FILE, PRIVATE_FOLDER, attributes

HOUSE = About("house")
OPEN = "chmod 700 for folders, 600 for files: only the owner may read and write the vault"
LOOSE = "chmod 444 for files, 755 for folders; then `accord release verify` the version"
LINKED = "the file outlives its erasure under the other name: replace it by a copy of itself"
STRANGE = "no step made it: find out who did, and remove it"
ATTRIBUTES = "they travel with copies and can hold anything: setfattr -x NAME FILE, or attr -r NAME FILE"
UNFINISHED = "an interrupted run left it: rerun the workflow, or delete it"
OUTPUTS = (".parquet", ".json", ".html", ".md", ".csv", ".svg", ".tar", ".safetensors")
"""Endings of files that carry a record of what made them, or have one beside them."""

CHANGEABLE = {True: 0o7002, False: 0o7133}
"""Bits of a mode that a released folder, or file, must not have."""


def checks(places: Places, versions: Iterable[str]) -> list[Check]:
    """The vault's permissions, strange and unfinished files, and folders of releases that nobody published."""
    return [
        *HOUSE.held("permissions", _readable(places), "only the owner can read and write the vault"),
        *HOUSE.held("released files", _changeable(places), "nobody else can change a released file"),
        *HOUSE.held("hard links", _linked(places), "no file has an unknown second hard link"),
        *HOUSE.held("unfinished", _unfinished(places), "no file was left unfinished"),
        *HOUSE.held("unknown files", _strange(places, set(versions)), "no unknown files"),
    ]


def files(folder: Path) -> list[Path]:
    """All outputs under a folder of results, links left out."""
    return [path for path in _walk(folder) if path.suffix in OUTPUTS and path.is_file() and not _is_own(path, folder)]


def _is_own(path: Path, results: Path) -> bool:
    return path.parent == results and path.name in OWN


def _walk(folder: Path) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        folders.sort()
        yield from (path for name in sorted(names) if not (path := Path(above, name)).is_symlink())


def _readable(places: Places) -> Iterator[Problem]:
    """What others than the owner can read; file names may be told, the vault's are of versions and numbers."""
    vault = places.vault
    if places.need_vault and not vault.is_dir():
        yield Problem(vault.as_posix(), "is missing", "restore it from a backup, or give its folder with --vault")
        return
    for above, _, names in os.walk(vault):
        for path, allowed in [(Path(above), PRIVATE_FOLDER), *((Path(above) / name, PRIVATE_FILE) for name in names)]:
            mode = path.lstat().st_mode & 0o777
            if path.is_symlink():
                yield Problem(path.as_posix(), "is a link", STRANGE)
            elif mode & ~allowed:
                yield Problem(path.as_posix(), f"can be read or written by others (mode {mode:o})", OPEN)


def _changeable(places: Places) -> Iterator[Problem]:
    for above, _, names in os.walk(places.releases):
        for path in (Path(above), *(Path(above) / name for name in sorted(names))):
            kind = path.lstat().st_mode
            if stat.S_ISLNK(kind):
                continue
            if attributes(path):
                yield Problem(path.as_posix(), "has extended attributes, which no signature covers", ATTRIBUTES)
            if (mode := stat.S_IMODE(kind)) & CHANGEABLE[stat.S_ISDIR(kind)]:
                yield Problem(path.as_posix(), f"can be changed by others, or executed (mode {mode:o})", LOOSE)


def _linked(places: Places) -> Iterator[Problem]:
    """Files with a name that isn't known: versions share a picture that is the same in them, each under one name."""
    for folder in (places.results, places.vault):
        yield from (_other_name(path) for path in _walk(folder) if path.lstat().st_nlink > 1)
    names: dict[tuple[int, int, int], dict[Path, str]] = {}
    for path in _walk(places.releases):
        status = path.lstat()
        if status.st_nlink > 1:
            known = names.setdefault((status.st_dev, status.st_ino, status.st_nlink), {})
            known[path] = path.relative_to(places.releases).parts[0]
    for (_, _, number), known in names.items():
        if len(known) < number or len({*known.values()}) < number:
            yield from map(_other_name, known)


def _other_name(path: Path) -> Problem:
    return Problem(path.as_posix(), "has an unknown second hard link", LINKED)


def _unfinished(places: Places) -> Iterator[Problem]:
    for path in _walk(places.results):
        if path.name.endswith(PARTIAL):
            yield Problem(path.as_posix(), "is unfinished", UNFINISHED)
    for path in sorted(places.releases.glob(f"{PARTIAL}*")):
        yield Problem(path.as_posix(), "is unfinished", UNFINISHED)


def _strange(places: Places, versions: set[str]) -> Iterator[Problem]:
    for above, folders, names in os.walk(places.results):
        for path in (Path(above) / name for name in sorted([*folders, *names])):
            if path.is_symlink():
                yield Problem(path.as_posix(), "is a link", STRANGE)
            elif path.is_file() and path.suffix not in OUTPUTS and not path.name.endswith(PARTIAL):
                yield Problem(path.as_posix(), "is not an output of any step", STRANGE)
            elif not path.is_file() and not path.is_dir():
                yield Problem(path.as_posix(), "is a pipe, a socket or a device", STRANGE)
    for path in sorted(places.releases.glob("*")):
        if path.name not in versions and not path.name.startswith(PARTIAL):
            yield Problem(path.as_posix(), "is not a published version", STRANGE)
