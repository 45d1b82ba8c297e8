"""The vault's databases: opened so that what is deleted is gone from the file, and what is written survives a crash."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from accord.errors import AccordError, Problem

WAIT = 60
"""Seconds to wait for another process that writes."""


DAMAGED = "restore the vault from a backup; look for what else writes there"
NO_ACCESS = "nothing was written: see who owns the file and its folder, and how the disk is mounted; then run again"
HINTS = {
    sqlite3.SQLITE_FULL: "nothing was written: free some space where the vault lies, and run again",
    sqlite3.SQLITE_IOERR: "nothing was written: see whether the disk is full or failing, and run again",
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), (
        "nothing was written: another process writes there; wait until it has finished, and run again"
    )),
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM), NO_ACCESS),
}  # fmt: skip
"""Kind of SQLite's error -> what to do where the database itself is sound."""


@contextmanager
def connected(file: Path, where: str, what: str = "") -> Iterator[sqlite3.Connection]:
    """An open connection without implicit transactions.

    Raises AccordError where the file is no sound database: `where` is how it is called, `what` what it is.
    """
    # Not mode=ro: after a crash, whoever opens the file next must be able to roll its journal back.
    # A web framework may open in one thread and go on in another, one at a time.
    try:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=WAIT, check_same_thread=False)) as db:
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA recursive_triggers = ON")  # or REPLACE would delete past the triggers
            db.execute("PRAGMA journal_mode = TRUNCATE")
            db.execute("PRAGMA synchronous = EXTRA")
            db.execute("PRAGMA temp_store = MEMORY")
            yield db
    except sqlite3.DatabaseError as error:
        # The first byte is the kind; the others say more of it.
        hint = HINTS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, DAMAGED)
        raise AccordError(Problem(where, f"{what} can't be used ({error})".strip(), hint)) from None
