"""The consent ledger: an append-only SQLite file in the vault that remembers who granted and withdrew what, and when.

Bitemporal: when a thing holds (`event_on`) and when it was learnt (`recorded_at`). Deleted and replaced bytes don't
stay in the file (secure_delete), nor in its journal (TRUNCATE).
"""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from accord.consent import chain
from accord.errors import AccordError, Problem

NAME = "ledger.sqlite"
SCHEMA = Path(__file__).parent / "ledger.sql"
GRANTED, WITHDRAWN = "granted", "withdrawn"
FORM, COMMAND = "form", "command"
ANNOTATOR, RIGHTSHOLDER, SUBJECT = "annotator", "rightsholder", "subject"


class Party(NamedTuple):
    """Somebody who has a say: an id and a role."""

    subject: str
    role: str


class Notice(NamedTuple):
    """A text that people agreed to."""

    notice: str
    version: str
    language: str
    sha256: str


class ConsentEvent(NamedTuple):
    """A scope that somebody granted or withdrew on a day; `image` is "" for all images."""

    role: str
    subject: str
    image: str
    scope: str
    state: str
    event_on: str
    expires_on: str
    source: str
    form: str
    notice_sha256: str
    evidence_sha256: str


class IprForm(NamedTuple):
    """A copyright form; `image` is "" for all images of the rightsholder."""

    subject: str
    image: str
    event_on: str
    expires_on: str
    form: str
    evidence_sha256: str


class Depicts(NamedTuple):
    """That an image shows somebody, as its primary or secondary subject."""

    image: str
    subject: str
    role: str


TABLES = {Party: "party", Notice: "notice", ConsentEvent: "consent_event", IprForm: "ipr_form", Depicts: "depicts"}


@contextmanager
def writing(vault: Path) -> Iterator[sqlite3.Connection]:
    """The ledger in a vault, in one transaction: all that the block appends is kept, or nothing is.

    Made where there is none; the vault is then readable by its owner alone.
    """
    vault.mkdir(mode=0o700, parents=True, exist_ok=True)
    vault.chmod(0o700)
    path = vault / NAME
    path.touch(mode=0o600)
    with _connected(path) as ledger:
        ledger.execute("BEGIN IMMEDIATE")
        try:
            if not _has_tables(ledger):
                _make(ledger)
            yield ledger
            ledger.execute("COMMIT")
        except BaseException:
            if ledger.in_transaction:
                ledger.execute("ROLLBACK")
            raise


@contextmanager
def reading(vault: Path, *, verified: bool = True) -> Iterator[sqlite3.Connection]:
    """The ledger in a vault, to be read. Raises AccordError where there is none, or (if `verified`) it was changed."""
    if not exists(vault):
        hint = "the vault was moved or deleted: restore it, or delete results/consent and run again"
        raise AccordError(Problem(NAME, "there is no consent ledger in the vault", hint))
    with _connected(vault / NAME) as ledger:
        ledger.execute("PRAGMA query_only = ON")
        problems = chain.verify(ledger) if verified else []
        if problems:
            raise AccordError(problems)
        yield ledger


def exists(vault: Path) -> bool:
    """Whether a vault holds a ledger. A file without tables is none: its making was interrupted."""
    if not vault.joinpath(NAME).is_file():
        return False
    with _connected(vault / NAME) as ledger:
        return _has_tables(ledger)


def append(ledger: sqlite3.Connection, records: Iterable[NamedTuple]) -> int:
    """Append the records that the ledger doesn't hold yet; returns how many those were."""
    recorded_at = datetime.now(UTC).isoformat(timespec="seconds")
    seq, before = chain.head(ledger)
    known = {kind: set(read(ledger, kind)) for kind in TABLES}
    new = 0
    for record in records:
        if record in known[type(record)]:
            continue
        known[type(record)].add(record)
        table, row = TABLES[type(record)], (secrets.token_hex(32), recorded_at, *record)
        seq, new = seq + 1, new + 1
        committed = chain.commitment(table, row)
        before = chain.link(before, seq, table, committed)
        ledger.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", (seq, table, committed, before))
        marks = ", ".join("?" * (len(row) + 1))
        ledger.execute(f"INSERT INTO {table} VALUES ({marks})", (seq, *row))
    return new


def read(ledger: sqlite3.Connection, kind: type) -> list:
    """All records of a kind, in the order in which they were appended."""
    columns = ", ".join(kind._fields)
    return [kind(*row) for row in ledger.execute(f"SELECT {columns} FROM {TABLES[kind]} ORDER BY seq")]


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    # Not mode=ro: after a crash, whoever opens the file next must be able to roll its journal back.
    ledger = sqlite3.connect(path, isolation_level=None, timeout=60)
    try:
        ledger.execute("PRAGMA secure_delete = ON")
        ledger.execute("PRAGMA journal_mode = TRUNCATE")
        ledger.execute("PRAGMA synchronous = EXTRA")
        ledger.execute("PRAGMA temp_store = MEMORY")
        yield ledger
    except sqlite3.DatabaseError as error:
        hint = "restore the vault from a backup; look for what else writes there"
        raise AccordError(Problem(NAME, f"the consent ledger can't be used ({error})", hint)) from None
    finally:
        ledger.close()


def _has_tables(ledger: sqlite3.Connection) -> bool:
    return ledger.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'chain'").fetchone()[0] == 1


def _make(ledger: sqlite3.Connection) -> None:
    statement = ""
    for line in SCHEMA.read_text().splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            ledger.execute(statement)
            statement = ""
    for table in ("chain", *chain.RECORDS):
        for verb in ("UPDATE", "DELETE"):
            ledger.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}"
                " BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            )
    for table in chain.RECORDS:
        ledger.execute(
            f"CREATE TRIGGER {table}_follows BEFORE INSERT ON {table}"
            " WHEN NEW.seq IS NOT (SELECT MAX(seq) FROM chain)"
            " BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        )
