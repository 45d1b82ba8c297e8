"""Who looks at what: items are dealt out to reviewers, to several of them for a blind double review."""

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from accord.errors import AccordError, all_problems
from accord.queues import AGREEMENT, INPAINTING, QUEUES, RATED, TOGETHER
from accord.review.database import accounts, items, standing, store
from accord.review.database.items import Item
from accord.review.database.outcome import DISPUTED, SETTLED

DOUBT = "CASE WHEN threshold > 0 THEN COALESCE(score, 0) / threshold ELSE 0 END"
"""How many times the score of an item is its limit."""


def assign(db: sqlite3.Connection, queue: str, reviewers: Sequence[str], votes: int = 1, seed: int = 0) -> int:
    """Ask reviewers (names) for votes on all items of a queue that are not settled; returns how many were asked.

    Who was asked stays asked; items that have as many votes asked for already are left alone. The load is dealt out
    evenly; the same items, reviewers and seed give the same. Of one thing that several are to draw (queue agreement:
    items of the same image and kind) nobody gets two; those that nobody is left for stay unasked. In queues of TOGETHER
    all items of a subject are dealt to the same people. Raises AccordError with all that is wrong.
    """
    with store.changing(db):
        people = _people(db, queue, reviewers, votes)
        asked = "SELECT item, state FROM item WHERE queue = ? AND gone = 0 AND state <> ? ORDER BY item"
        found = dict(db.execute(asked, (queue, SETTLED)).fetchall())
        order = sorted(found, key=lambda item: _dice(seed, item))
        have = _assigned(db, queue)
        if queue in TOGETHER:
            dealt = _deal_together(_subjects(db, queue), order, have, people, votes, seed)
        else:
            dealt = _deal(order, have, people, votes, seed, _drawn(db) if queue == AGREEMENT else {})
        rows = [(item, who, queue) for item, chosen in dealt.items() for who in chosen]
        db.executemany("INSERT INTO assignment (item, reviewer, queue) VALUES (?, ?, ?)", rows)
        db.executemany("UPDATE item SET votes = MAX(votes, ?) WHERE item = ?", [(votes, item) for item in found])
        for item, chosen in dealt.items():
            if chosen and found[item] == DISPUTED:
                standing.settle(db, item)
    return len(rows)


def take(db: sqlite3.Connection, reviewer: str, queue: str, after: str = "") -> Item | None:
    """The next item that a reviewer has to decide, in the order of ids after one; None where there is none.

    Nothing of what others said is in it. Raises AccordError where they have no account in use.
    """
    return next(iter(take_some(db, reviewer, queue, after, 1)), None)


def take_some(db: sqlite3.Connection, reviewer: str, queue: str, after: str, count: int) -> list[Item]:
    """The next items that a reviewer has to decide, `count` at most, as `take` gives them one by one.

    In queues of RATED each rater votes in an order of their own, so that what is seen before a face isn't the same for
    all; in those of TOGETHER the items are of one subject. Of painted regions the doubtful ones come first.
    """
    who = accounts.known(db, reviewer, active=True)
    if queue in RATED:
        return _in_turn(db, who.id, queue, after, count)
    if queue == INPAINTING:
        return _by_doubt(db, who.id, queue, after, count)
    asked = f"""
        {items.SELECT} JOIN assignment USING (item)
        WHERE assignment.reviewer = ? AND assignment.open = 1 AND assignment.queue = ? AND assignment.item > ?
        ORDER BY assignment.item LIMIT ?"""
    return [items.of(row) for row in db.execute(asked, (who.id, queue, after, count))]


def _by_doubt(db: sqlite3.Connection, who: str, queue: str, after: str, count: int) -> list[Item]:
    """The next items of a queue, those first whose score is furthest above its limit."""
    asked = f"""
        {items.SELECT} JOIN assignment USING (item)
        WHERE assignment.reviewer = ? AND assignment.open = 1 AND assignment.queue = ?
        AND (? = '' OR (-{DOUBT}, item.item) > (SELECT -{DOUBT}, item FROM item WHERE item = ?))
        ORDER BY -{DOUBT}, item.item LIMIT ?"""
    return [items.of(row) for row in db.execute(asked, (who, queue, after, after, count))]


def _in_turn(db: sqlite3.Connection, who: str, queue: str, after: str, count: int) -> list[Item]:
    """The next items of a queue, in an order that follows from the rater's id alone: the same whenever they go on."""
    asked = "SELECT item FROM assignment WHERE reviewer = ? AND open = 1 AND queue = ?"
    subjects = _subjects(db, queue) if queue in TOGETHER else {}

    def turn(item: str) -> tuple[bytes, bytes]:
        subject = subjects.get(item)
        return _dice(who, subject) if subject is not None else b"", _dice(who, item)

    turns = sorted((turn(item), item) for (item,) in db.execute(asked, (who, queue)))
    begin = turn(after) if after else (b"", b"")
    following = [(of, item) for (of, own), item in turns if (of, own) > begin]
    some = [item for of, item in following if of == following[0][0]][:count]
    return [found for item in some if (found := items.find(db, item)) is not None]


def waiting(db: sqlite3.Connection, reviewer: str) -> dict[str, int]:
    """How many items of each queue wait for a reviewer; queues without any are left out."""
    who = accounts.known(db, reviewer, active=True)
    asked = "SELECT queue, COUNT(*) FROM assignment WHERE reviewer = ? AND open = 1 GROUP BY queue"
    return dict(db.execute(asked, (who.id,)).fetchall())


def _people(db: sqlite3.Connection, queue: str, reviewers: Sequence[str], votes: int) -> list[str]:
    """The ids of reviewers."""
    found = []
    with all_problems() as problems:
        if queue not in QUEUES:
            problems.add("queue", "is unknown", f"use one of {', '.join(QUEUES)}")
        if not 1 <= votes <= len(reviewers):
            problems.add(
                "votes", f"{votes} votes are more than the {len(reviewers)} reviewer(s)", "each reviewer gives one vote"
            )
        if len(set(reviewers)) < len(reviewers):
            problems.add("reviewers", "a name is duplicated")
        for name in reviewers:
            try:
                found.append(accounts.known(db, name, active=True).id)
            except AccordError as error:
                problems += error.problems
    return found


def _assigned(db: sqlite3.Connection, queue: str) -> dict[str, set[str]]:
    """Item -> who was asked, of the items of a queue that are not settled."""
    asked = "SELECT item, reviewer FROM assignment JOIN item USING (item) WHERE item.queue = ? AND state <> ?"
    found = defaultdict(set)
    for item, who in db.execute(asked, (queue, SETTLED)):
        found[item].add(who)
    return found


def _drawn(db: sqlite3.Connection) -> dict[str, set[str]]:
    """Item of the queue agreement -> who was asked to draw what it is about; the set is one of all items of it."""
    asked = """SELECT item.item, image, kind, reviewer FROM item LEFT JOIN assignment USING (item)
               WHERE item.queue = ? AND gone = 0"""
    things: dict[tuple[str, str], set[str]] = defaultdict(set)
    found = {}
    for item, image, kind, who in db.execute(asked, (AGREEMENT,)):
        found[item] = things[image, kind]
        if who is not None:
            found[item].add(who)
    return found


def _deal(
    order: list[str], have: dict[str, set[str]], people: list[str], votes: int, seed: int, drawn: dict[str, set[str]]
) -> dict[str, list[str]]:
    """Item -> who is to be asked besides those who were: whoever has the least so far; noted in `drawn`, too."""
    load = {who: sum(who in asked for asked in have.values()) for who in people}
    rank = {who: _dice(seed, str(number)) for number, who in enumerate(people)}
    dealt = {}
    for item in order:
        taken = have.get(item, set()) | drawn.get(item, set())
        free = sorted((who for who in people if who not in taken), key=lambda who: (load[who], rank[who]))
        dealt[item] = free[: max(votes - len(have.get(item, ())), 0)]
        drawn.get(item, set()).update(dealt[item])
        for who in dealt[item]:
            load[who] += 1
    return dealt


def _subjects(db: sqlite3.Connection, queue: str) -> dict[str, str]:
    """Item -> its subject, of a queue."""
    return dict(db.execute("SELECT item, subject FROM item WHERE queue = ?", (queue,)))


def _deal_together(
    subjects: dict[str, str], order: list[str], have: dict[str, set[str]], people: list[str], votes: int, seed: int
) -> dict[str, list[str]]:
    """As `_deal`, by subject: who has some items of a subject gets its other ones, too."""
    asked: dict[str, set[str]] = defaultdict(set)
    for item in order:
        asked[subjects[item]] |= have.get(item, set())
    dealt = _deal(list(asked), asked, people, votes, seed, {})
    wanted = {subject: {*asked[subject], *dealt[subject]} for subject in asked}
    return {
        item: sorted(wanted[subjects[item]] - have.get(item, set()))[: max(votes - len(have.get(item, ())), 0)]
        for item in order
    }


def _dice(seed: int | str, text: str) -> bytes:
    return hashlib.blake2b(f"{seed} {text}".encode(), digest_size=8).digest()
