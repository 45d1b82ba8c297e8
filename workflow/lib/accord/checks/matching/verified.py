"""Which likely pairs of pictures hold: parts of both are one and the same, by their keypoints; or all, by the pixels of
pictures that have hardly any."""

from collections.abc import Iterator
from contextlib import closing
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.matching.between_kept import between_kept, untried
from accord.checks.matching.in_place import same_in_place
from accord.checks.matching.keypoints import Keypoints
from accord.checks.matching.matches import Match, matches
from accord.checks.matching.stored_keypoints import Store, keypoints_of
from accord.checks.matching.stored_looks import pictures
from accord.statistics.distinct import distinct

AT_ONCE = 30_000
"""Pairs whose keypoints are in memory at once: 40 to 60 kB for each picture of them."""
APART = -1
"""In place of the number of keypoints that agree: the pair doesn't hold."""
TOGETHER = 8
"""Pairs with the same right picture that are matched at once: their numbers stay in the cache."""


class Limits(NamedTuple):
    """The fewest keypoints that must agree on one place, and the least correlation of the pixels there."""

    inliers: int
    correlation: float


class Held(NamedTuple):
    """Pairs that hold: (m, 2) int64 positions of pictures, left < right, sorted by them; inliers: (m,) int32, how many
    keypoints agree on one place, 0 where pixels alone do. Arrays, since there may be millions of pairs."""

    pairs: np.ndarray
    inliers: np.ndarray


class Compared(NamedTuple):
    """Pictures that are compared. images: n sorted ids; order: (n,) positions, so that those that look alike are near
    each other: less is read then; ranks: (n,) of each, the best first; files: tables Looks that have them."""

    files: list[Path]
    images: np.ndarray
    order: np.ndarray
    ranks: np.ndarray


def verified(shown: Compared, pairs: np.ndarray, limits: Limits) -> Held:
    """Those of the pairs that hold, and of the pairs of kept pictures whose copies are copies of one another.

    pairs: (m, 2) positions of pictures, left < right.
    """
    with closing(Store(len(shown.images))) as store:
        _keep(store, shown.files, shown.images, pairs)
        place = np.argsort(shown.order)
        held, tried = _held(pairs, store, place, limits), pairs
        while len(more := untried(between_kept(held.pairs, shown.ranks), tried)):
            found = _held(more, store, place, limits)
            held = Held(np.concatenate([held.pairs, found.pairs]), np.concatenate([held.inliers, found.inliers]))
            tried = np.concatenate([tried, more])
    order = np.lexsort([held.pairs[:, 1], held.pairs[:, 0]])
    return Held(held.pairs[order], held.inliers[order])


def _held(pairs: np.ndarray, store: Store, place: np.ndarray, limits: Limits) -> Held:
    """Those that hold, in the order in which they are read: by the place of each picture."""
    ordered = pairs[np.lexsort([place[pairs[:, 0]], place[pairs[:, 1]]])]
    blocks = (ordered[start : start + AT_ONCE] for start in range(0, len(ordered), AT_ONCE))
    inliers = np.concatenate([np.empty(0, np.int32), *(_inliers(some, store, limits) for some in blocks)])
    return Held(ordered[inliers != APART], inliers[inliers != APART])


def _keep(store: Store, files: list[Path], images: np.ndarray, pairs: np.ndarray) -> None:
    wanted = np.zeros(len(images), bool)
    wanted[pairs] = True
    for table in pictures(files, images.tolist()).tables:
        for place, made in keypoints_of(table, wanted):
            store.add(place, made)


def _inliers(pairs: np.ndarray, store: Store, limits: Limits) -> np.ndarray:
    """(m,) int32 keypoints that agree in each of the pairs, sorted by their right pictures; APART: it doesn't hold."""
    known = store.get(distinct(pairs))
    made = (
        one for lefts, right in _together(pairs)
        for one in _agreed([known[left] for left in lefts], known[right], limits)
    )  # fmt: skip
    return np.fromiter(made, np.int32, len(pairs))


def _agreed(lefts: list[Keypoints], right: Keypoints, limits: Limits) -> list[int]:
    made = matches(lefts, right, limits.inliers)
    return [agreeing(left, right, one, limits) for left, one in zip(lefts, made, strict=True)]


def agreeing(left: Keypoints, right: Keypoints, made: Match, limits: Limits) -> int:
    """How many keypoints agree in two pictures that were matched so, 0 where pixels alone do; APART where neither."""
    if _holds(made, limits):
        return made.inliers
    return 0 if same_in_place(left, right, limits.correlation) else APART


def _together(pairs: np.ndarray) -> Iterator[tuple[list[int], int]]:
    """Left pictures, TOGETHER at most, and the right picture that they are paired with."""
    for right, some in groupby(pairs.tolist(), key=itemgetter(1)):
        while lefts := [left for left, _ in islice(some, TOGETHER)]:
            yield lefts, right


def _holds(made: Match, limits: Limits) -> bool:
    return made.inliers >= max(limits.inliers, 1) and made.correlation >= limits.correlation
