"""The consent ledger: an append-only SQLite file in the vault that remembers who granted and withdrew what, and when.

Bitemporal: when a thing holds (`event_on`) and when it was learnt (`recorded_at`). Deleted and replaced bytes don't
stay in the file (secure_delete), nor in its journal (TRUNCATE).
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from accord.consent.ledger import chain, heads, merkle, records, schema
from accord.consent.ledger.heads import Head
from accord.consent.ledger.records import (
    ANNOTATOR,
    COMMAND,
    FORM,
    GRANTED,
    RIGHTSHOLDER,
    SUBJECT,
    TABLES,
    WITHDRAWN,
    ConsentEvent,
    Depicts,
    IprForm,
    Notice,
    Party,
)
from accord.consent.requests import order, suppression
from accord.errors import AccordError, Problem
from accord.sealing import chained, sqlite

__all__ = [
    "ANNOTATOR", "COMMAND", "FORM", "GRANTED", "NAME", "RIGHTSHOLDER", "SUBJECT", "TABLES", "WITHDRAWN",
    "ConsentEvent", "Depicts", "IprForm", "Notice", "Party",
    "add", "append", "book", "erase", "exists", "head", "heard", "looking", "news", "problems", "read", "reading",
    "recorded", "writing",
]  # fmt: skip
R = TypeVar("R", bound=NamedTuple)
NAME, WHAT = "ledger.sqlite", "the consent ledger"


@contextmanager
def writing(vault: Path) -> Iterator[sqlite3.Connection]:
    """The ledger in a vault, in one transaction: all that the block appends is kept, or nothing is.

    Made where there is none; the vault is then readable by its owner alone. The chain's head is noted outside the file.
    Raises AccordError where the ledger was rolled back, or is gone though heads of it were noted.
    """
    vault.mkdir(mode=0o700, parents=True, exist_ok=True)
    vault.chmod(0o700)
    path = vault / NAME
    path.touch(mode=0o600)
    with sqlite.connected(path, NAME, WHAT) as ledger:
        ledger.execute("BEGIN IMMEDIATE")
        try:
            _prepare(ledger, vault)
            yield ledger
            after = head(ledger)
            heads.note(vault, heads.INTENDED, after)
            ledger.execute("COMMIT")
        except BaseException:
            if ledger.in_transaction:
                ledger.execute("ROLLBACK")
            raise
        heads.note(vault, heads.RECORDED, after)


@contextmanager
def reading(vault: Path, *, verified: bool = True) -> Iterator[sqlite3.Connection]:
    """The ledger in a vault, to be read. Raises AccordError where there is none, or (if `verified`) it was changed."""
    if not exists(vault):
        hint = "the vault was moved or deleted: restore it, or delete results/consent and run again"
        raise AccordError(Problem(NAME, "there is no consent ledger in the vault", hint))
    with sqlite.connected(vault / NAME, NAME, WHAT) as ledger:
        ledger.execute("PRAGMA query_only = ON")
        if verified:
            # What another job appends between two queries would look like tampering: all are of one moment.
            ledger.execute("BEGIN")
        found = problems(vault, ledger) if verified else []
        if found:
            raise AccordError(found)
        yield ledger


@contextmanager
def looking(vault: Path) -> Iterator[sqlite3.Connection]:
    """The ledger in a vault, not verified, to be read; an empty one where there is none."""
    if exists(vault):
        with reading(vault, verified=False) as opened:
            yield opened
    else:
        with closing(sqlite3.connect(":memory:")) as empty:
            yield empty


def exists(vault: Path) -> bool:
    """Whether a vault holds a ledger. A file without tables is none: its making was interrupted."""
    if not vault.joinpath(NAME).is_file():
        return False
    with sqlite.connected(vault / NAME, NAME, WHAT) as ledger:
        return "chain" in schema.tables(ledger)


def verify(vault: Path) -> None:
    """Raises AccordError where a vault's ledger was changed, is an old copy, or is gone though it had entries."""
    if exists(vault):
        with reading(vault):
            return
    if (vault / heads.FILE).is_file():
        raise AccordError(Problem(NAME, "is missing, though entries of it were noted", heads.HINT))


def problems(vault: Path, ledger: sqlite3.Connection, noted: str = "") -> list[Problem]:
    """All that is wrong with a vault's ledger, in itself and against the heads that were noted outside of it."""
    return [*chain.verify(ledger, noted), *_rolled_back(vault, ledger)]


def head(ledger: sqlite3.Connection) -> Head:
    """The head of the chain as it stands."""
    return Head(*chain.head(ledger), merkle.root([committed for _, _, committed, _ in chain.entries(ledger)]))


def append(ledger: sqlite3.Connection, new: Iterable[NamedTuple]) -> int:
    """Append the records that the ledger doesn't hold yet; returns how many those were."""
    new = list(dict.fromkeys(new))
    known = {kind: set(read(ledger, kind)) for kind in {type(record) for record in new}}
    return add(ledger, [record for record in new if record not in known[type(record)]])


def add(ledger: sqlite3.Connection, new: Iterable[NamedTuple]) -> int:
    """Append records, also those that the ledger holds already; returns how many."""
    new, recorded_at = list(new), _now(ledger)
    for kind, these in groupby(new, type):
        chained.append(ledger, TABLES[kind], recorded_at, these)
    return len(new)


def read(ledger: sqlite3.Connection, kind: type[R]) -> list[R]:
    """All records of a kind, in the order in which they were appended."""
    return [record for _, _, record in recorded(ledger, kind)]


def recorded(ledger: sqlite3.Connection, kind: type[R], **where: str) -> list[tuple[int, str, R]]:
    """All records of a kind with the number of their entry and the time of recording, in their order.

    where: columns, and what they hold in those that are read.
    """
    if TABLES[kind] not in schema.tables(ledger):
        return []
    columns, asked = ", ".join(kind._fields), " AND ".join(["true", *(f"{name} = ?" for name in where)])
    query = f"SELECT seq, recorded_at, {columns} FROM {TABLES[kind]} WHERE {asked} ORDER BY seq"
    return [(seq, at, kind(*row)) for seq, at, *row in ledger.execute(query, list(where.values()))]


def erase(vault: Path, subject: str, images: Iterable[str] = ()) -> int:
    """Erase all records that name a person (an opaque id) or one of the images, with their salts; returns how many.

    The chain still verifies; nothing of the records is left in the file's bytes, and the person stays refused.
    Done again after a crash, it ends in the same state. Raises AccordError where the ledger was tampered with.
    """
    with reading(vault):
        pass  # it is there and whole
    with writing(vault) as ledger:
        doomed = {
            seq: (kind, record)
            for kind in records.OF_PEOPLE
            for seq, _, record in recorded(ledger, kind)
            if record.subject == subject or (getattr(record, "image", "") or None) in set(images)
        }
        with schema.erasable(ledger):
            for seq, (kind, _) in doomed.items():
                ledger.execute(f"DELETE FROM {TABLES[kind]} WHERE seq = ?", (seq,))
        if doomed:
            theirs = [record for _, record in doomed.values() if record.subject == subject]
            listed = records.Erasure(" ".join(map(str, sorted(doomed))))
            listing = read(ledger, records.Suppression)
            files = _signed(theirs) - _signed([*read(ledger, records.ConsentEvent), *read(ledger, records.IprForm)])
            append(ledger, [listed, *suppression.of_erased(vault, subject, theirs, files, new=not listing)])
    with sqlite.connected(vault / NAME, NAME, WHAT) as ledger:
        ledger.execute("VACUUM")
    return len(doomed)


def _signed(forms: Iterable[Any]) -> set[str]:
    """The sha256 of the files that records of forms name."""
    return {getattr(record, "evidence_sha256", "") for record in forms} - {""}


def book(vault: Path, ledger: sqlite3.Connection, pending: Iterable[ConsentEvent] = ()) -> suppression.Book:
    """Who is refused, by the events that came by command (and some that are about to come) and by erasures."""
    events = [event for _, _, event in commanded(ledger, pending)]
    return suppression.Book(vault, events, read(ledger, records.Suppression))


def heard(ledger: sqlite3.Connection, pending: Iterable[ConsentEvent] = ()) -> list[tuple[int, str, ConsentEvent]]:
    """All consent events as they count (`order.heard`), with the number of their entry and the time of recording; with
    some that are about to be recorded."""
    return order.heard([*recorded(ledger, ConsentEvent), *((0, "", event) for event in pending)])


def commanded(ledger: sqlite3.Connection, pending: Iterable[ConsentEvent] = ()) -> list[tuple[int, str, ConsentEvent]]:
    """What `heard` gives of the events that came by command, which are few: none of a form has a say in them."""
    return order.heard([*recorded(ledger, ConsentEvent, source=COMMAND), *((0, "", event) for event in pending)])


def news(ledger: sqlite3.Connection, said: Iterable[ConsentEvent], *, anew: bool = True) -> list[ConsentEvent]:
    """What of the events that are said has to be recorded (`order.news`)."""
    settled = {one.entry for one in read(ledger, records.Settled)}
    return order.news(recorded(ledger, ConsentEvent), said, settled, anew=anew)


def _prepare(ledger: sqlite3.Connection, vault: Path) -> None:
    found = [] if schema.is_new(ledger) and not (vault / heads.FILE).exists() else _rolled_back(vault, ledger)
    if found:
        raise AccordError(found)
    if not schema.is_current(ledger):
        schema.make(ledger)


def _rolled_back(vault: Path, ledger: sqlite3.Connection) -> list[Problem]:
    """What speaks against the chain by the heads that were noted. An earlier version noted none."""
    if not schema.has_heads(ledger) and not (vault / heads.FILE).exists():
        return []
    found = [] if schema.is_new(ledger) else chain.entries(ledger)
    return heads.check(vault, [hash_ for *_, hash_ in found])


def _now(ledger: sqlite3.Connection) -> str:
    """The time (UTC), or that of the last record where the clock was put back: times of recording never decrease."""
    return chained.now(ledger, chain.RECORDS)
