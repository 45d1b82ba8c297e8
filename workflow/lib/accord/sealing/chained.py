"""Append-only tables in SQLite whose records are chained: each is committed to with a salt, each commitment is chained
to the one before.

commitment = SHA-256(canonical JSON of [table, salt, recorded_at, ...]); the salt is 256 random bits, so that a
commitment says nothing of a record that is gone, not even to one who guesses it.
hash = SHA-256(canonical JSON of [hash before, seq, table, commitment]).

A file has the table `chain` (seq, entry, commitment, hash) and tables of records, whose first columns are seq, salt and
recorded_at. The records of the table `erasure` list, with spaces between, the entries whose records were erased.
"""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise

from accord.errors import Problem

START = "0" * 64
ERASURE = "erasure"
SALT_BYTES = 32
HINT = "keep the file as evidence and restore the vault from a backup"
REFUSAL = "SELECT RAISE(ABORT, 'the ledger is append-only')"
TABLE = """
    CREATE TABLE IF NOT EXISTS chain (
        seq INTEGER PRIMARY KEY, entry TEXT NOT NULL, commitment TEXT NOT NULL, hash TEXT NOT NULL)
"""


def commitment(table: str, record: tuple) -> str:
    """The commitment to a record: its salt, the time it was recorded, and its columns."""
    return _digest([table, *record])


def link(before: str, seq: int, table: str, committed: str) -> str:
    """The hash of an entry of the chain, given the hash of the one before."""
    return _digest([before, seq, table, committed])


def entries(db: sqlite3.Connection) -> list[tuple[int, str, str, str]]:
    """The chain: number, table, commitment and hash of each entry."""
    return db.execute("SELECT seq, entry, commitment, hash FROM chain ORDER BY seq").fetchall()


def head(db: sqlite3.Connection) -> tuple[int, str]:
    """The number of entries, and the hash of the last one."""
    last = db.execute("SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1").fetchone()
    return last or (0, START)


def append(db: sqlite3.Connection, table: str, recorded_at: str, said: Iterable[tuple]) -> list[str]:
    """Append records to a table; `said`: their columns after recorded_at. Returns the hashes of their entries."""
    last, before = head(db)
    hashes = []
    for seq, columns in enumerate(said, last + 1):
        row = (secrets.token_hex(SALT_BYTES), recorded_at, *columns)
        committed = commitment(table, row)
        before = link(before, seq, table, committed)
        db.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", (seq, table, committed, before))
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * (len(row) + 1))})", (seq, *row))
        hashes.append(before)
    return hashes


def now(db: sqlite3.Connection, tables: Iterable[str], clock: str = "") -> str:
    """The time (ISO 8601, UTC), or that of the last record where the clock was put back: it never decreases.

    `clock`: counts as the time instead of the machine's.
    """
    asked = [f"SELECT MAX(recorded_at) AS at FROM {table}" for table in tables]
    last = db.execute(f"SELECT MAX(at) FROM ({' UNION ALL '.join(asked)})").fetchone()[0] or ""
    return max(last, clock or datetime.now(UTC).isoformat(timespec="seconds"))


def only_grow(db: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Make the triggers that let the chain and its tables of records only grow, where they are missing."""
    tables = tuple(tables)
    db.execute(
        "CREATE TRIGGER IF NOT EXISTS chain_grows BEFORE INSERT ON chain"
        f" WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM chain) BEGIN {REFUSAL}; END"
    )
    for table in ("chain", *tables):
        for verb in ("UPDATE", "DELETE"):
            name = f"{table}_no_{verb.lower()}"
            db.execute(f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {verb} ON {table} BEGIN {REFUSAL}; END")
    for table in tables:
        db.execute(
            f"CREATE TRIGGER IF NOT EXISTS {table}_follows BEFORE INSERT ON {table}"
            f" WHEN NEW.seq IS NOT (SELECT MAX(seq) FROM chain) BEGIN {REFUSAL}; END"
        )


@contextmanager
def erasable(db: sqlite3.Connection, tables: Iterable[str]) -> Iterator[None]:
    """In the block, and in its transaction alone, records can be deleted; the chain never can."""
    tables = tuple(tables)
    for table in tables:
        db.execute(f"DROP TRIGGER {table}_no_delete")
    yield
    only_grow(db, tables)


def verify(
    db: sqlite3.Connection, tables: Iterable[str], noted: str = "", *, repeatable: Mapping[str, str] | None = None
) -> list[Problem]:
    """All that is wrong: any record or entry that was changed, added, taken out, back-dated or put elsewhere.

    `noted`: the hash of an entry that was written down earlier; without one, missing entries at the end can't be seen.
    `repeatable`: by table, the condition (SQL) of the records that may be there twice. Entries that an erasure names
    have no record any more.
    """
    records = {table: _records(db, table) for table in tables}
    erased = {int(seq) for *_, listed in records[ERASURE].values() for seq in str(listed).split() if seq.isdigit()}
    found = entries(db)
    once = {table: _records(db, table, f"NOT ({(repeatable or {}).get(table, 'FALSE')})") for table in tables}
    problems = [*_broken_links(found), *_out_of_order(records), *_doubles(once)]
    for seq, table, committed, _ in found:
        record = records.get(table, {}).pop(seq, None)
        if record is None and seq not in erased:
            problems.append(Problem(f"entry {seq}", "its record is missing", HINT))
        elif record is not None and commitment(table, record) != committed:
            problems.append(Problem(f"entry {seq}", "its record was changed", HINT))
        elif record is not None and seq in erased:
            problems.append(Problem(f"entry {seq}", "was erased, and its record is back", HINT))
    for table, left in records.items():
        problems += [Problem(f"{table} {seq}", "is not in the chain", HINT) for seq in sorted(left)]
    if noted and noted not in {entry[3] for entry in found}:
        problems.append(Problem("chain", "does not contain the noted hash: entries were removed", HINT))
    return problems


def _broken_links(found: list[tuple]) -> Iterator[Problem]:
    before = START
    for expected, (seq, table, committed, stored) in enumerate(found, 1):
        if seq != expected:
            yield Problem(f"entry {seq}", f"is out of sequence: expected entry {expected}", HINT)
        if stored != link(before, seq, table, committed):
            yield Problem(f"entry {seq}", "does not chain to the previous entry", HINT)
        before = stored


def _out_of_order(records: dict[str, dict[int, tuple]]) -> Iterator[Problem]:
    times = sorted((seq, row[1]) for rows in records.values() for seq, row in rows.items())
    for (_, before), (seq, after) in pairwise(times):
        if str(after) < str(before):
            yield Problem(f"entry {seq}", "is back-dated: its time is earlier than that of the previous entry", HINT)


def _doubles(records: dict[str, dict[int, tuple]]) -> Iterator[Problem]:
    for rows in records.values():
        first: dict[tuple, int] = {}
        for seq, (_, _, *said) in sorted(rows.items()):
            if first.setdefault(tuple(said), seq) != seq:
                yield Problem(f"entry {seq}", f"duplicates entry {first[tuple(said)]}", HINT)


def _records(db: sqlite3.Connection, table: str, where: str = "TRUE") -> dict[int, tuple]:
    there = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    if not db.execute(there, (table,)).fetchone()[0]:
        return {}
    return {seq: tuple(rest) for seq, *rest in db.execute(f"SELECT * FROM {table} WHERE {where}")}


def _digest(parts: list) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
