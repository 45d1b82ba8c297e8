"""What falls in a release's folder: files, and rows of tables. A copy may be damaged; nothing outside it is touched."""

import hashlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from accord.engine.provenance import sha256
from accord.release.seal import leaves
from accord.release.seal.leaves import Leaf

ERASED, CHANGED, MISSING = "erased", "changed", "missing"
"""What became of a file: it was as signed; it had been changed, and was erased all the same; it was not there."""

STRIPPED = ' "\r\n\ufeff'
"""What other programs put around a cell."""


class Rows(NamedTuple):
    """What is left of a table, how many rows went, and the leaves whose rows may still be in it, changed."""

    kept: list[bytes]
    erased: int
    held: set[bytes]


def file(folder: Path, path: str, digest: str) -> str:
    """Delete a file, and the folders that are empty then: their names are ids. Returns what became of it.

    Raises ValueError, saying why, where that isn't safe or can't be done.
    """
    place = _inside(folder, path)
    became = ERASED
    if place.is_symlink():
        became = CHANGED
    elif not place.exists():
        became = MISSING
    elif not place.is_file():
        raise ValueError("is not a file")
    elif sha256(place) != digest:
        became = CHANGED
    place.unlink(missing_ok=True)
    _tidy(place, folder)
    return became


def _inside(folder: Path, path: str) -> Path:
    """The place of a file, which no name and no link on the way leads out of the folder."""
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts:
        raise ValueError("is outside the release")
    place = folder / parts
    if place.parent.resolve() != (folder.resolve() / parts).parent:
        raise ValueError("is behind a link")
    return place


def _tidy(place: Path, folder: Path) -> None:
    for above in place.parents:
        if above == folder:
            return
        try:
            above.rmdir()
        except FileNotFoundError:  # an interrupted run was here
            continue
        except OSError:  # it isn't empty
            return


def rows(folder: Path, path: str, going: list[Leaf], staying: list[Leaf]) -> Rows:
    """A table without the rows that go: those that are as they were signed, and changed ones that start with their id.

    A changed row is told by its id only where no row that stays has the same one. Raises ValueError where the table
    is a link, or lies behind one.
    """
    table = _inside(folder, path)
    if table.is_symlink():
        raise ValueError("is a link")
    digests = {leaf.content["sha256"]: leaf.hash for leaf in going}
    signed = {leaf.content["sha256"] for leaf in staying}
    ids = _named(going)
    for name in _named(staying):
        ids.pop(name, None)
    kept, fallen, strange, erased = [], set(), False, 0
    for row in leaves.rows(table) if table.is_file() else ():
        digest = hashlib.sha256(row).hexdigest()
        if digest in digests:
            fallen.add(digests[digest])
        elif digest not in signed and (theirs := ids.get(_first(row))):
            fallen |= theirs
        else:
            strange |= digest not in signed
            kept.append(row)
            continue
        erased += 1
    held = set(digests.values()) - fallen if strange else set()
    return Rows(kept, erased, held)


def _named(found: Iterable[Leaf]) -> dict[str, set[bytes]]:
    """The hashes of leaves by the id in their row."""
    ids: dict[str, set[bytes]] = {}
    for leaf in found:
        if name := leaf.content.get("of"):
            ids.setdefault(name, set()).add(leaf.hash)
    return ids


def _first(row: bytes) -> str:
    """The first cell of a row."""
    return row.split(b",", 1)[0].decode(errors="replace").strip(STRIPPED)
