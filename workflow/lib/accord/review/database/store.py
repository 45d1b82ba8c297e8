"""The database of reviews, `<vault>/review/review.sqlite`: what people are asked, who is asked, and what they said.

What they said is chained and only grows (accord.sealing.chained); what is asked, and who is, are tables that may
change. Deleted and replaced bytes don't stay in the file (secure_delete), nor in its journal (TRUNCATE: a write-ahead
log would not do, since the vault may lie on a network's file system, where other machines read it).
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.engine import resources
from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, make_private
from accord.review.database import seal
from accord.sealing import chained, sqlite

FOLDER, NAME = "review", "review.sqlite"
RECORDS = ("vote", "account", "erasure")
SCHEMA = resources.beside(__name__) / "store.sql"
VERSION = 1


def path(vault: Path) -> Path:
    """Where the database of a vault lies."""
    return vault / FOLDER / NAME


def exists(vault: Path) -> bool:
    """Whether a vault holds a database of reviews. A file without tables is none: its making was interrupted."""
    if not path(vault).is_file():
        return False
    with _connected(path(vault)) as db:
        return _version(db) > 0


@contextmanager
def opened(vault: Path) -> Iterator[sqlite3.Connection]:
    """The database of a vault, made where there is none, to be read and written: each change is a transaction.

    Raises AccordError where the file is none of reviews, or of a later version.
    """
    make_private(vault / FOLDER)
    path(vault).touch(mode=PRIVATE_FILE)
    with _connected(path(vault)) as db:
        if _version(db) != VERSION:
            _make(db)
        yield db


@contextmanager
def reading(vault: Path) -> Iterator[sqlite3.Connection]:
    """The database of a vault, to be read; an empty one where there is none, and nothing is made."""
    if exists(vault):
        with _connected(path(vault)) as db:
            db.execute("PRAGMA query_only = ON")
            yield db
        return
    with _connected(Path(":memory:")) as empty:
        _make(empty)
        empty.execute("PRAGMA query_only = ON")
        yield empty


@contextmanager
def changing(db: sqlite3.Connection) -> Iterator[None]:
    """All that the block does is kept, or nothing is; within another such block, with that one."""
    if db.in_transaction:
        yield
        return
    with seal.locked(db):
        db.execute("BEGIN IMMEDIATE")
        try:
            before = seal.head(db)
            yield
            if (after := seal.head(db)) != before:
                seal.note(db, before, after)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        if after != before:
            seal.note(db, after, after)


@contextmanager
def snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """All that the block reads is of one moment."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def vacuum(db: sqlite3.Connection) -> None:
    """Rewrite the file without what was deleted."""
    db.execute("VACUUM")


@contextmanager
def _connected(file: Path) -> Iterator[sqlite3.Connection]:
    with sqlite.connected(file, f"{FOLDER}/{NAME}") as db:
        db.execute("PRAGMA foreign_keys = ON")
        yield db


def _version(db: sqlite3.Connection) -> int:
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        hint = "use the version of Accord that wrote it, or a later one"
        raise AccordError(Problem(f"{FOLDER}/{NAME}", f"has the unknown version {found}", hint))
    return found


def _make(db: sqlite3.Connection) -> None:
    with changing(db):
        for statement in [chained.TABLE, *SCHEMA.read_text().split(";\n")]:
            if statement.strip():
                db.execute(statement)
        chained.only_grow(db, RECORDS)
        db.execute(f"PRAGMA user_version = {VERSION}")
