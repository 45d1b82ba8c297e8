"""Answers of services, which can't be had a second time: kept one by one in the vault, replayed, and erased."""

import hashlib
import hmac
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, make_private
from accord.models.protocols import Answer, PaidAnswer
from accord.sealing import canonical, sqlite

NAME, WHAT = "answers.sqlite", "the vault of answers"
SCHEMA = """
CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), salt BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, image TEXT NOT NULL, text TEXT NOT NULL,
                                    status TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS models (name TEXT PRIMARY KEY, version TEXT NOT NULL, calls INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS refused (name TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (name, version));
CREATE TABLE IF NOT EXISTS others (key BLOB PRIMARY KEY, image TEXT NOT NULL);
"""
ABOUT = "image = ? OR key IN (SELECT key FROM others WHERE image = ?)"
NOT_ASKED_AGAIN = ("said", "empty", "refused", "cut")
"""Statuses that a service has decided on. A call that failed is made again in the next run."""
BESIDE_THE_ANSWER = ("cost_per_call", "key", "secret", "token", "timeout")
"""Options on which no answer depends: a changed price must not make anybody pay again."""


class Call(NamedTuple):
    """One question about one picture: the image's id, the sha256 of the file that is shown, and the text. Of a question
    about two pictures `other` is the second image's id; the text says its sha256."""

    image: str
    sha256: str
    question: str
    other: str = ""


class Limits(NamedTuple):
    """What may be spent on a model, in all runs together: calls, and their cost; None for no limit. setting: where the
    limits stand in the settings."""

    max_calls: int | None = None
    max_cost: float | None = None
    setting: str = "evaluate.external"


class AnswerVault:
    """The answers of one model. `model`: its entry, as `Models.spec` tells it. Made by `opened`."""

    def __init__(self, db: sqlite3.Connection, model: dict[str, Any]) -> None:
        self._db, self.name, self._lock = db, f"model {model['name']}", threading.RLock()
        self._model = digest(model)
        self._salt = self._db.execute("SELECT salt FROM secret").fetchone()[0]

    def known(self, call: Call) -> Answer | None:
        """What was answered to it before."""
        found = self._db.execute("SELECT text, status, reason FROM answers WHERE key = ?", [self._key(call)]).fetchone()
        return Answer(*found) if found else None

    def check(self, missing: int, cost_per_call: float, limits: Limits) -> None:
        """Raises AccordError where that many more calls would go beyond the limits: before any is made."""
        calls, problems = self.calls, []
        if not missing:
            return
        if limits.max_calls is not None and calls + missing > limits.max_calls:
            left = max(0, limits.max_calls - calls)
            problems.append(f"needs {missing} calls, and {left} of {limits.setting}.max_calls are left")
        if limits.max_cost is not None and (calls + missing) * cost_per_call > limits.max_cost + 1e-9:
            left = max(0.0, limits.max_cost - calls * cost_per_call)
            needed = missing * cost_per_call
            problems.append(f"may cost {needed:.2f}, and {left:.2f} of {limits.setting}.max_cost are left")
        hint = "raise the limit, or ask fewer questions; what was answered is kept and not paid again"
        if problems:
            raise AccordError(Problem(self.name, what, hint) for what in problems)

    @property
    def calls(self) -> int:
        """How many calls were made, those that failed among them."""
        found = self._db.execute("SELECT calls FROM models WHERE name = ?", [self._model]).fetchone()
        return found[0] if found else 0

    def reserve(self, calls: int, cost_per_call: float, limits: Limits) -> None:
        """Note that calls are about to be made: they count, whatever comes of them. Raises AccordError as `check`, also
        where several jobs spend at once."""
        put = "INSERT INTO models VALUES (?, '', ?) ON CONFLICT (name) DO UPDATE SET calls = calls + excluded.calls"
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self.check(calls, cost_per_call, limits)
                self._db.execute(put, [self._model, calls])
            finally:
                self._db.execute("COMMIT")

    def may_repeat(self, cost_per_call: float, limits: Limits) -> bool:
        """Whether a call that failed may be made again: then it is reserved. From any thread."""
        try:
            self.reserve(1, cost_per_call, limits)
        except AccordError:
            return False
        return True

    def keep(self, call: Call, paid: PaidAnswer) -> None:
        """Keep an answer, on the disk when this returns.

        Raises AccordError where another version of the model gave it than the answers before: they can't be compared.
        """
        with self._lock:
            self.check_version(paid.version)
            if paid.answer.status in NOT_ASKED_AGAIN:
                self._write(call, paid.answer)

    def check_version(self, now: str) -> None:
        """Note which version answers. Raises AccordError where another one did before; "" is none that was told."""
        before = self._db.execute("SELECT version FROM models WHERE name = ?", [self._model]).fetchone()[0]
        if now and before and now != before:
            self._db.execute("INSERT OR IGNORE INTO refused VALUES (?, ?)", [self._model, now])
            what = f"the server answers as {now}, and answered as {before} before"
            raise AccordError(Problem(self.name, what, "name a dated version of the model, and run again"))
        if now and not before:
            self._db.execute("UPDATE models SET version = ? WHERE name = ?", [now, self._model])

    def _write(self, call: Call, answer: Answer) -> None:
        """An answer and the second image that it is about, or neither: it must be found again to be erased."""
        key = self._key(call)
        row = [key, call.image, *(part.encode("utf-8", "replace").decode() for part in answer)]
        self._db.execute("SAVEPOINT kept")
        if call.other:
            self._db.execute("INSERT OR REPLACE INTO others VALUES (?, ?)", [key, call.other])
        self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", row)
        self._db.execute("RELEASE kept")

    def _key(self, call: Call) -> bytes:
        """Salted, so that who has a picture and a question can't find out whether it was asked."""
        other = [call.other] if call.other else []
        return hmac.digest(self._salt, canonical.encode([self._model, *call[:3], *other]), "sha256")


def digest(model: dict[str, Any]) -> str:
    """Of an entry of models.yaml: the adapter, and all options on which an answer depends."""
    options = {key: value for key, value in model["options"].items() if key not in BESIDE_THE_ANSWER}
    told = canonical.encode({"adapter": model["adapter"], "options": {k: repr(v) for k, v in options.items()}})
    return hashlib.sha256(told).hexdigest()


@contextmanager
def opened(vault: Path, model: dict[str, Any]) -> Iterator[AnswerVault]:
    """The answers of a model, in a vault that is made where there is none."""
    make_private(vault)
    (vault / NAME).touch(mode=PRIVATE_FILE)
    with sqlite.connected(vault / NAME, NAME, WHAT) as db:
        db.executescript(SCHEMA)
        db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", [secrets.token_bytes(32)])
        yield AnswerVault(db, model)


def forget(vault: Path, images: Iterable[str]) -> int:
    """Erase all answers about images, or about one of them and another; returns how many there were. It can be stopped
    anywhere and run again.

    Nothing of them is left in the file's bytes. The file is written anew: where SQLite moved rows between pages, copies
    stay that deleting doesn't reach.
    """
    if not (vault / NAME).is_file():
        return 0
    with sqlite.connected(vault / NAME, NAME, WHAT) as db:
        db.executescript(SCHEMA)
        db.execute("BEGIN IMMEDIATE")
        found = [_forgotten(db, image) for image in sorted(set(images))]
        db.execute("DELETE FROM others WHERE key NOT IN (SELECT key FROM answers)")
        db.execute("COMMIT")
        db.execute("VACUUM")
    return sum(found)


def about(vault: Path, images: Sequence[str]) -> dict[str, int]:
    """How many answers there are about each image, or about it and another. Raises AccordError without a vault."""
    if not (vault / NAME).is_file():
        raise AccordError(Problem(NAME, "is not in the vault", "nothing was paid for, or this is another vault"))
    with sqlite.connected(vault / NAME, NAME, WHAT) as db:
        db.executescript(SCHEMA)
        found = (db.execute(f"SELECT COUNT(*) FROM answers WHERE {ABOUT}", [i, i]).fetchone()[0] for i in images)
        return dict(zip(images, found, strict=True))


def images(vault: Path) -> set[str]:
    """The images that answers are about, as either of two."""
    if not (vault / NAME).is_file():
        return set()
    with sqlite.connected(vault / NAME, NAME, WHAT) as db:
        db.executescript(SCHEMA)
        return {row[0] for row in db.execute("SELECT image FROM answers UNION SELECT image FROM others")}


def is_busy(vault: Path) -> bool:
    """Whether another process writes to the answers: who wants to has to wait, up to a minute."""
    db = sqlite3.connect(vault / NAME, isolation_level=None, timeout=0)
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False  # what is wrong is said by who opens it
    finally:
        db.close()
    return False


def _forgotten(db: sqlite3.Connection, image: str) -> int:
    return db.execute(f"DELETE FROM answers WHERE {ABOUT}", [image, image]).rowcount
