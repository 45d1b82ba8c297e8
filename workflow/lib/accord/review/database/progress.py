"""How far reviews are: per queue what waits, what is decided, and how well people agree."""

import sqlite3
from collections import defaultdict
from typing import NamedTuple

from accord.queues import DECISIONS, QUEUES, RATED
from accord.review.asking import agreement
from accord.review.asking.agreement import Agreement
from accord.review.database import rated_votes
from accord.review.database.outcome import DISPUTED, SETTLED

STATES = """
    SELECT queue, COUNT(*), SUM(state = ?), SUM(state = ?) FROM item WHERE gone = 0 OR state = ? GROUP BY queue
"""
VOTES = """
    SELECT queue, {each}, COUNT(*) FROM (
        SELECT item.queue, {sums} FROM item CROSS JOIN assignment USING (item)
        WHERE gone = 0 OR state = ? GROUP BY item.item)
    GROUP BY queue, {each}
"""
SEVERAL = "one alpha for each question"


class Progress(NamedTuple):
    """How far a queue is. `assigned`, `voted`, `settled`, `disputed`: how many of its items are asked of somebody,
    have all votes that were asked for, are decided, wait for an adjudicator."""

    queue: str
    items: int
    assigned: int
    voted: int
    settled: int
    disputed: int
    agreement: Agreement


def progress(db: sqlite3.Connection) -> list[Progress]:
    """How far each queue with items is, in the order of QUEUES. Items that are gone count where they are settled.

    Agreement is on decisions, and in queues of RATED on what faces are taken for.
    """
    states = {queue: rest for queue, *rest in db.execute(STATES, (SETTLED, DISPUTED, SETTLED))}
    votes = _votes(db)
    found = []
    for queue in (queue for queue in QUEUES if queue in states):
        items, settled, disputed = states[queue]
        units = [(dict(zip(DECISIONS, counts, strict=True)), times) for counts, _, times in votes[queue]]
        assigned = sum(times for _, _, times in votes[queue])
        voted = sum(times for counts, missing, times in votes[queue] if sum(counts) and not missing)
        found.append(Progress(queue, items, assigned, voted, settled, disputed, _agreement(db, queue, units)))
    return found


def questions(db: sqlite3.Connection, queue: str) -> dict[str, Agreement]:
    """Question of a queue of RATED -> the agreement of its votes."""
    return {name: agreement.of(units) for name, units in rated_votes.units(db, queue).items()}


def _agreement(db: sqlite3.Connection, queue: str, units: list) -> Agreement:
    """On decisions, or types; without an alpha where types are of several questions, whose scales aren't one."""
    if queue not in RATED:
        return agreement.of(units)
    asked = rated_votes.units(db, queue)
    found = agreement.of([unit for units in asked.values() for unit in units])
    return found._replace(alpha=None, reason=SEVERAL) if found.items and len(asked) > 1 else found


def _votes(db: sqlite3.Connection) -> dict[str, list[tuple[tuple[int, ...], int, int]]]:
    """Queue -> (how many votes for each decision, how many are missing, how many items are like that)."""
    names = (*(f"n_{name}" for name in DECISIONS), "missing")
    sums = [f"SUM(decision = '{name}') AS n_{name}" for name in DECISIONS]
    sums.append("MAX(item.votes, COUNT(*)) - SUM(decision <> '') AS missing")
    asked = VOTES.format(each=", ".join(names), sums=", ".join(sums))
    found = defaultdict(list)
    for queue, *counts, missing, times in db.execute(asked, (SETTLED,)):
        found[queue].append((tuple(counts), missing, times))
    return found
