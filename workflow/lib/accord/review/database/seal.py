"""The seal: the chain's head, noted outside the database, so that one that was put back to an older state is noticed.

`<vault>/log/review.json` is written, whole or not at all, before a change is committed, with the heads before and after
it, and once more when it is, with the one after: so a crash between the two is told apart from a database that somebody
rolls back, or writes to without this program.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.errors import Problem
from accord.files import PRIVATE_FILE, keep_private, make_private
from accord.sealing import chained

FILE, LOCK = "log/review.json", ".lock"
HINT = "keep both files as evidence and restore the vault from its newest backup"
Head = tuple[int, str]


@contextmanager
def locked(db: sqlite3.Connection) -> Iterator[None]:
    """Nobody else changes the database meanwhile, nor notes a head: a change ends when its head is noted."""
    if (file := _file(db)) is None:
        yield
        return
    make_private(file.parent)
    with os.fdopen(os.open(file.with_suffix(LOCK), os.O_RDWR | os.O_CREAT, PRIVATE_FILE)) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def head(db: sqlite3.Connection) -> Head:
    """The number of entries and the hash of the last one; of a database that is being made, of none."""
    made = db.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'chain'").fetchone()[0]
    return chained.head(db) if made else (0, chained.START)


def note(db: sqlite3.Connection, before: Head, after: Head) -> None:
    """Note the heads that the database may have: two while a change is committed, then one; on the disk at once."""
    if (file := _file(db)) is None:
        return
    keep_private(file, json.dumps({"before": before, "after": after}).encode() + b"\n")
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check(db: sqlite3.Connection) -> list[Problem]:
    """What speaks against a database by the head that was noted. To be asked within a transaction."""
    file, now = _file(db), chained.head(db)
    if file is None or (not file.exists() and now[0] == 0):
        return []
    try:
        told = json.loads(file.read_text())
        known = {tuple(told["before"]), tuple(told["after"])}
    except OSError:
        return [Problem(FILE, "is missing: a rollback of the reviews can't be ruled out", HINT)]
    except (ValueError, KeyError, TypeError):
        return [Problem(FILE, "can't be read: it was changed", HINT)]
    if now in known:
        return []
    what = f"has {now[0]} entries, but not the noted head: it is an old copy, or was written by another program"
    return [Problem("review/review.sqlite", what, HINT)]


def _file(db: sqlite3.Connection) -> Path | None:
    """Where the head is noted; None of a database in memory."""
    name = next(path for _, schema, path in db.execute("PRAGMA database_list") if schema == "main")
    return Path(name).parents[1] / FILE if name else None
