"""Pruning of exported copies: an image goes whole as soon as one of its leaves is revoked.

It can be stopped anywhere and run again: the record, which says what is there, is rewritten last.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.errors import AccordError, Collector, Problem
from accord.files import PARTIAL
from accord.release.exporting import record, register
from accord.release.exporting.record import Record
from accord.release.seal import revocations, seal
from accord.sealing import signing


class Plan(NamedTuple):
    """What is to be done to a copy: its record, the images that fall, and the receipts of the revocations."""

    record: Record
    images: frozenset[str]
    receipts: list[str]


def is_copy(folder: Path) -> bool:
    """Whether a folder is a whole export."""
    return (folder / record.NAME).is_file()


def plan(folder: Path, data: bytes, name: str = "revocation", key: Ed25519PublicKey | None = None) -> Plan:
    """What a list of revocations asks of a copy; `key`: the publisher's, else the one that lies in the copy.

    Raises AccordError with all problems, where any line of the list isn't the publisher's word about that release.
    """
    known, problems = record.read(folder), Collector()
    if known.format not in _formats():
        raise AccordError(Problem(f"{folder}/{record.NAME}", "names an unknown format", "update accord"))
    found = [one for _, one in revocations.listed(data, name, key or _key(folder), known.root, problems)]
    if not found and not problems:
        problems.add(name, "contains no revocation", revocations.HINT)
    if problems:
        raise AccordError(problems)
    revoked = frozenset().union(*(one.leaves for one in found))
    gone = frozenset(image for image, hashes in known.images.items() if not revoked.isdisjoint(hashes))
    return Plan(known, gone, [one.receipt for one in found])


def carry_out(folder: Path, asked: Plan) -> int:
    """Take the images out; returns how many. Raises AccordError where the copy can't be read or written."""
    for left in folder.rglob(f"*{PARTIAL}"):
        left.unlink()
    try:
        _formats()[asked.record.format].prune(folder, asked.images)
    except (OSError, ValueError, KeyError, TypeError) as error:
        what = f"can't be pruned ({type(error).__name__}): revoked pictures may remain"
        raise AccordError(Problem(str(folder), what, "delete the copy, and export the pruned release")) from None
    images = {image: known for image, known in asked.record.images.items() if image not in asked.images}
    receipts = list(dict.fromkeys([*asked.record.pruned, *asked.receipts]))
    record.write(folder, asked.record._replace(images=images, pruned=receipts))
    return len(asked.images)


def listed(path: Path, version: str, data: bytes, name: str = "revocation") -> Iterator[tuple[Path, int | None]]:
    """Prune the listed copies of a version; each with the number of its images that went, None where it is gone.

    What an interrupted export left is deleted.
    """
    for copy in register.read(path):
        if copy.version != version:
            continue
        shutil.rmtree(register.unfinished(copy.folder), ignore_errors=True)
        if not is_copy(copy.folder):
            yield copy.folder, None
            continue
        yield copy.folder, carry_out(copy.folder, plan(copy.folder, data, name))


def _key(folder: Path) -> Ed25519PublicKey:
    try:
        return signing.read_public((folder / seal.PUBLIC_KEY).read_bytes())
    except (OSError, ValueError):
        hint = "give the publisher's key with --key"
        raise AccordError(Problem(f"{folder}/{seal.PUBLIC_KEY}", "can't be read", hint)) from None


def _formats() -> dict[str, ModuleType]:
    """The formats of exports; imported where there is one: who prunes a release waits for no library of theirs."""
    from accord.release.exporting.export import FORMATS

    return FORMATS
