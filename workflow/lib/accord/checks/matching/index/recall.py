"""How much of what cells propose from they miss: some pictures, drawn by lot, are compared with all others.

Some are of the pictures of which short vectors lose most, and of those of which they lose most beside how far their
neighbours are: what varies in directions of its own is among the first, what differs in little among the second.
"""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

import numpy as np
from scipy import sparse

from accord.checks.matching.index.stored_vectors import UNIT, Store
from accord.checks.matching.index.top_k import TopK
from accord.statistics.cohort import Cohort
from accord.statistics.describing.mean_intervals import mean_intervals

ALL, LEAST_KEPT, LEAST_OF_NEAR = "all", "least kept", "least kept of near ones"
DRAWN, SHARE = 100, 0.05
"""Pictures that are drawn of all, and of the share of which short vectors lose most."""
TIE = 5e-5
"""Cosines that differ by no more are equal: the store has 16 bits."""
SEED = 20_231
BLOCK = 1000


class Kept(NamedTuple):
    """What short vectors lose of n pictures; 1 - the cosine of the last of those that were chosen for each; their
    positions."""

    lost: np.ndarray
    apart: np.ndarray
    places: np.ndarray


class Recall(NamedTuple):
    """The fields are those of the table CropRecall."""

    drawn_from: str
    images: int
    drawn: int
    pairs: int
    found: int
    recall: float
    low: float
    high: float


def recalls(store: Store, kept: Kept, pairs: np.ndarray, most: int, least: float) -> list[Recall]:
    """A Recall of each of ALL, LEAST_KEPT and LEAST_OF_NEAR: of the `most` nearest others with a cosine of `least`.

    store: vectors of n pictures by number, in the order of `kept`; pairs: (m, 2) positions that were proposed. Others
    that are as near as the last of the nearest are as good.
    """
    made = []
    for name, among, drawn in _drawn(kept):
        counts = _compared(store, drawn, _partners(drawn, kept, pairs), len(kept.lost), most, least)
        made.append(_recall(name, len(among), drawn, *counts))
    return made


def _partners(drawn: np.ndarray, kept: Kept, pairs: np.ndarray) -> np.ndarray:
    """(m, 2) numbers of pairs with drawn pictures, both ways round."""
    asked = np.zeros(len(kept.places), bool)
    asked[kept.places[drawn]] = True
    some = np.argsort(kept.places)[pairs[asked[pairs].any(axis=1)]]
    return np.concatenate([some, some[:, ::-1]])


def _drawn(kept: Kept) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Which pictures each Recall is of, and which are drawn of them, by number; by lot of positions, which don't depend
    on how pictures lie in tables."""
    rng, number = np.random.default_rng(SEED), np.argsort(kept.places)
    for name, loss in ((ALL, None), (LEAST_KEPT, kept.lost), (LEAST_OF_NEAR, kept.lost / kept.apart)):
        worst = number if loss is None else number[np.argsort(-loss[number], kind="stable")]
        among = worst[: len(number) if loss is None else ceil(SHARE * len(number))]
        yield name, among, np.sort(rng.choice(among, min(DRAWN, len(among)), replace=False))


def _compared(
    store: Store, drawn: np.ndarray, partners: np.ndarray, count: int, most: int, least: float
) -> tuple[np.ndarray, np.ndarray]:
    """Of each drawn picture, how many of the nearest there are, and how many of them are its partners: (n,) each.

    partners: (m, 2) numbers, each pair both ways round.
    """
    unit, best = np.float32(1 / UNIT), TopK(len(drawn), most)
    mine, rows = store.get(drawn) * unit, np.arange(len(drawn))
    line = np.minimum(np.searchsorted(drawn, partners[:, 0]), len(drawn) - 1)
    asked = drawn[line] == partners[:, 0]
    line, other = line[asked], partners[asked, 1]
    order = np.argsort(other, kind="stable")
    line, other, cosine = line[order], other[order], np.empty(len(order), np.float32)
    for start in range(0, count, BLOCK):
        others = np.arange(start, min(start + BLOCK, count))
        alike = alike_with(mine, store.get(others) * unit)
        alike[drawn[:, None] == others] = -np.inf
        here = slice(*np.searchsorted(other, [start, start + len(others)]))
        cosine[here] = alike[line[here], other[here] - start]
        best.add(rows, others.astype(np.int32), alike)
    nearest = best.found()[1]
    wanted = (nearest >= least).sum(axis=1)
    last = np.take_along_axis(nearest, np.maximum(wanted - 1, 0)[:, None], axis=1)[:, 0]
    held = np.bincount(line[cosine >= last[line] - TIE], minlength=len(drawn))
    return wanted, np.minimum(held, wanted)


def alike_with(mine: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, m) cosines of (n, regions, d) pictures with (m, regions, d): the best of a whole one with a part of the
    other."""
    parts = (mine[:, 0] @ others.reshape(-1, others.shape[-1]).T).reshape(len(mine), *others.shape[:2]).max(axis=2)
    whole = mine.reshape(-1, mine.shape[-1]) @ np.ascontiguousarray(others[:, 0]).T
    return np.maximum(parts, whole.reshape(*mine.shape[:2], len(others)).max(axis=1))


def _recall(name: str, images: int, drawn: np.ndarray, wanted: np.ndarray, held: np.ndarray) -> Recall:
    """wanted, held: (n,) of each drawn picture, as _compared has them."""
    pairs, found = int(wanted.sum()), int(held.sum())
    if not pairs:
        return Recall(name, images, len(drawn), 0, 0, np.nan, np.nan, np.nan)
    asking = np.repeat(np.arange(len(wanted)), wanted)
    rank = np.arange(pairs) - np.repeat(np.cumsum(wanted) - wanted, wanted)
    values = (rank < held[asking]).astype(float)
    subjects = np.unique(asking, return_inverse=True)[1]
    scores = Cohort(values, subjects, sparse.csc_array(np.ones((pairs, 1))), (name,))
    low, high = mean_intervals(scores, bounded=True)[0].tolist()
    return Recall(name, images, len(drawn), pairs, found, found / pairs, low, high)
