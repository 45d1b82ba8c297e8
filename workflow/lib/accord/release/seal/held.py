"""The files of a release's folder, held against what its leaves say of them."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from accord.engine.provenance import measured
from accord.errors import Collector
from accord.release.seal import leaves, revocations
from accord.release.seal.leaves import Leaf
from accord.release.seal.seal import ENVELOPE, PUBLIC_KEY
from accord.release.tree import tree

SEALING = frozenset({tree.MANIFEST, leaves.NAME, ENVELOPE, PUBLIC_KEY})
DAMAGED = "the file is damaged or was tampered with: download it, or the release, again"
STRANGE = "it is not part of the release: don't trust it, delete it"


class Said(NamedTuple):
    """What live leaves say: sha256 of each file that is whole in a leaf; of each table's rows, by number."""

    files: dict[str, str]
    tables: dict[str, dict[int, str]]


class _Listed(NamedTuple):
    """What lies in a folder: names of folders; places of readable ordinary files, by name; names of all else."""

    folders: list[str]
    files: dict[str, str]
    strange: list[str]


def said(live: Iterable[Leaf], problems: Collector) -> Said:
    """What leaves say. A record that is none, or that says something a second time, is a problem."""
    found = Said({}, {})
    for leaf in live:
        told = leaf.record or {}
        path, digest, row = told.get("path"), told.get("sha256"), told.get("row", 0)
        if not (isinstance(path, str) and isinstance(digest, str) and isinstance(row, int)):
            problems.add(f"leaf {leaf.index}", "its record lacks a path, row or sha256", DAMAGED)
            continue
        place: dict[Any, str] = found.tables.setdefault(path, {}) if "row" in told else found.files
        key = row if "row" in told else path
        if key in place:
            problems.add(
                path, f"is in two leaves, one of them leaf {leaf.index}", "this release was not made by Accord"
            )
        place[key] = digest
    return found


def files(folder: Path, problems: Collector) -> dict[str, str]:
    """Path -> place of each ordinary file in a folder. Links, empty folders, and all that is no file are problems."""
    found: dict[str, str] = {}
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        listed = _listed(f"{folder}/{prefix}")
        if listed is None:
            continue
        if not any(listed):
            problems.add(prefix or str(folder), "is a folder without files", STRANGE)
        waiting += [f"{prefix}{name}/" for name in reversed(listed.folders)]
        found |= {f"{prefix}{name}": place for name, place in listed.files.items()}
        for name in listed.strange:
            problems.add(f"{prefix}{name}", "is not a readable regular file", STRANGE)
    return dict(sorted(found.items()))


def _listed(place: str) -> _Listed | None:
    """What lies in a folder, links not followed; None where it can't be read: what it should hold is missing then."""
    found = _Listed([], {}, [])
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found.folders.append(entry.name)
                elif entry.is_file(follow_symlinks=False) and os.access(entry.path, os.R_OK):
                    found.files[entry.name] = entry.path
                else:
                    found.strange.append(entry.name)
    except OSError:
        return None
    return found


def entries(there: dict[str, str], claimed: Said, problems: Collector) -> list[dict]:
    """The entries of the manifest that the folder should have; what differs from the leaves is a problem."""
    known = claimed.files.keys() | claimed.tables.keys()
    for path in sorted(known - there.keys()):
        problems.add(path, "is missing", "download it, or the release, again")
    for path in sorted(there.keys() - known - SEALING - {revocations.NAME}):
        problems.add(path, "is in no leaf: it was added, or should have been erased", STRANGE)
    found = []
    for path in sorted(known & there.keys()):
        found.append(entry(path, there[path]))
        if path in claimed.tables:
            _hold_rows(path, there[path], claimed.tables[path], problems)
        elif found[-1]["sha256"] != claimed.files[path]:
            problems.add(path, "its sha256 differs from the signed one", DAMAGED)
    return found


def entry(path: str, place: Path | str) -> dict:
    """The entry of the manifest that a file has."""
    digest, size = measured(place)
    media = tree.MEDIA.get(PurePath(path).suffix, "")
    return {"path": path, "size": size, "sha256": digest, "media": media}


def _hold_rows(path: str, place: str, signed: dict[int, str], problems: Collector) -> None:
    """Hold the rows of a table against their leaves: each there once, unchanged, in order; the header is row 0."""
    numbers = {digest: number for number, digest in signed.items()}
    last, seen = -1, set()
    for line, row in enumerate(leaves.rows(place), 1):
        number = numbers.get(hashlib.sha256(row).hexdigest())
        if number is None:
            problems.add(path, f"row {line} is not signed: it was changed or added", DAMAGED)
        elif number in seen:
            problems.add(path, f"row {line} is a duplicate", DAMAGED)
        elif number < last:
            problems.add(path, f"row {line} is not in its signed position", DAMAGED)
        else:
            last = number
        seen.add(number)
    for number in sorted(signed.keys() - seen):
        problems.add(path, f"signed row {number} is missing or changed", DAMAGED)
