"""Whether two pictures with hardly any keypoints are one and the same: blurred and plain ones, as they lie."""

import numpy as np

from accord.checks.matching.keypoints import Keypoints
from accord.checks.matching.matches import pearson

FEW = 15
"""Keypoints: with as many in both, these tell."""
SHAPES = 1.1
"""How much longer the sides of one may be, beside each other, than those of the other."""


def same_in_place(one: Keypoints, other: Keypoints, least: float) -> bool:
    """Whether one picture has fewer than FEW keypoints, and all of its luma correlates with that of the other.

    A copy that is turned or mirrored, or a crop, is not seen so.
    """
    if min(len(one.points), len(other.points)) >= FEW:
        return False
    smaller, larger = sorted((one.luma, other.luma), key=np.size)
    ratio = (smaller.shape[0] * larger.shape[1]) / (smaller.shape[1] * larger.shape[0])
    if max(ratio, 1 / ratio) > SHAPES:
        return False
    import cv2

    seen = cv2.resize(larger, smaller.shape[::-1], interpolation=cv2.INTER_AREA)
    return pearson(seen, smaller, smaller.size) >= least
