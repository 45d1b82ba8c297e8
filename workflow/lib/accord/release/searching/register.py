"""Who is searched for, and who must not be: names lie in the vault alone, all else knows salted ids."""

import hmac
import json
import secrets
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, make_private
from accord.sealing import sqlite

NAME, WHAT = "search.sqlite", "the list of searches"
SCHEMA = """
CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), salt BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS searches (query TEXT PRIMARY KEY, name TEXT NOT NULL, words TEXT NOT NULL,
                                     groups TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS opted_out (query TEXT PRIMARY KEY);
"""
ID_BYTES = 8
ACCENTS, APOSTROPHES = map(chr, range(0x300, 0x370)), "'`´ʹʻʼʽ\u2018\u2019\u201b\u2032\uff07"
STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode doesn't take apart."""
DROPPED = {*ACCENTS, *APOSTROPHES}
"""In names, what one spelling has and another hasn't: accents of Latin, Greek and Cyrillic letters. Marks of other
scripts are letters of theirs."""


class Search(NamedTuple):
    """Whom to search for: the name and the words behind it, and the groups that the person counts in."""

    query: str
    name: str
    words: str
    groups: Mapping[str, str]


class Register:
    """The list of one vault. Made by `opened`. The id of a name is a keyed digest of it: who has a name and no vault
    can't find out whether it was searched for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._salt = db.execute("SELECT salt FROM secret").fetchone()[0]

    def id_of(self, name: str) -> str:
        """The id of a name, however it is spelled (`normalised`)."""
        return self._keyed("name", normalised(name))

    def picture_of(self, query: str, address: str) -> str:
        """The id of a picture, which begins with its query's."""
        return f"{query}-{self._keyed('picture', query, address)}"

    def add(self, found: Iterable[Search]) -> int:
        """List searches, but for those of people who opted out; returns how many are listed of these."""
        rows = [(one.query, one.name, one.words, json.dumps(dict(one.groups), sort_keys=True)) for one in found]
        self._db.execute("BEGIN IMMEDIATE")
        rows = [row for row in rows if not self.has_opted_out(row[0])]
        self._db.executemany("INSERT OR REPLACE INTO searches VALUES (?, ?, ?, ?)", rows)
        self._db.execute("COMMIT")
        return len(rows)

    def queries(self) -> list[str]:
        """The ids of all who may be searched for."""
        return [row[0] for row in self._db.execute("SELECT query FROM searches ORDER BY query")]

    def search(self, query: str) -> Search | None:
        """What to search for; None where the person opted out or was erased, now."""
        found = self._db.execute("SELECT name, words, groups FROM searches WHERE query = ?", [query]).fetchone()
        if found is None or self.has_opted_out(query):
            return None
        return Search(query, found[0], found[1], json.loads(found[2]))

    def has_opted_out(self, query: str) -> bool:
        """Whether somebody must not be searched for."""
        return self._db.execute("SELECT 1 FROM opted_out WHERE query = ?", [query]).fetchone() is not None

    def opt_out(self, name: str) -> str:
        """Never search for a name again: it is erased, and only its id stays; returns it."""
        query = self.id_of(name)
        self._db.execute("INSERT OR IGNORE INTO opted_out VALUES (?)", [query])
        self.forget([query])
        return query

    def forget(self, queries: Iterable[str]) -> int:
        """Erase names, down to the bytes of the file; returns how many there were."""
        wanted = sorted(set(queries))
        found = [self._db.execute("DELETE FROM searches WHERE query = ?", [query]).rowcount for query in wanted]
        self._db.execute("VACUUM")
        return sum(found)

    def _keyed(self, *parts: str) -> str:
        return hmac.digest(self._salt, "\0".join(parts).encode(), "sha256").hex()[: 2 * ID_BYTES]


@contextmanager
def opened(vault: Path) -> Iterator[Register]:
    """The list in a vault, which is made where there is none."""
    make_private(vault)
    (vault / NAME).touch(mode=PRIVATE_FILE)
    with sqlite.connected(vault / NAME, NAME, WHAT) as db:
        db.executescript(SCHEMA)
        db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", [secrets.token_bytes(32)])
        yield Register(db)


def listed(vault: Path) -> list[str]:
    """The ids of all who may be searched for. Raises AccordError where nobody is."""
    found: list[str] = []
    if (vault / NAME).is_file():
        with opened(vault) as register:
            found = register.queries()
    if not found:
        raise AccordError(Problem(NAME, "lists nobody to search for", "accord search add queries.csv"))
    return found


def query_of(image: str) -> str:
    """The query that a picture was found for: `Register.picture_of` begins with it."""
    return image.partition("-")[0]


def normalised(name: str) -> str:
    """A name as it is compared, so that who opts out is found: without case, accents, apostrophes and signs that can't
    be seen, and with single spaces for hyphens and all else that is neither letter, mark nor digit."""
    apart = unicodedata.normalize("NFKD", name.casefold().translate(STROKES))
    plain = (one for one in apart if one not in DROPPED and unicodedata.category(one) != "Cf")
    kept = "".join(one if unicodedata.category(one)[0] in "LMN" else " " for one in plain)
    return " ".join(unicodedata.normalize("NFC", kept.casefold()).split())
