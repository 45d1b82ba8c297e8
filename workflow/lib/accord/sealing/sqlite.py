"""The vault's databases: opened so that what is deleted is gone from the file, and what is written survives a crash."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.errors import AccordError, Problem

WAIT = 60
"""Seconds to wait for another process that writes."""


@contextmanager
def connected(file: Path, where: str, what: str = "") -> Iterator[sqlite3.Connection]:
    """An open connection without implicit transactions.

    Raises AccordError where the file is no sound database: `where` is how it is called, `what` what it is.
    """
    # Not mode=ro: after a crash, whoever opens the file next must be able to roll its journal back.
    # A web framework may open in one thread and go on in another, one at a time.
    db = sqlite3.connect(file, isolation_level=None, timeout=WAIT, check_same_thread=False)
    try:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("PRAGMA recursive_triggers = ON")  # or REPLACE would delete past the triggers
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute("PRAGMA temp_store = MEMORY")
        yield db
    except sqlite3.DatabaseError as error:
        hint = "restore the vault from a backup; look for what else writes there"
        raise AccordError(Problem(where, f"{what} can't be used ({error})".strip(), hint)) from None
    finally:
        db.close()
