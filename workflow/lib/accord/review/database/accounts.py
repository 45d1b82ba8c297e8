"""Accounts of reviewers: names, roles and passwords (argon2id). In records of decisions they are random ids.

That an account was made, or put out of use, with which role and when, is in the chain; its name and password are not.
"""

import hashlib
import re
import secrets
import sqlite3
import unicodedata
from typing import NamedTuple

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.review.database import store
from accord.sealing import chained
from accord.text.references import normal

REVIEWER, ADJUDICATOR, ADMIN = "reviewer", "adjudicator", "admin"
ROLES = (REVIEWER, ADJUDICATOR, ADMIN)
ACTIVE, INACTIVE = "active", "inactive"
NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,63}")
SHORTEST, LONGEST = 12, 256
"""Characters of a password. NIST SP 800-63B: length counts; rules about kinds of characters don't help."""
ID_BYTES = 8


class Reviewer(NamedTuple):
    """Somebody with an account. `id`: random, by which decisions name them."""

    id: str
    name: str
    role: str
    active: bool


def add(db: sqlite3.Connection, name: str, role: str, password: str) -> Reviewer:
    """Make an account. Raises AccordError with all that is wrong with the name, the role and the password."""
    name = normal(name)
    with all_problems() as problems:
        if not NAME.fullmatch(name):
            hint = "use up to 64 of a-z, 0-9, . _ @ -, the first a letter or digit"
            problems.add("name", "not a valid user name", hint)
        if role not in ROLES:
            problems.add("role", "is unknown", f"use one of {', '.join(ROLES)}")
        _check_password(password, problems)
    made = Reviewer(secrets.token_hex(ID_BYTES), name, role, True)
    digest = _hasher().hash(_normal(password))
    with store.changing(db):
        if find(db, name):
            raise AccordError(Problem("name", "already has an account", "choose another one"))
        db.execute("INSERT INTO reviewer VALUES (?, ?, ?, 1, ?)", (made.id, name, role, digest))
        _record(db, made)
    return made


def authenticate(db: sqlite3.Connection, name: str, password: str) -> Reviewer | None:
    """Whose name and password these are, if they are somebody's with an account in use.

    An unknown name costs the same work as a wrong password, so that the time tells nothing.
    """
    from argon2.exceptions import Argon2Error, InvalidHashError

    given, hasher, found = _normal(password[: LONGEST + 1]), _hasher(), find(db, name)
    if found is None or not found.active or len(password) > LONGEST:
        hasher.hash(given)
        return None
    (digest,) = db.execute("SELECT password FROM reviewer WHERE reviewer = ?", (found.id,)).fetchone()
    try:
        hasher.verify(digest, given)
    except (Argon2Error, InvalidHashError):
        return None
    if hasher.check_needs_rehash(digest):
        _store_password(db, found, given)
    return found


def set_password(db: sqlite3.Connection, name: str, password: str) -> None:
    """Give an account another password. Raises AccordError where there is no account, or the password won't do."""
    found = known(db, name)
    with all_problems() as problems:
        _check_password(password, problems)
    _store_password(db, found, _normal(password))


def stamp(db: sqlite3.Connection, name: str) -> str:
    """What changes with an account's password, hex, and tells nothing of it; "" where there is no account in use."""
    row = db.execute("SELECT password FROM reviewer WHERE name = ? AND active", (name,)).fetchone()
    return hashlib.sha256(row[0].encode()).hexdigest() if row else ""


def deactivate(db: sqlite3.Connection, name: str) -> None:
    """Put an account out of use. What it decided stays; what it had still to decide can be given to others."""
    with store.changing(db):
        found = known(db, name)
        if found.active:
            db.execute("UPDATE reviewer SET active = 0, password = '' WHERE reviewer = ?", (found.id,))
            db.execute("DELETE FROM assignment WHERE reviewer = ? AND decision = ''", (found.id,))
            _record(db, found._replace(active=False))


def reviewers(db: sqlite3.Connection) -> list[Reviewer]:
    """All accounts, by name."""
    rows = db.execute("SELECT reviewer, name, role, active FROM reviewer ORDER BY name")
    return [Reviewer(id_, name, role, bool(active)) for id_, name, role, active in rows]


def find(db: sqlite3.Connection, name: str) -> Reviewer | None:
    """The account of a name, however it is spelled, in use or not; None where there is none."""
    found = "SELECT reviewer, name, role, active FROM reviewer WHERE name = ?"
    row = db.execute(found, (normal(name.encode(errors="replace").decode()),)).fetchone()
    return Reviewer(row[0], row[1], row[2], bool(row[3])) if row else None


def known(db: sqlite3.Connection, name: str, *, active: bool = False) -> Reviewer:
    """The account of a name. Raises AccordError where there is none, or (if `active`) it is out of use."""
    found = find(db, name)
    if found is None or (active and not found.active):
        what = "has no account" if found is None else "has an inactive account"
        raise AccordError(Problem(f"reviewer {name!r}"[:80], what, "`accord review status` lists the accounts"))
    return found


def _record(db: sqlite3.Connection, made: Reviewer) -> None:
    last = "SELECT hash FROM account JOIN chain USING (seq) WHERE reviewer = ? ORDER BY seq DESC LIMIT 1"
    before = db.execute(last, (made.id,)).fetchone()
    said = (made.id, made.role, ACTIVE if made.active else INACTIVE, before[0] if before else "")
    chained.append(db, "account", chained.now(db, store.RECORDS), [said])


def _store_password(db: sqlite3.Connection, of: Reviewer, password: str) -> None:
    digest = _hasher().hash(password)
    with store.changing(db):
        db.execute("UPDATE reviewer SET password = ? WHERE reviewer = ? AND active", (digest, of.id))


def _check_password(password: str, problems: Collector) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        problems.add(
            "password", "is too short or too long", f"{SHORTEST} to {LONGEST} characters, for example several words"
        )


def _normal(password: str) -> str:
    """One form of what can be typed in several: NFKC, and no half characters, which have no bytes."""
    return unicodedata.normalize("NFKC", password.encode(errors="replace").decode())


def _hasher():
    from argon2 import PasswordHasher

    return PasswordHasher()
