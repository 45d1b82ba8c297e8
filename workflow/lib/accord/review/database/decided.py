"""What people decided in the end, as the table that the flow reads."""

import json
import sqlite3
from collections.abc import Iterable, Iterator

from pandera.typing import DataFrame

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.queues import RATED, UPHOLD
from accord.review.database import store
from accord.review.database.outcome import SETTLED
from accord.review.drawn import outlines
from accord.review.tables import Decisions
from accord.sealing import chained

ASKED = """
    SELECT item.item, queue, image, region, kind, polygon, entry FROM item
    WHERE state = ? AND queue NOT IN ({others}) {where} ORDER BY item.item
"""
OF_ENTRY = """
    SELECT chain.hash, chain.commitment, vote.* FROM item JOIN chain ON chain.hash = item.entry
    JOIN vote ON vote.seq = chain.seq AND vote.item = item.item AND vote.asked = item.asked
    WHERE state = ? AND queue NOT IN ({others}) {where}
"""
ITEM, DECISION, REGIONS = 3, 7, 8
"""Where these are among the columns of a record."""


def decided(db: sqlite3.Connection, images: Iterable[str] | None = None) -> DataFrame[Decisions]:
    """The settled items of some images (default: all): each with the decision and the regions of the entry that
    settled it. Votes of RATED queues decide nothing: `rated_votes` has them.

    Raises AccordError where one of these entries is missing, or is not as it was recorded.
    """
    where, values, others = "", (SETTLED, *RATED), ", ".join("?" * len(RATED))
    if images is not None:
        where = "AND item.image IN (SELECT value FROM json_each(?))"
        values = (SETTLED, *RATED, json.dumps(sorted(set(images))))
    with store.snapshot(db):
        settled = db.execute(ASKED.format(others=others, where=where), values).fetchall()
        entries = db.execute(OF_ENTRY.format(others=others, where=where), values).fetchall()
    records = {entry: (committed, record) for entry, committed, *record in entries}
    changed = sum(not _holds(row[0], *records.get(row[-1], ("", []))) for row in settled)
    if changed:
        hint = "run `accord review verify` for details, keep the file as evidence, and restore the vault from a backup"
        raise AccordError(Problem("review/review.sqlite", f"{changed} decisions differ from their records", hint))
    return table.rows(_rows(settled, records), Decisions)


def _holds(item: str, committed: str, record: list) -> bool:
    """Whether a record, which begins with its number, is of an item, and what was committed to."""
    return bool(record) and record[ITEM] == item and chained.commitment("vote", tuple(record[1:])) == committed


def _rows(settled: Iterable[tuple], records: dict[str, tuple[str, list]]) -> Iterator[tuple]:
    for item, queue, image, region, kind, polygon, entry in settled:
        record = records[entry][1]
        decision = record[DECISION]
        drawn = outlines.decode(record[REGIONS]) if decision == UPHOLD else []
        for number, (of, corners) in enumerate(drawn or [(kind, json.loads(polygon))]):
            yield item, number, queue, image, region, decision, of, list(corners), entry
