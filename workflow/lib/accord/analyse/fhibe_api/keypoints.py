"""PCK and OKS as FHIBE's public Evaluation API computes them.

A keypoint that is not predicted lies at (-999, -999), as its files say it, and is as wrong, or as right, as a point
there. Sums run over visible keypoints alone, in their order: a share on the very threshold falls to the same side.
"""

import numpy as np

from accord.imaging.keypoints import SIGMAS
from accord.statistics.distinct import distinct

ABSENT = -999.0
THRESHOLDS = np.arange(0.1, 1, 0.1)
"""Shares of the face box's diagonal, in floats that can lie just above their decimals, as the API has them."""
HALF = 4
"""The place of 0.5 among them."""


def diagonal(x: np.ndarray, y: np.ndarray, width: np.ndarray, height: np.ndarray) -> np.ndarray:
    """px from one corner of each box to the opposite one, by way of its corners: a width is (x + width) - x."""
    return np.sqrt(((x + width) - x) ** 2 + ((y + height) - y) ** 2)


def pck(predicted: np.ndarray, places: np.ndarray, visible: np.ndarray, diagonals: np.ndarray) -> np.ndarray:
    """Share of visible keypoints within each of THRESHOLDS x the diagonal: (n, 9), NaN where none is visible.

    predicted, places: (n, 17, 2) px; visible: (n, 17) bool; diagonals: (n,) px.
    """
    distance = np.linalg.norm(predicted - places, axis=-1)
    within = distance[:, np.newaxis] <= (THRESHOLDS * diagonals[:, np.newaxis])[..., np.newaxis]
    hits = (within & visible[:, np.newaxis]).sum(axis=-1)
    count = visible.sum(axis=-1)[:, np.newaxis]
    return np.divide(hits, count, out=np.full(hits.shape, np.nan), where=count > 0)


def oks(predicted: np.ndarray, places: np.ndarray, visible: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """Object keypoint similarity of each row: (n,), NaN where no keypoint is visible. areas: (n,) px."""
    apart = predicted - places
    squares = apart[..., 0] ** 2 + apart[..., 1] ** 2
    off = squares / (SIGMAS * 2) ** 2 / (areas[:, np.newaxis] + np.spacing(1)) / 2
    return _mean(np.exp(-off), visible)


def _mean(values: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """The mean of the visible values of each row, added up without the others: (n,), NaN of none."""
    first = np.take_along_axis(values, np.argsort(~visible, axis=-1, kind="stable"), axis=-1)
    counts = visible.sum(axis=-1)
    made = np.full(len(values), np.nan)
    for count in distinct(counts[counts > 0]):
        some = counts == count
        made[some] = np.ascontiguousarray(first[some, :count]).sum(axis=-1) / count
    return made
