"""Distances of predicted keypoints from annotated ones: PCK and OKS over COCO's 17 keypoints."""

import numpy as np

from accord.analyse.ratios import ratio

BLAZEPOSE = (0, 5, 2, 8, 7, 12, 11, 14, 13, 16, 15, 24, 23, 26, 25, 28, 27)
"""FHIBE's (BlazePose) number of each of COCO's 17 keypoints: nose, then left and right eye, ear, shoulder, elbow,
wrist, hip, knee, ankle."""

SIGMAS = np.array(
    [0.26, 0.25, 0.25, 0.35, 0.35, 0.79, 0.79, 0.72, 0.72, 0.62, 0.62, 1.07, 1.07, 0.87, 0.87, 0.89, 0.89]
)
SIGMAS = SIGMAS / 10
"""How far annotators differ, as a share of the square root of the area (Lin et al., COCO keypoint evaluation)."""


def oks(distance: np.ndarray, area: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """Object keypoint similarity: the mean over visible keypoints of exp(-d^2 / (2 area k^2)), k = 2 sigma.

    distance: (..., 17) px, infinite where nothing was predicted; area: (...) px^2; visible: (..., 17) bool.
    NaN where no keypoint is visible. As in pycocotools, the smallest double is added to the area.
    """
    scale = (2 * SIGMAS) ** 2 * (np.asarray(area, float)[..., np.newaxis] + np.spacing(1)) * 2
    return _mean(np.exp(-(distance**2) / scale), visible)


def pck(distance: np.ndarray, length: np.ndarray, visible: np.ndarray, thresholds: tuple[float, ...]) -> np.ndarray:
    """Share of visible keypoints within `threshold` x `length`, averaged over thresholds; NaN without visible ones."""
    reach = np.asarray(length, float)[..., np.newaxis]
    return np.mean([_mean(distance <= threshold * reach, visible) for threshold in thresholds], axis=0)


def _mean(values: np.ndarray, visible: np.ndarray) -> np.ndarray:
    return ratio(np.where(visible, values, 0.0).sum(axis=-1), visible.sum(axis=-1))
