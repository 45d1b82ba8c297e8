"""What a vault of paid answers holds: read for those who look after it, and never changed."""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.evaluate.asking.answer_vault import NAME, SCHEMA, WHAT
from accord.sealing import sqlite

HINT = "restore the file from a copy, or delete it: answers are then paid for again"
LATER = ("refused", "others")
"""Tables that a vault of an earlier version lacks."""


class Model(NamedTuple):
    """A model with its options: the version that answered, how many calls were made, and the versions whose answers
    were refused, since another had answered before."""

    version: str
    calls: int
    refused: tuple[str, ...]


class Account(NamedTuple):
    """answers: image, text and status of each; models: by the digest of their options (`answer_vault.digest`)."""

    answers: list[tuple[str, str, str]]
    models: dict[str, Model]


def read(vault: Path) -> Account | None:
    """What is held; None where there is no file. Raises AccordError where it is damaged, or no such vault."""
    if not (vault / NAME).is_file():
        return None
    with sqlite.connected(vault / NAME, NAME, WHAT) as db:
        if any(row != ("ok",) for row in db.execute("PRAGMA integrity_check")):
            raise AccordError(Problem(NAME, "is damaged", HINT))
        there = _schema(db)
        if not _expected() - there.keys() <= set(LATER) or _others(there):
            raise AccordError(Problem(NAME, "is another database, or was changed by another program", HINT))
        refused = db.execute("SELECT name, version FROM refused").fetchall() if "refused" in there else []
        models = {
            name: Model(version, calls, tuple(sorted(other for of, other in refused if of == name)))
            for name, version, calls in db.execute("SELECT name, version, calls FROM models")
        }
        return Account(db.execute("SELECT image, text, status FROM answers").fetchall(), models)


def _schema(db: sqlite3.Connection) -> dict[str, str]:
    """Name -> definition of all tables, views and triggers."""
    return dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex%'"))


def _made() -> dict[str, str]:
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(SCHEMA)
        return _schema(db)
    finally:
        db.close()


def _expected() -> set[str]:
    return set(_made())


def _others(there: dict[str, str]) -> bool:
    """Whether there is a table, view or trigger that isn't defined as in a vault of answers."""
    return not there.items() <= _made().items()
