"""How much of what cells propose from they miss: some pictures, drawn by lot, are compared with all others.

Half of them are of the pictures of which short vectors lose most, beside how far their neighbours are: whatever varies
in directions of its own is there.
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

ALL, LEAST_KEPT = "all", "least kept"
DRAWN, SHARE = 100, 0.05
"""Pictures that are drawn of all, and of the share of which short vectors lose most."""
SEED = 20_231
BLOCK = 1000


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


def recalls(
    store: Store, lost: np.ndarray, places: np.ndarray, found: np.ndarray, most: int, least: float
) -> list[Recall]:
    """A Recall of ALL, and one of LEAST_KEPT: of the `most` nearest others with a cosine of `least`.

    store: vectors of n pictures by number; lost: (n,) what short vectors lose of each; places: (n,) their positions;
    found: (m, 2) sorted pairs of positions, left < right, that were proposed.
    """
    return [
        _recall(name, len(among), _nearest(store, drawn, len(lost), most, least), places, found)
        for name, among, drawn in _drawn(lost)
    ]


def _drawn(lost: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Of all pictures and of those least kept: these, and the ones drawn, by number."""
    rng = np.random.default_rng(SEED)
    worst = np.argsort(-lost, kind="stable")[: ceil(SHARE * len(lost))]
    for name, among in ((ALL, np.arange(len(lost))), (LEAST_KEPT, worst)):
        yield name, among, np.sort(rng.choice(among, min(DRAWN, len(among)), replace=False))


def _nearest(store: Store, drawn: np.ndarray, count: int, most: int, least: float) -> np.ndarray:
    """(m, 2) numbers of the drawn pictures and the `most` nearest of all others to each, with a cosine of `least`."""
    unit, best = np.float32(1 / UNIT), TopK(len(drawn), most)
    mine, rows = store.get(drawn) * unit, np.arange(len(drawn))
    for start in range(0, count, BLOCK):
        others = np.arange(start, min(start + BLOCK, count))
        alike = alike_with(mine, store.get(others) * unit)
        alike[drawn[:, None] == others] = -np.inf
        best.add(rows, others.astype(np.int32), alike)
    ids, cosines = best.found()
    line, column = np.nonzero(cosines >= least)
    return np.stack([drawn[line], ids[line, column]], axis=1)


def alike_with(mine: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, m) cosines of (n, regions, d) pictures with (m, regions, d): the best of a whole one with a part of the
    other."""
    parts = (mine[:, 0] @ others.reshape(-1, others.shape[-1]).T).reshape(len(mine), *others.shape[:2]).max(axis=2)
    whole = mine.reshape(-1, mine.shape[-1]) @ np.ascontiguousarray(others[:, 0]).T
    return np.maximum(parts, whole.reshape(*mine.shape[:2], len(others)).max(axis=1))


def _recall(name: str, images: int, exact: np.ndarray, places: np.ndarray, found: np.ndarray) -> Recall:
    """exact: (m, 2) numbers of pictures drawn and of those that are nearest to them."""
    held = _among(np.sort(places[exact], axis=1), found, len(places))
    asking = np.unique(exact[:, 0], return_inverse=True)[1]
    scores = Cohort(held.astype(float), asking, sparse.csc_array(np.ones((len(held), 1))), (name,))
    low, high = mean_intervals(scores, bounded=True)[0] if len(held) else (np.nan, np.nan)
    share = float(held.mean()) if len(held) else np.nan
    return Recall(name, images, min(DRAWN, images), len(held), int(held.sum()), share, float(low), float(high))


def _among(sought: np.ndarray, pairs: np.ndarray, count: int) -> np.ndarray:
    """Which of the sought pairs are among sorted ones, of `count` pictures."""
    if not len(pairs):
        return np.zeros(len(sought), bool)
    codes, wanted = (of[:, 0].astype(np.int64) * count + of[:, 1] for of in (pairs, sought))
    return codes[np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)] == wanted
