"""Who looked at which picture: a record of every view in the vault, which answers a person or an officer who asks.

A record holds no more than that: when, by whom (the name of the account on this machine), the image's opaque id, the
model, and whether it was shown. The records of a person's images go when they are erased.
"""

import getpass
import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from accord.sealing import sqlite

NAME, WHAT = "views.sqlite", "the record of views"
TABLE = "CREATE TABLE IF NOT EXISTS view (at TEXT, who TEXT, image TEXT, model TEXT, shown INTEGER)"
OF_IMAGES = "image IN (SELECT value FROM json_each(?))"


class View(NamedTuple):
    """A picture that was asked for: when (ISO 8601, UTC), by whom, of which image and model, whether it was shown."""

    at: str
    who: str
    image: str
    model: str
    shown: bool


def note(vault: Path, image: str, model: str, shown: bool) -> None:
    """Record a view, before the picture is handed out. Raises AccordError where that can't be done."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with _opened(vault) as db:
        db.execute("INSERT INTO view VALUES (?, ?, ?, ?, ?)", (at, account(), image, model, int(shown)))


def account() -> str:
    """The name of the account that runs this; `unknown` where the machine has none for it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def views(vault: Path, images: Collection[str] | None = None) -> list[View]:
    """All views in their order, or those of some images."""
    if not vault.joinpath(NAME).is_file():
        return []
    where, given = ("TRUE", ()) if images is None else (OF_IMAGES, (json.dumps(sorted(images)),))
    with _opened(vault) as db:
        rows = db.execute(f"SELECT at, who, image, model, shown FROM view WHERE {where} ORDER BY rowid", given)
        return [View(at, who, image, model, bool(shown)) for at, who, image, model, shown in rows]


def forget(vault: Path, images: Collection[str]) -> int:
    """Erase the records of some images; returns how many. Nothing of them is left in the file's bytes."""
    if not vault.joinpath(NAME).is_file():
        return 0
    with _opened(vault) as db:
        count = db.execute(f"DELETE FROM view WHERE {OF_IMAGES}", (json.dumps(sorted(images)),)).rowcount
        db.execute("VACUUM")
    return count


@contextmanager
def _opened(vault: Path) -> Iterator[sqlite3.Connection]:
    vault.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = vault / NAME
    path.touch(mode=0o600)
    with sqlite.connected(path, NAME, WHAT) as db:
        db.execute(TABLE)
        yield db
