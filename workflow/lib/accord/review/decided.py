"""What people decided in the end, as the table that the flow reads."""

import json
import sqlite3
from collections.abc import Iterable, Iterator

from pandera.typing import DataFrame

from accord import table
from accord.review import outlines
from accord.review.outcome import SETTLED
from accord.review.tables import UPHOLD, Decisions

ASKED = """
    SELECT item.item, queue, image, region, kind, polygon, decision, regions, hash
    FROM item JOIN chain ON chain.hash = item.entry JOIN vote USING (seq)
    WHERE state = ? {where} ORDER BY item.item
"""


def decided(db: sqlite3.Connection, images: Iterable[str] | None = None) -> DataFrame[Decisions]:
    """The settled items of some images (default: all): each with the decision and the regions of the entry that
    settled it."""
    if images is None:
        return table.rows(_rows(db.execute(ASKED.format(where=""), (SETTLED,))), Decisions)
    wanted = json.dumps(sorted(set(images)))
    asked = ASKED.format(where="AND image IN (SELECT value FROM json_each(?))")
    return table.rows(_rows(db.execute(asked, (SETTLED, wanted))), Decisions)


def _rows(settled: Iterable[tuple]) -> Iterator[tuple]:
    for item, queue, image, region, kind, polygon, decision, regions, entry in settled:
        drawn = outlines.decode(regions) if decision == UPHOLD else []
        for number, (of, corners) in enumerate(drawn or [(kind, json.loads(polygon))]):
            yield item, number, queue, image, region, decision, of, list(corners), entry
