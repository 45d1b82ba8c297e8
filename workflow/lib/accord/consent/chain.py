"""The ledger's chain: each record is committed to with a salt, each commitment is chained to the one before.

commitment = SHA-256(canonical JSON of [table, salt, recorded_at, ...]); the salt is 256 random bits, so that a
commitment says nothing of a record that is gone, not even to one who guesses it.
hash = SHA-256(canonical JSON of [hash before, seq, table, commitment]).
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator

from accord.errors import Problem

START = "0" * 64
RECORDS = ("party", "notice", "consent_event", "ipr_form", "depicts")
HINT = "keep the file as evidence and restore the vault from a backup"


def commitment(table: str, record: tuple) -> str:
    """The commitment to a record: its salt, the time it was recorded, and its columns."""
    return _digest([table, *record])


def link(before: str, seq: int, table: str, committed: str) -> str:
    """The hash of an entry of the chain, given the hash of the one before."""
    return _digest([before, seq, table, committed])


def verify(ledger: sqlite3.Connection, noted: str = "") -> list[Problem]:
    """All that is wrong with a ledger: any record or entry that was changed, added, taken out or put elsewhere.

    `noted`: the hash of an entry that was written down earlier; without one, missing entries at the end can't be seen.
    """
    records = {table: _records(ledger, table) for table in RECORDS}
    entries = ledger.execute("SELECT seq, entry, commitment, hash FROM chain ORDER BY seq").fetchall()
    problems = list(_broken_links(entries))
    for seq, table, committed, _ in entries:
        record = records.get(table, {}).pop(seq, None)
        if record is None:
            problems.append(Problem(f"entry {seq}", "its record is missing", HINT))
        elif commitment(table, record) != committed:
            problems.append(Problem(f"entry {seq}", "its record was changed", HINT))
    for table, left in records.items():
        problems += [Problem(f"{table} {seq}", "is not in the chain", HINT) for seq in sorted(left)]
    if noted and noted not in {entry[3] for entry in entries}:
        problems.append(Problem("chain", "does not hold the hash that was noted: entries were taken out", HINT))
    return problems


def head(ledger: sqlite3.Connection) -> tuple[int, str]:
    """The number of entries, and the hash of the last one."""
    last = ledger.execute("SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1").fetchone()
    return last or (0, START)


def _broken_links(entries: list[tuple]) -> Iterator[Problem]:
    before = START
    for expected, (seq, table, committed, stored) in enumerate(entries, 1):
        if seq != expected:
            yield Problem(f"entry {seq}", f"is not the entry {expected} that should be here", HINT)
        if stored != link(before, seq, table, committed):
            yield Problem(f"entry {seq}", "does not follow from the one before", HINT)
        before = stored


def _records(ledger: sqlite3.Connection, table: str) -> dict[int, tuple]:
    return {seq: tuple(rest) for seq, *rest in ledger.execute(f"SELECT * FROM {table}")}


def _digest(parts: list) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
