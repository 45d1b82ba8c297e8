"""Which likely pairs of pictures hold: parts of both are one and the same, by their keypoints."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.matching.keypoints import Match, match
from accord.checks.matching.stored_keypoints import Store, keypoints_of
from accord.checks.matching.stored_looks import pictures

AT_ONCE = 30_000
"""Pairs whose keypoints are in memory at once: 40 to 60 kB for each picture of them."""


class Limits(NamedTuple):
    """The fewest keypoints that must agree on one place, and the least correlation of the pixels there."""

    inliers: int
    correlation: float


def verified(
    files: list[Path], images: np.ndarray, pairs: np.ndarray, limits: Limits
) -> list[tuple[tuple[str, str], Match]]:
    """(left, right) ids and the Match of those of the pairs that hold, sorted by their ids.

    images: sorted ids; pairs: (m, 2) positions in them, left < right; files: tables Looks that have the pictures.
    """
    ordered = pairs[np.lexsort([pairs[:, 1], pairs[:, 0]])]
    with closing(Store(len(images))) as store:
        _keep(store, files, images, pairs)
        blocks = (ordered[start : start + AT_ONCE] for start in range(0, len(ordered), AT_ONCE))
        found = [held for some in blocks for held in _that_hold(some, store, limits)]
    return [((str(images[left]), str(images[right])), made) for (left, right), made in found]


def _keep(store: Store, files: list[Path], images: np.ndarray, pairs: np.ndarray) -> None:
    wanted = np.zeros(len(images), bool)
    wanted[pairs] = True
    for table in pictures(files, images.tolist()).tables:
        for place, made in keypoints_of(table, wanted):
            store.add(place, made)


def _that_hold(pairs: np.ndarray, store: Store, limits: Limits) -> Iterator[tuple[tuple[int, int], Match]]:
    known = store.get(np.unique(pairs))
    for left, right in pairs.tolist():
        made = match(known[left], known[right], limits.inliers)
        if made.inliers >= limits.inliers and made.correlation >= limits.correlation:
            yield (left, right), made
