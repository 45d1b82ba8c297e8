"""Keypoints of a picture (SIFT; Lowe 2004), and whether those of two pictures lie in the same places.

One picture is part of another where a turn, a shift and a scale carry many of its keypoints onto the other's (RANSAC;
Fischler and Bolles 1981), and the pixels agree there: a shared wall or shirt has keypoints in place, too, but not the
pixels around them.
"""

from typing import Any, NamedTuple

import numpy as np

from accord.checks.matching.byte_products import byte_products

MOST_KEYPOINTS = 300
LUMA_SIDE = 128
RATIO = 0.8
TOLERANCE = 4.0
"""Px of the thumbnail of 512 px within which a keypoint is in its place."""
LENGTH = 128
SMALLEST = 100


class Keypoints(NamedTuple):
    """points: (n, 2) float32 x, y, px of the thumbnail; descriptors: (n, 128) uint8; luma: the thumbnail's brightness,
    (height, width) uint8, `scale` times as large; per_length: (n,) float32 1 / length of each descriptor."""

    points: np.ndarray
    descriptors: np.ndarray
    luma: np.ndarray
    scale: float
    per_length: np.ndarray


class Match(NamedTuple):
    """Keypoints that agree on one place, and the correlation of the pixels there, -1 to 1 (0 where undefined)."""

    inliers: int
    correlation: float


def keypoints(thumbnail: np.ndarray) -> Keypoints:
    """The strongest keypoints of a picture, (height, width, 3) uint8 RGB."""
    import cv2

    cv2.setNumThreads(1)
    gray = cv2.cvtColor(thumbnail, cv2.COLOR_RGB2GRAY)
    found, descriptors = cv2.SIFT_create(nfeatures=MOST_KEYPOINTS).detectAndCompute(gray, None)
    points = np.array([point.pt for point in found], np.float32).reshape(-1, 2)
    described = np.empty((0, LENGTH)) if descriptors is None else descriptors
    scale = min(LUMA_SIDE / max(gray.shape), 1.0)
    size = [max(round(side * scale), 1) for side in gray.shape[::-1]]
    luma = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return with_lengths(points, described.astype(np.uint8), luma, scale)


def with_lengths(points: np.ndarray, descriptors: np.ndarray, luma: np.ndarray, scale: float) -> Keypoints:
    """Keypoints, with what their descriptors are divided by: worked out once, not in each pair.

    Sums of squares are whole numbers that float32 holds, whatever they are summed by.
    """
    real = descriptors.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", real, real))
    return Keypoints(points, descriptors, luma, scale, 1 / np.maximum(lengths, 1))


def those(made: Keypoints, chosen: np.ndarray) -> Keypoints:
    """Some of the keypoints of a picture; chosen: (n,) bool."""
    points, descriptors, per_length = (of[chosen] for of in (made.points, made.descriptors, made.per_length))
    return made._replace(points=points, descriptors=descriptors, per_length=per_length)


def packed(made: Keypoints) -> dict:
    """The columns of table Looks that hold keypoints."""
    return {
        "points": made.points.astype("<f4").tobytes(), "descriptors": made.descriptors.tobytes(),
        "luma": made.luma.tobytes(), "luma_width": made.luma.shape[1], "luma_scale": made.scale,
    }  # fmt: skip


def unpacked(row: Any) -> Keypoints:
    """The keypoints in a row of table Looks. ValueError: the columns of a row don't go together."""
    points = np.frombuffer(row.points, "<f4").reshape(-1, 2)
    descriptors = np.frombuffer(row.descriptors, np.uint8).reshape(-1, LENGTH)
    if len(points) != len(descriptors) or row.luma_width < 1 or not 0 < row.luma_scale <= 1:
        raise ValueError("keypoints, their descriptors and the thumbnail don't go together")
    luma = np.frombuffer(row.luma, np.uint8).reshape(-1, row.luma_width)
    return with_lengths(points, descriptors, luma, row.luma_scale)


def match(left: Keypoints, right: Keypoints, least: int) -> Match:
    """How well `left` is found in `right` or a part of it in a part; (0, 0) with fewer than `least` likely pairs.

    A keypoint and its nearest in the other picture count where each is the other's nearest and the next is clearly
    farther (Lowe's ratio). RANSAC's seed is fixed in OpenCV: the same pictures give the same answer.
    """
    import cv2

    if min(len(left.points), len(right.points)) < max(least, 2):
        return Match(0, 0.0)
    first, second = _mutual(left, right, least)
    if len(first) < least:
        return Match(0, 0.0)
    moved, inside = cv2.estimateAffinePartial2D(
        left.points[first], right.points[second], method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE, maxIters=1000
    )
    if moved is None or int(inside.sum()) < least:
        return Match(0 if inside is None else int(inside.sum()), 0.0)
    return Match(int(inside.sum()), _correlation(left, right, moved))


def _mutual(left: Keypoints, right: Keypoints, least: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of descriptors that are each other's nearest and pass the ratio test, seen from the left.

    Whether they are each other's is not asked where fewer than `least` pass: then these are returned.
    """
    along = _along(left, right)
    best = along.argmax(axis=1)
    rows = np.arange(len(best))
    nearest = along[rows, best]
    along[rows, best] = -np.inf
    second = along[rows, along.argmax(axis=1)]
    passed = np.flatnonzero(_apart(nearest * left.per_length) < RATIO * _apart(second * left.per_length))
    if len(passed) < least:
        return passed, best[passed]
    along[rows, best] = nearest
    back = along[:, best[passed]] * left.per_length[:, None]
    chosen = passed[back.argmax(axis=0) == passed]
    return chosen, best[chosen]


def _along(left: Keypoints, right: Keypoints) -> np.ndarray:
    """(n, m) float32 lengths of descriptors of the left along those of the right: cosines times the left's length,
    which row by row have the order of cosines. Products are whole numbers that float32 holds."""
    along = byte_products(left.descriptors, right.descriptors).astype(np.float32)
    along *= right.per_length
    return along


def _apart(cosines: np.ndarray) -> np.ndarray:
    """Euclidean distances of unit vectors."""
    return np.sqrt(np.maximum(2 - 2 * cosines, 0))


def _correlation(left: Keypoints, right: Keypoints, moved: np.ndarray) -> float:
    """Pearson's, of the luma of `right` and of `left` where it is carried to."""
    import cv2

    ratio = right.scale / left.scale
    carried = np.column_stack([moved[:, :2] * ratio, moved[:, 2] * right.scale])
    size = right.luma.shape[::-1]
    seen = cv2.warpAffine(left.luma, carried, size, flags=cv2.INTER_LINEAR)
    both = cv2.warpAffine(np.full_like(left.luma, 255), carried, size, flags=cv2.INTER_NEAREST) > 0
    both = cv2.erode(both.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    one, other = seen[both].astype(float), right.luma[both].astype(float)
    if len(one) < SMALLEST or not one.std() or not other.std():
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
