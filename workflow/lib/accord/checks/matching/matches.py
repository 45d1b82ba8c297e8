"""Whether keypoints of two pictures lie in the same places.

One picture is part of another where a turn, a shift and a scale carry many of its keypoints onto the other's (RANSAC;
Fischler and Bolles 1981), and the pixels agree there: a shared wall or shirt has keypoints in place, too, but not the
pixels around them.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from accord.checks.matching.byte_products import byte_products
from accord.checks.matching.keypoints import Keypoints

RATIO = 0.8
TOLERANCE = 4.0
"""Px of the thumbnail of 512 px within which a keypoint is in its place."""
SMALLEST = 100
"""Pixels of the luma that are seen in both pictures, at least."""


class Match(NamedTuple):
    """Keypoints that agree on one place, and the correlation of the pixels there, -1 to 1 (0 where undefined)."""

    inliers: int
    correlation: float


def match(left: Keypoints, right: Keypoints, least: int) -> Match:
    """How well `left` is found in `right`, or a part of it in a part."""
    return matches([left], right, least)[0]


def matches(lefts: list[Keypoints], right: Keypoints, least: int) -> list[Match]:
    """How well each of `lefts` is found in `right` or a part of it in a part; (0, 0) with fewer than `least` likely
    pairs of keypoints.

    A keypoint and its nearest in the other picture count where each is the other's nearest and the next is clearly
    farther (Lowe's ratio). What comes of several pictures is what comes of each alone, in less time.
    """
    made, fewest = [Match(0, 0.0)] * len(lefts), max(least, 2)
    enough = [at for at, left in enumerate(lefts) if min(len(left.points), len(right.points)) >= fewest]
    if enough:
        some = [lefts[at] for at in enough]
        for at, left, (first, second) in zip(enough, some, _mutual(some, right, least), strict=True):
            if len(first) >= fewest:
                made[at] = _placed(left, right, left.points[first], right.points[second], least)
    return made


def _placed(left: Keypoints, right: Keypoints, points: np.ndarray, others: np.ndarray, least: int) -> Match:
    """How many of the points of `left` are carried onto those of `right` by one movement, and what is seen there.

    RANSAC's seed is fixed in OpenCV: the same pictures give the same answer.
    """
    import cv2

    moved, inside = cv2.estimateAffinePartial2D(
        points, others, method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE, maxIters=1000
    )
    agreed = 0 if inside is None else int(inside.sum())
    return Match(agreed, 0.0 if moved is None or agreed < least else _correlation(left, right, moved))


def _mutual(lefts: list[Keypoints], right: Keypoints, least: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each of `lefts`: positions of descriptors, of it and of `right`, that pass the ratio test seen from the left;
    only those that are each other's nearest, where at least `least` pass."""
    products = byte_products(np.concatenate([left.descriptors for left in lefts]), right.descriptors)
    rows, nearest = _passed(products, np.concatenate([left.per_length for left in lefts]), right.per_length)
    starts = np.cumsum([0, *(len(left.points) for left in lefts)])
    edges = zip(pairwise(starts.tolist()), pairwise(np.searchsorted(rows, starts).tolist()), strict=True)
    for left, ((start, stop), (begin, end)) in zip(lefts, edges, strict=True):
        first, second = rows[begin:end] - start, nearest[begin:end]
        if len(first) >= least:
            agreed = _nearest_back(products[start:stop, second], left.per_length, first)
            first, second = first[agreed], second[agreed]
        yield first, second


def _nearest_back(products: np.ndarray, per_left: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Whether the row of `first`, (m,), is the nearest of each column of products, (n, m): lengths of the right's
    descriptors, one of a column, tell nothing of that."""
    along = products.astype(np.float32)
    along *= per_left[:, None]
    return along.argmax(axis=0) == first


def _passed(products: np.ndarray, per_left: np.ndarray, per_right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of products, (n, m) of descriptors of left pictures and of a right one, whose nearest is clearly nearer than
    the next; and where that nearest is."""
    # Lengths hardly differ, and rounded numbers keep the order of exact ones. So the greatest and the least length tell
    # of most rows that they pass or don't; only the others are gone through with every length.
    best, first, second = _two_greatest(products)
    passed = _clear(_along(first, per_right[best]), _along(second, per_right.max()), per_left)
    likely = _clear(_along(first, per_right.max()), _along(second, per_right.min()), per_left)
    rows = np.flatnonzero(likely & ~passed)
    best[rows], first, second = _two_greatest(_along(products[rows], per_right))
    passed[rows] = _clear(first, second, per_left[rows])
    rows = np.flatnonzero(passed)
    return rows, best[rows]


def _two_greatest(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each row of numbers, none below 0: the position of the greatest; the greatest; the greatest of the others."""
    best, flat = values.argmax(axis=1), values.reshape(-1)
    # numpy takes and puts numbers at places in one dimension in half the time.
    places = np.arange(len(values)) * values.shape[1] + best
    first = flat[places]
    flat[places] = -1
    second = values.max(axis=1)
    flat[places] = first
    return best, first, second


def _along(products: np.ndarray, per_right: np.ndarray) -> np.ndarray:
    """float32 lengths of descriptors of the left along those of the right: cosines times the left's length, which row
    by row have the order of cosines. Products are whole numbers that float32 holds."""
    along = products.astype(np.float32)
    along *= per_right
    return along


def _clear(first: np.ndarray, second: np.ndarray, per_left: np.ndarray) -> np.ndarray:
    """Whether the nearest is clearly nearer than the next: Lowe's ratio of Euclidean distances of unit vectors."""
    near, far = (np.sqrt(np.maximum(2 - 2 * (along * per_left), 0)) for along in (first, second))
    return near < RATIO * far


def _correlation(left: Keypoints, right: Keypoints, moved: np.ndarray) -> float:
    """Pearson's, of the luma of `right` and of `left` where it is carried to."""
    import cv2

    ratio = right.scale / left.scale
    carried = np.column_stack([moved[:, :2] * ratio, moved[:, 2] * right.scale])
    size = right.luma.shape[::-1]
    seen = cv2.warpAffine(left.luma, carried, size, flags=cv2.INTER_LINEAR)
    covered = cv2.warpAffine(np.full_like(left.luma, 255), carried, size, flags=cv2.INTER_NEAREST)
    both = cv2.erode(covered, np.ones((3, 3), np.uint8))
    return pearson(seen & both, right.luma & both, cv2.countNonZero(both))


def pearson(one: np.ndarray, other: np.ndarray, count: int) -> float:
    """Pearson's correlation of `count` pixels of (height, width) bytes, all others of which are 0; 0 where they are
    fewer than SMALLEST, or all the same on one side."""
    import cv2

    first, second = (int(cv2.sumElems(of)[0]) for of in (one, other))
    # Squares of a norm are whole numbers but for the root that OpenCV takes of them.
    squares, others, apart = (round(cv2.norm(*of, cv2.NORM_L2SQR)) for of in ([one], [other], [one, other]))
    products = (squares + others - apart) // 2
    spread = (count * squares - first**2) * (count * others - second**2)
    if count < SMALLEST or not spread:
        return 0.0
    return (count * products - first * second) / spread**0.5
