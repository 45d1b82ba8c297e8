"""Erasure of reviews: all that was asked and said of a person's images goes; the chain still verifies without it.

An image of two people goes with either of them; of a pair of images, what was said goes with either. Who decided stays
in no record of these images: the commitments that are left say nothing.
"""

import json
import sqlite3
from collections.abc import Collection
from pathlib import Path

from accord.errors import AccordError
from accord.review.database import chain, store
from accord.sealing import chained

OF_THEM = """
    SELECT item FROM item
    WHERE image IN (SELECT value FROM json_each(:images)) OR other IN (SELECT value FROM json_each(:images))
    OR subject IN (SELECT value FROM json_each(:subjects))
"""


def planned(vault: Path, images: Collection[str], subjects: Collection[str]) -> int:
    """How many items `forget` would take away."""
    with store.reading(vault) as db:
        return len(_items(db, images, subjects))


def forget(vault: Path, images: frozenset[str], subjects: frozenset[str]) -> int:
    """Take away all items about images or subjects, with their votes, drawn regions, notes and assignments, and whom
    they were handed to; returns how many items those were.

    Nothing of them is left in the file's bytes. Done again after a crash, it ends in the same state. Raises AccordError
    where the database was tampered with.
    """
    if not store.exists(vault):
        return 0
    with store.opened(vault) as db:
        if problems := chain.verify(db):
            raise AccordError(problems)
        with store.changing(db):
            items = _items(db, images, subjects)
            _erase(db, items)
        store.vacuum(db)
    return len(items)


def _items(db: sqlite3.Connection, images: Collection[str], subjects: Collection[str]) -> list[str]:
    named = {"images": json.dumps(sorted(set(images) - {""})), "subjects": json.dumps(sorted(set(subjects) - {""}))}
    return [item for (item,) in db.execute(OF_THEM, named)]


def _erase(db: sqlite3.Connection, items: list[str]) -> None:
    named = (json.dumps(items),)
    within = "item IN (SELECT value FROM json_each(?))"
    entries = [str(seq) for (seq,) in db.execute(f"SELECT seq FROM vote WHERE {within} ORDER BY seq", named)]
    with chained.erasable(db, store.RECORDS):
        db.execute(f"DELETE FROM vote WHERE {within}", named)
    db.execute(f"DELETE FROM item WHERE {within}", named)
    if entries:
        chained.append(db, chained.ERASURE, chained.now(db, store.RECORDS), [(" ".join(entries),)])
