"""The files of a release's folder, held against what its leaves say of them."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine.provenance import measured
from accord.errors import Collector
from accord.release.seal import leaves, revocations
from accord.release.seal.leaves import Leaf
from accord.release.seal.seal import ENVELOPE, PUBLIC_KEY
from accord.release.tree import tree

SEALING = frozenset({tree.MANIFEST, leaves.NAME, ENVELOPE, PUBLIC_KEY})
DAMAGED = "the file is damaged or was tampered with: fetch it, or the release, again"
STRANGE = "it is not part of the release: don't trust it, take it away"


class Said(NamedTuple):
    """What live leaves say: sha256 of each file that is whole in a leaf; of each table's rows, by number."""

    files: dict[str, str]
    tables: dict[str, dict[int, str]]


def said(live: Iterable[Leaf], problems: Collector) -> Said:
    """What leaves say. A record that is none, or that says something a second time, is a problem."""
    found = Said({}, {})
    for leaf in live:
        told = leaf.record or {}
        path, digest, row = told.get("path"), told.get("sha256"), told.get("row", 0)
        if not (isinstance(path, str) and isinstance(digest, str) and isinstance(row, int)):
            problems.add(f"leaf {leaf.index}", "its record names no path, row and sha256", DAMAGED)
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
        try:
            with os.scandir(f"{folder}/{prefix}") as listed:
                # What an entry is, links not followed, is known without asking the disk.
                entries = [(e, e.is_dir(follow_symlinks=False), e.is_file(follow_symlinks=False)) for e in listed]
        except OSError:  # it can't be read: what it should hold is missing then
            continue
        if not entries:
            problems.add(prefix or str(folder), "is a folder without files", STRANGE)
        folders = []
        for entry, is_folder, is_file in entries:
            if is_folder:
                folders.append(f"{prefix}{entry.name}/")
            elif is_file and os.access(entry.path, os.R_OK):
                found[prefix + entry.name] = entry.path
            else:
                problems.add(f"{prefix}{entry.name}", "is not a readable regular file", STRANGE)
        waiting += reversed(folders)
    return dict(sorted(found.items()))


def entries(there: dict[str, str], claimed: Said, problems: Collector) -> list[dict]:
    """The entries of the manifest that the folder should have; what differs from the leaves is a problem."""
    known = claimed.files.keys() | claimed.tables.keys()
    for path in sorted(known - there.keys()):
        problems.add(path, "is missing", "fetch it, or the release, again")
    for path in sorted(there.keys() - known - SEALING - {revocations.NAME}):
        problems.add(path, "is in no leaf: it was added, or should have been erased", STRANGE)
    found = []
    for path in sorted(known & there.keys()):
        found.append(entry(path, there[path]))
        if path in claimed.tables:
            _hold_rows(path, there[path], claimed.tables[path], problems)
        elif found[-1]["sha256"] != claimed.files[path]:
            problems.add(path, "its sha256 is not the signed one", DAMAGED)
    return found


def entry(path: str, place: Path | str) -> dict:
    """The entry of the manifest that a file has."""
    digest, size = measured(place)
    return {"path": path, "size": size, "sha256": digest, "media": tree.MEDIA.get(_suffix(path), "")}


def _suffix(path: str) -> str:
    """The end of a file's name from its last point, as `PurePath.suffix` has it."""
    name = path.rpartition("/")[2]
    point = name.rfind(".")
    return name[point:] if 0 < point < len(name) - 1 else ""


def _hold_rows(path: str, place: str, signed: dict[int, str], problems: Collector) -> None:
    """Hold the rows of a table against their leaves: each there once, unchanged, in order; the header is row 0."""
    numbers = {digest: number for number, digest in signed.items()}
    last, seen = -1, set()
    for line, row in enumerate(leaves.rows(place), 1):
        number = numbers.get(hashlib.sha256(row).hexdigest())
        if number is None:
            problems.add(path, f"its row {line} is not a signed one: it was changed or added", DAMAGED)
        elif number in seen:
            problems.add(path, f"its row {line} stands there twice", DAMAGED)
        elif number < last:
            problems.add(path, f"its row {line} stands in another place than when it was signed", DAMAGED)
        else:
            last = number
        seen.add(number)
    for number in sorted(signed.keys() - seen):
        problems.add(path, f"its row that was signed as number {number} is missing or changed", DAMAGED)
