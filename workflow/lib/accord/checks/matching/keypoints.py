"""Keypoints of a picture (SIFT; Lowe 2004), and how a table holds them."""

from typing import Any, NamedTuple

import numpy as np

from accord.engine.table_files import Unsound

MOST_KEYPOINTS = 300
LUMA_SIDE = 128
LENGTH = 128


class Keypoints(NamedTuple):
    """points: (n, 2) float32 x, y, px of the thumbnail; descriptors: (n, 128) uint8; luma: the thumbnail's brightness,
    (height, width) uint8, `scale` times as large; per_length: (n,) float32 1 / length of each descriptor."""

    points: np.ndarray
    descriptors: np.ndarray
    luma: np.ndarray
    scale: float
    per_length: np.ndarray


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
    """The keypoints in a row of table Looks. Unsound: the columns of a row don't go together."""
    points = np.frombuffer(row.points, "<f4").reshape(-1, 2)
    descriptors = np.frombuffer(row.descriptors, np.uint8).reshape(-1, LENGTH)
    if len(points) != len(descriptors) or row.luma_width < 1 or not row.luma or not 0 < row.luma_scale <= 1:
        raise Unsound("keypoints, their descriptors and the thumbnail don't go together")
    if not np.isfinite(points).all():
        raise Unsound("keypoints are nowhere")
    luma = np.frombuffer(row.luma, np.uint8).reshape(-1, row.luma_width)
    return with_lengths(points, descriptors, luma, row.luma_scale)
