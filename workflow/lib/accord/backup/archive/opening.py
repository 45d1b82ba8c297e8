"""Opening the objects of a backup one after the other: what each holds, or why it can't be had."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from accord.backup.archive import index, sealing
from accord.backup.archive.index import Held, Kept
from accord.backup.archive.keys import Ring
from accord.backup.archive.sealing import Secret, TamperedError
from accord.errors import Problem

OPENED, GONE, BROKEN = "opened", "gone", "broken"
HINT = "get the object from another copy of the backup; `accord backup make` writes it anew from the deliveries"


class Object(NamedTuple):
    """An object, and what became of it: OPENED (`payload` is its content), GONE (a key was destroyed, or the item was
    left out when the backup was made) or BROKEN (`problem` says how)."""

    number: int
    state: str
    payload: bytes = b""
    problem: Problem | None = None


def objects(folder: Path, held: Held, ring: Ring) -> Iterator[Object]:
    """The objects of a delivery in a backup, one at a time, in the order of their numbers."""
    backup = index.identity(folder)
    for number, kept in enumerate(held.items):
        if not kept.name or any(name not in ring.keys for name in kept.keys):
            yield Object(number, GONE)
        else:
            yield _opened(folder, backup, number, kept, ring)


def _opened(folder: Path, backup: str, number: int, kept: Kept, ring: Ring) -> Object:
    path = index.path(folder, kept.name)
    secret = Secret(backup, ring.general, {name: ring.keys[name] for name in kept.keys})
    where = path.relative_to(folder).as_posix()
    try:
        data = path.read_bytes()
    except OSError as error:
        return Object(number, BROKEN, problem=Problem(where, f"can't be read ({error.strerror})", HINT))
    try:
        payload = sealing.unseal(secret, kept.name, data)
    except TamperedError:
        return Object(number, BROKEN, problem=Problem(where, "was changed, truncated or swapped", HINT))
    return Object(number, OPENED, payload)
