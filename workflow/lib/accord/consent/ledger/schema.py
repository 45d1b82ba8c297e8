"""The tables of the ledger's file, and the triggers that let them only grow."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from accord.consent.ledger.chain import RECORDS
from accord.engine import resources
from accord.sealing import chained

SINCE_HEADS = ("settled",)
"""Tables that came after the heads of the chain were noted outside the file: ledgers without them have noted heads."""
SCHEMA = resources.beside(__name__) / "ledger.sql"


def tables(ledger: sqlite3.Connection) -> set[str]:
    """The tables that a file has; a ledger of an earlier version lacks some."""
    return {name for (name,) in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def is_current(ledger: sqlite3.Connection) -> bool:
    """Whether a ledger has all tables of this version."""
    return tables(ledger) >= {"chain", *RECORDS}


def has_heads(ledger: sqlite3.Connection) -> bool:
    """Whether a ledger is of a version that notes the heads of its chain."""
    return tables(ledger) >= {"chain", *RECORDS} - set(SINCE_HEADS)


def make(ledger: sqlite3.Connection) -> None:
    """Make all tables and triggers that a file lacks, within the transaction that is open."""
    statement = ""
    for line in SCHEMA.read_text().splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            ledger.execute(statement)
            statement = ""
    chained.only_grow(ledger, RECORDS)


def is_new(ledger: sqlite3.Connection) -> bool:
    """Whether a file holds no ledger yet."""
    return "chain" not in tables(ledger)


@contextmanager
def erasable(ledger: sqlite3.Connection) -> Iterator[None]:
    """In the block, and in its transaction alone, records can be deleted; the chain never can."""
    with chained.erasable(ledger, RECORDS):
        yield
