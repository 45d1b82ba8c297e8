"""The index of a backup: which objects hold what, encrypted under the general key; it names nobody.

The vault notes the digest of the newest index, so that an old backup that was put back is noticed.
"""

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from accord.backup.archive import keys, sealing
from accord.backup.archive.sealing import Secret, TamperedError
from accord.errors import AccordError, Problem
from accord.files import keep_private, make_private, replace

ABOUT, INDEX, OBJECTS = "backup.json", "index", "objects"
NOTES = keys.FOLDER / "backups.json"
FORMAT = "accord-backup/1"


class Kept(NamedTuple):
    """An item in a backup: the name of its object, "" where it was left out, and the ids of its people's keys."""

    name: str
    keys: tuple[str, ...]


class Held(NamedTuple):
    """A delivery in a backup. `order`: table -> for each record the number of the item that holds it."""

    folder: str
    items: list[Kept]
    order: dict[str, list[int]]


def begin(folder: Path) -> str:
    """The id of the backup in a folder; a new one is made where there is none. Raises AccordError."""
    if not (folder / ABOUT).is_file():
        make_private(folder / OBJECTS)
        replace(folder / ABOUT, json.dumps({"format": FORMAT, "id": secrets.token_hex(16)}).encode())
    return identity(folder)


def identity(folder: Path) -> str:
    """The id of the backup in a folder. Raises AccordError where there is none."""
    try:
        about = json.loads((folder / ABOUT).read_bytes())
        if about["format"] == FORMAT and len(bytes.fromhex(about["id"])) == 16:
            return about["id"]
    except (OSError, ValueError, TypeError, KeyError):
        pass
    raise AccordError(Problem(folder.name, "is not a backup", "name a folder that `accord backup make` wrote to"))


def read(folder: Path, general: bytes) -> list[Held]:
    """What a backup holds; nothing where its first making was interrupted. Raises AccordError where it was changed."""
    if not (folder / INDEX).is_file():
        return []
    secret = Secret(identity(folder), general, {})
    try:
        said = json.loads(sealing.unseal(secret, INDEX, (folder / INDEX).read_bytes()))
    except TamperedError:
        hint = "restore the folder from another copy; or this is the backup of another vault"
        raise AccordError(Problem(INDEX, "was changed, or written with other keys", hint)) from None
    return [Held(one["folder"], [Kept(name, tuple(ids)) for name, ids in one["items"]], one["order"]) for one in said]


def write(vault: Path, folder: Path, general: bytes, held: list[Held]) -> None:
    """Replace the index, unless it says the same already. The vault notes it before and after."""
    backup = identity(folder)
    if (folder / INDEX).is_file() and read(folder, general) == held and rolled_back(vault, folder) is None:
        return
    said = [{"folder": one.folder, "items": one.items, "order": one.order} for one in held]
    data = sealing.seal(Secret(backup, general, {}), INDEX, json.dumps(said).encode())
    old = _digest((folder / INDEX).read_bytes()) if (folder / INDEX).is_file() else ""
    _note(vault, backup, [old, _digest(data)])
    replace(folder / INDEX, data)
    _note(vault, backup, [_digest(data)])


def rolled_back(vault: Path, folder: Path) -> Problem | None:
    """What speaks against the index by what the vault noted."""
    found = _digest((folder / INDEX).read_bytes()) if (folder / INDEX).is_file() else ""
    if found in _notes(vault).get(identity(folder), [""]):
        return None
    hint = "somebody put back an old backup, or a backup of another vault: get the newest copy of the folder"
    return Problem(INDEX, "is not the latest one", hint)


def path(folder: Path, name: str) -> Path:
    """Where an object lies."""
    return folder / OBJECTS / name[:2] / name


def objects(folder: Path) -> list[Path]:
    """All files that lie where objects do."""
    return sorted(Path(at, name) for at, _, names in os.walk(folder / OBJECTS) for name in names)


def _notes(vault: Path) -> dict[str, list[str]]:
    return json.loads((vault / NOTES).read_bytes()) if (vault / NOTES).is_file() else {}


def _note(vault: Path, backup: str, digests: list[str]) -> None:
    keep_private(vault / NOTES, json.dumps({**_notes(vault), backup: digests}, sort_keys=True).encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
