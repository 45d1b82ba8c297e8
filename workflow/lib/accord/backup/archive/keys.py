"""Subjects' keys: one random key per person, in one place of one file, so that it can be destroyed for ever.

`vault/keys/subjects/slots` is a row of slots of 64 bytes: 16 that tell the person to whoever has the general key
(HMAC-SHA256), a random id, 32 of the key. A key is written to its slot once and overwritten there: there is no journal
and no page that moves, so that no second copy of it is made. `general.key` is needed for everything.
"""

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, keep_private, make_private

FOLDER = Path("keys/subjects")
SLOTS, GENERAL = "slots", "general.key"
TAG, ID, KEY = 16, 16, 32
SLOT = TAG + ID + KEY
EMPTY = bytes(SLOT)


class Ring(NamedTuple):
    """The keys of a vault. `ids`: tag of a person -> id of their key; `keys`: id (hex) -> key."""

    general: bytes
    ids: dict[bytes, str]
    keys: dict[str, bytes]

    def of(self, subject: str) -> str | None:
        """The id of a person's key; None where there is none."""
        return self.ids.get(_tag(self.general, subject))

    def needed(self, subject: str) -> str:
        """The id of a person's key. Raises KeyError where there is none: what is of them must not be sealed without."""
        return self.ids[_tag(self.general, subject)]


def read(vault: Path) -> Ring:
    """The keys of a vault. Raises AccordError where there are none."""
    general = vault / FOLDER / GENERAL
    if not general.is_file():
        hint = "name the vault of the backup; or put back your copy of keys/subjects (docs/backup.md)"
        raise AccordError(Problem(f"{FOLDER}/{GENERAL}", "the vault has no backup key", hint))
    slots = vault / FOLDER / SLOTS
    return _ring(general.read_bytes(), slots.read_bytes() if slots.is_file() else b"")


def make(vault: Path, subjects: Iterable[str]) -> Ring:
    """The keys of a vault, with a new one for each of the persons (opaque ids) who has none."""
    make_private(vault / FOLDER)
    with _locked(vault) as slots:
        general = _general(vault, slots)
        data = _slots(slots)
        known = _ring(general, data).ids
        free = [at for at in range(0, len(data), SLOT) if data[at : at + SLOT] == EMPTY]
        for subject in sorted(set(subjects)):
            if (tag := _tag(general, subject)) not in known:
                at = free.pop(0) if free else len(_slots(slots))
                os.pwrite(slots, tag + secrets.token_bytes(ID + KEY), at)
        os.fsync(slots)
        return _ring(general, _slots(slots))


def destroy(vault: Path, subject: str) -> bool:
    """Destroy the key of a person (an opaque id), for ever; whether there was one. Done again, it changes nothing.

    All objects of backups that show the person, or are theirs, can be decrypted by nobody from then on.
    """
    if not (vault / FOLDER / GENERAL).is_file() or not (vault / FOLDER / SLOTS).is_file():
        return False
    tag = _tag((vault / FOLDER / GENERAL).read_bytes(), subject)
    with _locked(vault) as slots:
        data = _slots(slots)
        theirs = [at for at in range(0, len(data), SLOT) if data[at : at + TAG] == tag]
        for at in theirs:
            os.pwrite(slots, EMPTY, at)
        os.fsync(slots)
    return bool(theirs)


@contextmanager
def _locked(vault: Path) -> Iterator[int]:
    slots = os.open(vault / FOLDER / SLOTS, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        fcntl.flock(slots, fcntl.LOCK_EX)
        yield slots
    finally:
        os.close(slots)


def _general(vault: Path, slots: int) -> bytes:
    path = vault / FOLDER / GENERAL
    if not path.is_file():
        if _slots(slots).strip(b"\0"):
            hint = "put back your copy of the file: without it all backups are lost, and new ones would not be found"
            raise AccordError(Problem(f"{FOLDER}/{GENERAL}", "is missing, but subject keys exist", hint))
        keep_private(path, secrets.token_bytes(KEY))
    return path.read_bytes()


def _slots(slots: int) -> bytes:
    """All whole slots. A last one that is cut was never used: its making was interrupted."""
    size = os.fstat(slots).st_size
    return os.pread(slots, size - size % SLOT, 0)


def _ring(general: bytes, data: bytes) -> Ring:
    whole = [data[at : at + SLOT] for at in range(0, len(data) - len(data) % SLOT, SLOT)]
    used = [slot for slot in whole if slot != EMPTY]
    ids = {slot[:TAG]: slot[TAG : TAG + ID].hex() for slot in used}
    return Ring(general, ids, {slot[TAG : TAG + ID].hex(): slot[TAG + ID :] for slot in used})


def _tag(general: bytes, subject: str) -> bytes:
    return hmac.new(general, b"subject\0" + subject.encode(), hashlib.sha256).digest()[:TAG]
