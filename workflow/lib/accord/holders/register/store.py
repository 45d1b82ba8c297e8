"""The store of holders, `<vault>/holders/holders.sqlite`: who holds which version, what they were told and answered.

Names and contacts are personal: they are here, and in the notices of the outbox, and nowhere else. What is deleted
leaves the file's bytes (secure_delete, VACUUM) and its journal (TRUNCATE).
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, make_private
from accord.sealing import sqlite

FOLDER, NAME = "holders", "holders.sqlite"
SCHEMA = """
    CREATE TABLE IF NOT EXISTS holder (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, contact TEXT NOT NULL, key TEXT NOT NULL, trusted TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS download (
        holder TEXT NOT NULL REFERENCES holder, version TEXT NOT NULL, root TEXT NOT NULL, until TEXT NOT NULL,
        ended TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (holder, version));
    CREATE TABLE IF NOT EXISTS revocation (
        version TEXT NOT NULL, position INTEGER NOT NULL, receipt TEXT NOT NULL, leaves_after TEXT NOT NULL,
        envelope BLOB NOT NULL, PRIMARY KEY (version, position), UNIQUE (version, receipt));
    CREATE TABLE IF NOT EXISTS notice (
        id TEXT PRIMARY KEY, holder TEXT NOT NULL, version TEXT NOT NULL, position INTEGER NOT NULL, made TEXT NOT NULL,
        due TEXT NOT NULL, sent TEXT NOT NULL, UNIQUE (holder, version, position));
    CREATE TABLE IF NOT EXISTS acknowledgement (
        digest TEXT PRIMARY KEY, holder TEXT NOT NULL, version TEXT NOT NULL, position INTEGER NOT NULL,
        recorded TEXT NOT NULL, document BLOB NOT NULL)
"""


class Holder(NamedTuple):
    """Somebody who holds releases. `key`: their public key (PEM), or ""; `trusted`: how it came.

    Of one who was forgotten, only the random id is left.
    """

    id: str
    name: str
    contact: str
    key: str
    trusted: str


class Download(NamedTuple):
    """A version that a holder holds. `until`, `ended`: days, or ""; `document`: the signed grant."""

    holder: str
    version: str
    root: str
    until: str
    ended: str
    document: bytes


class Revoked(NamedTuple):
    """A revocation of a version. `position`: from 1, in the order in which they were announced; `leaves_after`: sha256
    of the leaves' file when all up to it are carried out, or "" where nobody asked.
    """

    version: str
    position: int
    receipt: str
    leaves_after: str
    envelope: bytes


class Notice(NamedTuple):
    """What a holder was told: all revocations of a version up to a position. `made`, `due`, `sent`: days, or ""."""

    id: str
    holder: str
    version: str
    position: int
    made: str
    due: str
    sent: str


class Answer(NamedTuple):
    """A holder's acknowledgement of all revocations of a version up to a position; `recorded`: a day."""

    digest: str
    holder: str
    version: str
    position: int
    recorded: str
    document: bytes


GRANT, FIRST_USE = "grant", "first use"
"""How a key came: with a grant, or with the first acknowledgement."""

TABLES: dict[type, str] = {
    Holder: "holder",
    Download: "download",
    Revoked: "revocation",
    Notice: "notice",
    Answer: "acknowledgement",
}
OPEN = """
    SELECT notice.* FROM notice JOIN download USING (holder, version)
    WHERE download.ended = '' AND NOT EXISTS (
        SELECT 1 FROM acknowledgement AS done
        WHERE (done.holder, done.version) = (notice.holder, notice.version) AND done.position >= notice.position)
    ORDER BY due, holder, version, position
"""


@contextmanager
def writing(vault: Path) -> Iterator[sqlite3.Connection]:
    """The store of a vault, made where there is none, in one transaction: all that is done is kept, or nothing."""
    make_private(vault / FOLDER)
    (vault / FOLDER / NAME).touch(mode=PRIVATE_FILE)
    with sqlite.connected(vault / FOLDER / NAME, f"{FOLDER}/{NAME}") as store:
        store.execute("BEGIN IMMEDIATE")
        try:
            for statement in SCHEMA.split(";"):
                store.execute(statement)
            yield store
            store.execute("COMMIT")
        except BaseException:
            if store.in_transaction:
                store.execute("ROLLBACK")
            raise


@contextmanager
def reading(vault: Path) -> Iterator[sqlite3.Connection]:
    """The store of a vault; an empty one where there is none, and nothing is made."""
    if (vault / FOLDER / NAME).is_file():
        with writing(vault) as store:
            yield store
        return
    empty = sqlite3.connect(":memory:")
    try:
        empty.executescript(SCHEMA)
        yield empty
    finally:
        empty.close()


def add(store: sqlite3.Connection, row: NamedTuple) -> None:
    """Add a row to its table."""
    store.execute(f"INSERT INTO {TABLES[type(row)]} VALUES ({', '.join('?' * len(row))})", row)


def find(store: sqlite3.Connection, kind: type, **where: object) -> list:
    """The rows of a kind whose columns have these values, in the order in which they were added."""
    asked = " AND ".join(f"{column} = ?" for column in where) or "TRUE"
    rows = store.execute(f"SELECT * FROM {TABLES[kind]} WHERE {asked} ORDER BY rowid", tuple(where.values()))
    return [kind(*row) for row in rows]


def open_notices(store: sqlite3.Connection) -> list[Notice]:
    """Notices of holders who still hold the version and haven't acknowledged, by day due."""
    return [Notice(*row) for row in store.execute(OPEN)]


def holder(store: sqlite3.Connection, identity: str) -> Holder:
    """A holder by id. Raises AccordError where there is none."""
    found = find(store, Holder, id=identity)
    if not found:
        raise AccordError(Problem(f"holder {identity}", "is unknown", "`accord holders list` lists all"))
    return found[0]


def vacuum(vault: Path) -> None:
    """Rewrite the file without what was deleted."""
    with sqlite.connected(vault / FOLDER / NAME, f"{FOLDER}/{NAME}") as store:
        store.execute("VACUUM")
