"""The chain of reviews: whether it is whole, whether what is noted beside it follows from it, and who decided what.

Whoever can write the file can also make a chain that is right in itself; the head that is noted outside (seal) and the
entries that results name tell then.
"""

import json
import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accord.errors import Problem
from accord.queues import RATED
from accord.review.database import items, outcome, seal, store
from accord.review.database.accounts import ACTIVE, ADJUDICATOR, ADMIN
from accord.review.database.outcome import ADJUDICATION, SETTLED, Question, Said
from accord.review.database.standing import HISTORY
from accord.sealing import chained
from accord.sealing.chained import HINT

ASIDE = "the database was changed outside this program: keep it as evidence and restore the vault from a backup"


class Decided(NamedTuple):
    """An entry by which something was decided: who (their role), how, and when (ISO 8601, UTC)."""

    seq: int
    entry: str
    item: str
    role: str
    act: str
    decision: str
    recorded_at: str


def verify(db: sqlite3.Connection, noted: str = "") -> list[Problem]:
    """All that is wrong: records that were changed, added, taken out, doubled, back-dated or rolled back; decisions by
    people who couldn't make them; and states and accounts that don't follow from the records.

    `noted`: the hash of an entry that was written down earlier and must be in the chain.
    """
    with store.snapshot(db):
        return _problems(db, noted)


def decided(db: sqlite3.Connection, entries: Iterable[str] | None = None) -> dict[str, Decided]:
    """Hash -> who decided what and when, of the entries of these hashes that are in the chain (default: of all)."""
    asked = "SELECT seq, hash, item, role, act, decision, recorded_at FROM vote JOIN chain USING (seq)"
    if entries is None:
        rows = db.execute(f"{asked} ORDER BY seq")
    else:
        wanted = json.dumps(sorted(set(entries)))
        rows = db.execute(f"{asked} WHERE hash IN (SELECT value FROM json_each(?)) ORDER BY seq", (wanted,))
    return {row[1]: Decided(*row) for row in rows}


def _problems(db: sqlite3.Connection, noted: str) -> list[Problem]:
    problems = [*chained.verify(db, store.RECORDS, noted), *seal.check(db)]
    said = [Said(*row) for row in db.execute(f"{HISTORY} ORDER BY seq")]
    accounts = db.execute("SELECT seq, reviewer, role, state FROM account ORDER BY seq").fetchall()
    of_items = defaultdict(list)
    for one in said:
        of_items[one.item].append(one)
    problems += _by_nobody(said, accounts)
    problems += _of_accounts(db, accounts)
    for history in of_items.values():
        problems += _out_of_turn(history)
    return problems + list(_not_following(db, of_items))


def _by_nobody(said: list[Said], accounts: list[tuple]) -> Iterator[Problem]:
    """Records of people who had no account in use of that role when they were made."""
    made, stands = deque(accounts), {}
    for one in said:
        while made and made[0][0] < one.seq:
            _, reviewer, *state = made.popleft()
            stands[reviewer] = tuple(state)
        if stands.get(one.reviewer) != (one.role, ACTIVE):
            yield Problem(f"entry {one.seq}", "is by an account that did not have that role", HINT)


def _of_accounts(db: sqlite3.Connection, accounts: list[tuple]) -> Iterator[Problem]:
    """Accounts that are not as they were recorded."""
    recorded = {reviewer: (role, int(state == ACTIVE)) for _, reviewer, role, state in accounts}
    stored = {reviewer: (role, used) for reviewer, role, used in db.execute(
        "SELECT reviewer, role, active FROM reviewer")}  # fmt: skip
    for reviewer in sorted(recorded.keys() | stored.keys()):
        if recorded.get(reviewer) != stored.get(reviewer):
            yield Problem(f"account {reviewer}", "differs from its record", ASIDE)


def _out_of_turn(history: list[Said]) -> Iterator[Problem]:
    """Records of one item that don't follow on those before, or that their maker could not make."""
    last: dict[str, Said] = {}
    for one in history:
        before = last.get(one.reviewer)
        if one.replaces != (before.entry if before else ""):
            yield Problem(f"entry {one.seq}", "does not follow from the same person's previous vote", HINT)
        if one.act == ADJUDICATION and one.role not in (ADJUDICATOR, ADMIN):
            yield Problem(f"entry {one.seq}", "is an adjudication by an account without that right", HINT)
        if one.act == ADJUDICATION and before is not None and before.act != ADJUDICATION:
            yield Problem(f"entry {one.seq}", "is an adjudication by a person who voted on the item", HINT)
        last[one.reviewer] = one


def _not_following(db: sqlite3.Connection, of_items: dict[str, list[Said]]) -> Iterator[Problem]:
    """Items whose state and votes, as they are noted, are not those that follow from the records."""
    noted = defaultdict(dict)
    for item, reviewer, *rest in db.execute("SELECT item, reviewer, decision, open, queue FROM assignment"):
        noted[item][reviewer] = tuple(rest)
    names = ", ".join(f'"{name}"' for name in items.SEEN)
    missing = set(of_items)
    for item, *stands in db.execute(f"SELECT item, asked, votes, state, entry, gone, {names} FROM item"):
        missing.discard(item)
        try:
            if what := _strange(stands, noted[item], of_items.get(item, [])):
                yield Problem(f"item {item}", what, ASIDE)
        except (ValueError, TypeError):
            yield Problem(f"item {item}", "can't be read: it or its records were changed", ASIDE)
    yield from (Problem(f"item {item}", "is missing, although it was decided", ASIDE) for item in sorted(missing))


def _strange(stands: list, noted: dict[str, tuple], history: list[Said]) -> str:
    """What speaks against an item as it stands, and the votes that are noted of it; "" for nothing."""
    digest, votes, state, entry, gone, *seen = stands
    told = dict(zip(items.SEEN, seen, strict=True))
    if digest != items.asked(told):
        return "differs from the original question"
    asked = Question(digest, tuple(json.loads(told["polygon"])), votes, frozenset(noted), told["queue"] in RATED)
    found = outcome.of(asked, history)
    if (state, entry) != found[:2]:
        return f"is {state}, which contradicts the recorded votes"
    waits = set() if state == SETTLED or gone else noted.keys() - found.counted.keys()
    given = {who: found.counted[who].decision if who in found.counted else "" for who in noted}
    follows = {who: (given[who], int(who in waits), told["queue"]) for who in noted}
    if follows != noted or (state == SETTLED and len(found.counted) < votes):
        return "has stored votes that differ from the recorded ones"
    return ""
