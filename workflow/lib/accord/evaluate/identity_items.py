"""What people are asked about faces of a Rapid Test: whether each shows the person whom most of its query show."""

from collections.abc import Iterator
from math import ceil

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.evaluate.tables.services import FaceIds
from accord.queues import IDENTITIES, SHOWN
from accord.review.tables import Items
from accord.shards import opaque_id
from accord.statistics.seeds import lot

CHECK = "identity_vote"
(KIND,) = SHOWN
LEAST, MOST = 3, 40
"""Faces of a query: among fewer, most of them are nobody; more are not seen at once."""
SIDES = ["x0", "y0", "x1", "y1"]
SLACK = 1e-9
"""A share of so many queries is a whole number but for rounding."""


def run(faces: DataFrame[FaceIds], *, share: float, seed: int = 1) -> DataFrame[Items]:
    """A question for each common face of a `share` of the queries, drawn by lot, which tells nothing of the services
    but where the face is.

    Those with the smallest digest of seed and query are drawn, so that a withdrawal moves few; so are the faces of a
    query with more than 40. Queries with fewer than three common faces are left out. An item's subject is the query's
    person, whoever it shows: it goes with either of them.
    """
    common = faces[faces["face"] != ""].groupby(["query", "face"], sort=True)[SIDES].median().round().reset_index()
    large = common[common.groupby("query")["face"].transform("size") >= LEAST]
    names = sorted(set(large["query"]), key=lambda query: lot(seed, query))
    drawn = names[: ceil(share * len(names) - SLACK)]
    rows = [row for query in sorted(drawn) for row in _items(large[large["query"] == query], seed)]
    return table.rows(rows, Items)


def _items(faces: pd.DataFrame, seed: int) -> Iterator[dict]:
    """The items of one query."""
    turns = faces.assign(turn=[lot(seed, face) for face in faces["face"]]).sort_values("turn").head(MOST)
    none = {"other": "", "region": "", "score": None, "threshold": None, "reason": ""}
    for row in turns.sort_values("face").itertuples():
        told = {"item": opaque_id("item", IDENTITIES, row.query, row.face), "image": row.face, "subject": row.query}
        polygon = _corners(np.array([getattr(row, side) for side in SIDES], float))
        yield {**told, **none, "queue": IDENTITIES, "check": CHECK, "kind": KIND, "polygon": polygon}


def _corners(box: np.ndarray) -> list[float]:
    """The box as a polygon; none where no service tells where the face is."""
    return [] if np.isnan(box).any() else box[[0, 1, 2, 1, 2, 3, 0, 3]].tolist()
