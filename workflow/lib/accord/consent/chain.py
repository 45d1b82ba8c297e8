"""The ledger's chain: each record is committed to with a salt, each commitment is chained to the one before.

commitment = SHA-256(canonical JSON of [table, salt, recorded_at, ...]); the salt is 256 random bits, so that a
commitment says nothing of a record that is gone, not even to one who guesses it.
hash = SHA-256(canonical JSON of [hash before, seq, table, commitment]).
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from itertools import pairwise

from accord.errors import Problem

START = "0" * 64
RECORDS = (
    *("party", "notice", "consent_event", "ipr_form", "depicts"),
    *("proof", "attempt", "suppression", "received", "erasure"),
)
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
    Entries that an erasure names have no record any more.
    """
    records = {table: _records(ledger, table) for table in RECORDS}
    erased = {int(seq) for *_, listed in records["erasure"].values() for seq in str(listed).split() if seq.isdigit()}
    found = entries(ledger)
    problems = [*_broken_links(found), *_out_of_order(records), *_doubles(records)]
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
        problems.append(Problem("chain", "does not hold the hash that was noted: entries were taken out", HINT))
    return problems


def entries(ledger: sqlite3.Connection) -> list[tuple[int, str, str, str]]:
    """The chain: number, table, commitment and hash of each entry."""
    return ledger.execute("SELECT seq, entry, commitment, hash FROM chain ORDER BY seq").fetchall()


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


def _out_of_order(records: dict[str, dict[int, tuple]]) -> Iterator[Problem]:
    times = sorted((seq, row[1]) for rows in records.values() for seq, row in rows.items())
    for (_, before), (seq, after) in pairwise(times):
        if str(after) < str(before):
            yield Problem(
                f"entry {seq}", "was recorded before the one ahead of it, by its own time: it is back-dated", HINT
            )


def _doubles(records: dict[str, dict[int, tuple]]) -> Iterator[Problem]:
    for rows in records.values():
        first: dict[tuple, int] = {}
        for seq, (_, _, *said) in sorted(rows.items()):
            if first.setdefault(tuple(said), seq) != seq:
                yield Problem(f"entry {seq}", f"says again what entry {first[tuple(said)]} says", HINT)


def _records(ledger: sqlite3.Connection, table: str) -> dict[int, tuple]:
    if not ledger.execute("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()[
        0
    ]:
        return {}
    return {seq: tuple(rest) for seq, *rest in ledger.execute(f"SELECT * FROM {table}")}


def _digest(parts: list) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
