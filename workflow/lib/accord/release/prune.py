"""Erasure of revoked leaves from a release: what they commit to goes, and a tombstone with the receipt stays.

Needs the release and the signed revocation alone. It can be stopped anywhere and run again: the leaves, which say what
is to go, are rewritten last.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from accord import merkle
from accord.errors import AccordError, Problem
from accord.files import READ_ONLY, replace
from accord.release import held, leaves, revocations, seal, signing, tree
from accord.release.leaves import Leaf
from accord.release.revocations import Revocation

HINT = "a revocation comes from the publisher of this very release"


def prune(folder: Path, envelope: bytes) -> int:
    """Erase what a revocation names; returns the number of leaves. Raises AccordError where it isn't of this release.

    The key is the release's own: whoever must know whose it is verifies the release with the publisher's key.
    """
    revocation, known = _read(folder, envelope)
    going = [leaf.record for leaf in known if leaf.record and leaf.hash.hex() in revocation.leaves]
    carried_out = revocations.envelopes(folder)
    told = carried_out if envelope in carried_out else [*carried_out, envelope]
    replace(folder / revocations.NAME, b"".join(line + b"\n" for line in told), READ_ONLY)
    for path in sorted(record["path"] for record in going if "row" not in record):
        _erase(folder, path)
    for path in leaves.TABLES:
        _erase_rows(folder / path, {record["sha256"] for record in going if record["path"] == path})
    _rewrite(folder, known, revocation)
    return len(going)


def _read(folder: Path, envelope: bytes) -> tuple[Revocation, list[Leaf]]:
    """The revocation, and the leaves, which must be the signed ones."""
    try:
        key = signing.read_public((folder / seal.PUBLIC_KEY).read_bytes())
        revocation = revocations.read(envelope, key)
        release = seal.read((folder / seal.ENVELOPE).read_bytes(), key)
        known = [leaves.parse(line) for line in (folder / leaves.NAME).read_bytes().splitlines()]
    except (OSError, ValueError) as error:
        raise AccordError(Problem("revocation", str(error), HINT)) from None
    if revocation.root != release["root"]:
        raise AccordError(Problem("revocation", "is of another release", HINT))
    if merkle.root([leaf.hash for leaf in known]).hex() != release["root"]:
        raise AccordError(Problem(leaves.NAME, "was changed", "accord release verify says what is wrong"))
    return revocation, known


def _erase(folder: Path, path: str) -> None:
    """Delete a file, and the folders that are empty then: their names are ids."""
    place = folder / path
    if not place.resolve().is_relative_to(folder.resolve()):
        raise AccordError(Problem(path, "lies outside the release", "this release was not made by Accord"))
    place.unlink(missing_ok=True)
    for above in place.parents:
        try:
            above.rmdir()
        except FileNotFoundError:  # an interrupted run was here
            continue
        except OSError:  # it isn't empty
            return


def _erase_rows(table: Path, digests: set[str]) -> None:
    if digests:
        kept = b"".join(row for row in leaves.rows(table) if hashlib.sha256(row).hexdigest() not in digests)
        replace(table, kept, READ_ONLY)


def _rewrite(folder: Path, known: list[Leaf], revocation: Revocation) -> None:
    """The manifest that the remaining files have; then the leaves, with tombstones in the place of those that fell."""
    gone = [leaf.record is not None and leaf.hash.hex() in revocation.leaves for leaf in known]
    paths = sorted({leaf.record["path"] for leaf, fell in zip(known, gone, strict=True) if leaf.record and not fell})
    replace(folder / tree.MANIFEST, tree.manifest(_entries(folder, paths)), READ_ONLY)
    lines = (folder / leaves.NAME).read_bytes().splitlines(keepends=True)
    told = zip(known, lines, gone, strict=True)
    erased = (leaves.tombstone(leaf, revocation.receipt) if fell else line for leaf, line, fell in told)
    replace(folder / leaves.NAME, b"".join(erased), READ_ONLY)


def _entries(folder: Path, paths: list[str]) -> Iterator[dict]:
    """The manifest's entries of what remains: those that it has, and those of the tables, which have changed."""
    try:
        lines = (folder / tree.MANIFEST).read_bytes().splitlines()
        known = {entry["path"]: entry for entry in map(json.loads, lines) if entry["path"] not in leaves.TABLES}
    except (OSError, ValueError, KeyError, TypeError):
        known = {}
    return (known.get(path) or held.entry(path, folder / path) for path in paths)
