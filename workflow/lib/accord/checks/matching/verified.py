"""Which likely pairs of pictures hold: parts of both are one and the same, by their keypoints."""

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.matching.keypoints import Match, match
from accord.checks.matching.stored_keypoints import Store, keypoints_of
from accord.checks.matching.stored_looks import pictures
from accord.statistics.distinct import distinct

AT_ONCE = 30_000
"""Pairs whose keypoints are in memory at once: 40 to 60 kB for each picture of them."""


class Limits(NamedTuple):
    """The fewest keypoints that must agree on one place, and the least correlation of the pixels there."""

    inliers: int
    correlation: float


class Held(NamedTuple):
    """Pairs that hold: (m, 2) int64 positions of pictures, left < right, sorted by them; inliers: (m,) int32, how many
    keypoints agree on one place. Arrays, since there may be millions of pairs."""

    pairs: np.ndarray
    inliers: np.ndarray


def verified(files: list[Path], images: np.ndarray, pairs: np.ndarray, limits: Limits) -> Held:
    """Those of the pairs that hold.

    images: sorted ids; pairs: (m, 2) positions in them, left < right; files: tables Looks that have the pictures.
    """
    ordered = pairs[np.lexsort([pairs[:, 1], pairs[:, 0]])]
    with closing(Store(len(images))) as store:
        _keep(store, files, images, pairs)
        blocks = (ordered[start : start + AT_ONCE] for start in range(0, len(ordered), AT_ONCE))
        inliers = [_inliers(some, store, limits) for some in blocks]
    agreeing = np.concatenate([np.empty(0, np.int32), *inliers])
    return Held(ordered[agreeing > 0], agreeing[agreeing > 0])


def _keep(store: Store, files: list[Path], images: np.ndarray, pairs: np.ndarray) -> None:
    wanted = np.zeros(len(images), bool)
    wanted[pairs] = True
    for table in pictures(files, images.tolist()).tables:
        for place, made in keypoints_of(table, wanted):
            store.add(place, made)


def _inliers(pairs: np.ndarray, store: Store, limits: Limits) -> np.ndarray:
    """(m,) int32 keypoints that agree in each of the pairs, 0 where it doesn't hold."""
    known = store.get(distinct(pairs))
    made = (match(known[left], known[right], limits.inliers) for left, right in pairs.tolist())
    return np.fromiter((one.inliers if _holds(one, limits) else 0 for one in made), np.int32, len(pairs))


def _holds(made: Match, limits: Limits) -> bool:
    return made.inliers >= max(limits.inliers, 1) and made.correlation >= limits.correlation
