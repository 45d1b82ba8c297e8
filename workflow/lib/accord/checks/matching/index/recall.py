"""How much of what cells propose from they miss: some pictures, drawn by lot, are compared with all others.

Some are of the pictures of which short vectors lose most, and of those of which they lose most beside how far their
neighbours are: what varies in directions of its own is among the first, what differs in little among the second.
"""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

import numpy as np

from accord.checks.matching.index.alike import alike_with
from accord.checks.matching.index.lots import lots
from accord.checks.matching.index.stored_vectors import UNIT, Store
from accord.checks.matching.index.top_k import TopK

ALL, LEAST_KEPT, LEAST_OF_NEAR = "all", "least kept", "least kept of near ones"
DRAWN, SHARE = 100, 0.05
"""Pictures that are drawn of all, and of the share of which short vectors lose most."""
TIE = 5e-5
"""Cosines that differ by no more are equal: the store has 16 bits."""
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
    number, made = np.argsort(kept.places), []
    for name, images, drawn in _drawn(kept, number):
        asked = np.zeros(len(number), bool)
        asked[kept.places[drawn]] = True
        partners = number[pairs[asked[pairs].any(axis=1)]]
        counts = _compared(store, drawn, partners, len(number), most, least)
        made.append(_recall(name, images, len(drawn), *counts))
    return made


def _drawn(kept: Kept, number: np.ndarray) -> Iterator[tuple[str, int, np.ndarray]]:
    """How many pictures each Recall is of, and the numbers of those that are drawn; by lot of positions, which don't
    depend on how pictures lie in tables. number: of the picture at each position."""
    rng = lots()
    for name, loss in ((ALL, None), (LEAST_KEPT, kept.lost), (LEAST_OF_NEAR, kept.lost / kept.apart)):
        worst = number if loss is None else number[np.argsort(-loss[number], kind="stable")]
        among = worst[: len(number) if loss is None else ceil(SHARE * len(number))]
        yield name, len(among), np.sort(rng.choice(among, min(DRAWN, len(among)), replace=False))


def _compared(
    store: Store, drawn: np.ndarray, partners: np.ndarray, count: int, most: int, least: float
) -> tuple[np.ndarray, np.ndarray]:
    """Of each drawn picture, how many of the nearest there are, and how many of them are its partners: (n,) each.

    partners: (m, 2) numbers of pairs with them.
    """
    unit, best = np.float32(1 / UNIT), TopK(len(drawn), most, count)
    mine, rows = store.get(drawn) * unit, np.arange(len(drawn))
    both = np.concatenate([partners, partners[:, ::-1]])
    line = np.minimum(np.searchsorted(drawn, both[:, 0]), len(drawn) - 1)
    asked = drawn[line] == both[:, 0]
    line, other = line[asked], both[asked, 1]
    order = np.argsort(other, kind="stable")
    line, other, cosine = line[order], other[order], np.empty(len(order), np.float32)
    for start in range(0, count, BLOCK):
        others = np.arange(start, min(start + BLOCK, count))
        seen = store.get(others) * unit
        alike = alike_with(mine, seen, np.ascontiguousarray(seen[:, 0]))
        alike[drawn[:, None] == others] = -np.inf
        here = slice(*np.searchsorted(other, [start, start + len(others)]))
        cosine[here] = alike[line[here], other[here] - start]
        best.add(rows, others, alike)
    nearest = best.found()[1]
    wanted = (nearest >= least).sum(axis=1)
    last = np.take_along_axis(nearest, np.maximum(wanted - 1, 0)[:, None], axis=1)[:, 0]
    held = np.bincount(line[cosine >= last[line] - TIE], minlength=len(drawn))
    return wanted, np.minimum(held, wanted)


def _recall(name: str, images: int, drawn: int, wanted: np.ndarray, held: np.ndarray) -> Recall:
    """wanted, held: (n,) of each drawn picture, as _compared has them."""
    from scipy import sparse

    from accord.statistics.cohort import Cohort
    from accord.statistics.describing.mean_intervals import mean_intervals

    pairs, found = int(wanted.sum()), int(held.sum())
    if not pairs:
        return Recall(name, images, drawn, 0, 0, np.nan, np.nan, np.nan)
    wanted, held = wanted[wanted > 0], held[wanted > 0]
    values = np.repeat(np.tile([1.0, 0.0], len(wanted)), np.column_stack([held, wanted - held]).ravel())
    picture = np.repeat(np.arange(len(wanted)), wanted)
    scores = Cohort(values, picture, sparse.csc_array(np.ones((pairs, 1))), (name,))
    low, high = mean_intervals(scores, bounded=True)[0].tolist()
    return Recall(name, images, drawn, pairs, found, found / pairs, low, high)
