"""Items in the database of reviews: what the flow asks of people, kept up with what its tables say."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.engine import table
from accord.queues import QUEUES
from accord.review.database import standing, store
from accord.review.tables import Items

COLUMNS = (
    *("item", "queue", "image", "subject", "other", "region", "check", "kind", "polygon", "score", "threshold"),
    *("reason", "votes"),
)
SELECT = "SELECT " + ", ".join(f'item."{column}"' for column in COLUMNS) + " FROM item"
SEEN = ("queue", "image", "other", "region", "check", "kind", "polygon")
"""What a vote is about: where one of these changes, something else is asked."""


class Item(NamedTuple):
    """Something that a person is to look at: a row of Items, and how many votes are asked for."""

    item: str
    queue: str
    image: str
    subject: str
    other: str
    region: str
    check: str
    kind: str
    polygon: tuple[float, ...]
    score: float | None
    threshold: float | None
    reason: str
    votes: int


def of(row: tuple) -> Item:
    """The item of a row of SELECT."""
    told: dict[str, Any] = dict(zip(Item._fields, row, strict=True))
    told["polygon"] = tuple(json.loads(told["polygon"]))
    return Item(**told)


def find(db: sqlite3.Connection, item: str) -> Item | None:
    """An item by its id; None where there is none."""
    row = db.execute(f"{SELECT} WHERE item.item = ?", (item,)).fetchone()
    return of(row) if row else None


def add_items(db: sqlite3.Connection, items: DataFrame[Items], queues: Iterable[str] | None = None) -> int:
    """Keep the queues up with what the flow asks; returns how many items are new.

    `queues`: those that the table speaks of, by default those in it: an item of theirs that it has no more is gone,
    and comes back with its votes where it is asked again. What is settled stays as it was decided; an item that is not
    and that changed in what a person sees is asked anew, and has its votes again where it changes back.
    """
    items = table.check(items, Items, "items")
    spoken = set(items["queue"]) if queues is None else set(queues)
    given = {row[0]: row for row in map(_row, items[list(COLUMNS[:-1])].itertuples(index=False, name=None))}
    with store.changing(db):
        known = {item: (asked, state, gone) for item, asked, state, gone in db.execute(
            "SELECT item, asked, state, gone FROM item")}  # fmt: skip
        new = [row for item, row in given.items() if item not in known]
        waiting = [row for item, row in given.items() if item in known and known[item][1] != "settled"]
        _insert(db, new)
        _update(db, waiting)
        _set_gone(db, given.keys(), sorted(spoken & set(QUEUES)))
        for item in [row[0] for row in waiting if known[row[0]][0] != row[-1]]:
            standing.settle(db, item)  # votes on another question don't count; those on this one, asked before, do
    return len(new)


def asked(told: Mapping[str, object]) -> str:
    """The digest of what a person sees of an item, given its columns (the polygon as text)."""
    return hashlib.sha256(json.dumps([told[name] for name in SEEN], ensure_ascii=False).encode()).hexdigest()


def _row(row: tuple) -> tuple:
    """The columns of the database, the digest of what is seen last."""
    told = dict(zip(COLUMNS, row, strict=False))
    told["polygon"] = json.dumps([float(at) for at in told["polygon"]])
    for name in ("score", "threshold"):
        told[name] = None if told[name] != told[name] else float(told[name])
    return (*told.values(), asked(told))


def _insert(db: sqlite3.Connection, rows: list[tuple]) -> None:
    names = ", ".join(f'"{name}"' for name in (*COLUMNS[:-1], "asked"))
    db.executemany(f"INSERT INTO item ({names}) VALUES ({', '.join('?' * len(COLUMNS))})", rows)


def _update(db: sqlite3.Connection, rows: list[tuple]) -> None:
    names = (*COLUMNS[1:-1], "asked")
    changes = ", ".join(f'"{name}" = ?' for name in names)
    db.executemany(f"UPDATE item SET {changes} WHERE item = ?", [(*row[1:], row[0]) for row in rows])


def _set_gone(db: sqlite3.Connection, given: Iterable[str], queues: list[str]) -> None:
    """Note which items are gone. Those in the table are not; others of the queues are, unless they are settled."""
    marks = ", ".join("?" * len(queues))
    db.execute("CREATE TEMP TABLE IF NOT EXISTS given (item TEXT PRIMARY KEY)")
    db.execute("DELETE FROM given")
    db.executemany("INSERT INTO given VALUES (?)", [(item,) for item in given])
    gone = f"SELECT item FROM item WHERE queue IN ({marks}) AND state <> 'settled' AND item NOT IN given AND gone = 0"
    back = "SELECT item FROM item WHERE item IN given AND gone = 1"
    for asked, values, flag in ((gone, queues, 1), (back, [], 0)):
        found = [(flag, item) for (item,) in db.execute(asked, values)]
        db.executemany("UPDATE item SET gone = ? WHERE item = ?", found)
        opens = "UPDATE assignment SET open = (? = 0 AND decision = '') WHERE item = ?"
        db.executemany(opens, found)
