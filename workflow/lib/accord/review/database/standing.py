"""How an item stands in the database of reviews: what is asked, all that was said of it, and what follows, noted."""

import json
import sqlite3

from accord.queues import RATED
from accord.review.database import outcome
from accord.review.database.outcome import SETTLED, Question, Said

HISTORY = """
    SELECT vote.seq, chain.hash, recorded_at, item, reviewer, role, act, decision, regions, note, asked, votes, replaces
    FROM vote JOIN chain USING (seq)
"""


def question(db: sqlite3.Connection, item: str) -> Question:
    """What is asked of an item that there is, and of whom."""
    about = "SELECT asked, polygon, votes, queue FROM item WHERE item = ?"
    asked, polygon, votes, queue = db.execute(about, (item,)).fetchone()
    who = db.execute("SELECT reviewer FROM assignment WHERE item = ?", (item,))
    return Question(
        asked, tuple(json.loads(polygon)), votes, frozenset(reviewer for (reviewer,) in who), queue in RATED
    )


def history(db: sqlite3.Connection, item: str) -> list[Said]:
    """All that was said of an item, oldest first."""
    return [Said(*row) for row in db.execute(f"{HISTORY} WHERE item = ? ORDER BY seq", (item,))]


def settle(db: sqlite3.Connection, item: str) -> None:
    """Note what follows from all that was said of an item, and who has still to look at it."""
    found = outcome.of(question(db, item), history(db, item))
    db.execute("UPDATE item SET state = ?, entry = ? WHERE item = ?", (found.state, found.entry, item))
    db.execute("UPDATE assignment SET decision = '', open = ? WHERE item = ?", (found.state != SETTLED, item))
    rows = [(said.decision, item, who) for who, said in found.counted.items()]
    db.executemany("UPDATE assignment SET decision = ?, open = 0 WHERE item = ? AND reviewer = ?", rows)
