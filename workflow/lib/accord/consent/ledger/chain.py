"""The ledger's chain: which tables hold its records; how they are chained stands in accord.chained."""

import sqlite3

from accord.errors import Problem
from accord.sealing import chained
from accord.sealing.chained import START, commitment, entries, head, link

__all__ = ["RECORDS", "START", "commitment", "entries", "head", "link", "verify"]

RECORDS = (
    *("party", "notice", "consent_event", "ipr_form", "depicts"),
    *("proof", "attempt", "suppression", "received", "settled", "erasure"),
)


REPEATABLE = {"consent_event": "source = 'command'"}
"""A request can be said again, where another one came between (`order.news`)."""


def verify(ledger: sqlite3.Connection, noted: str = "") -> list[Problem]:
    """All that is wrong with a ledger: any record or entry that was changed, added, taken out or put elsewhere.

    `noted`: the hash of an entry that was written down earlier; without one, missing entries at the end can't be seen.
    Entries that an erasure names have no record any more.
    """
    return chained.verify(ledger, RECORDS, noted, repeatable=REPEATABLE)
