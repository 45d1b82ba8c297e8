"""Keypoints of people in arrays, and their distances from annotated ones: PCK and OKS."""

import numpy as np
import pandas as pd

from accord.statistics.cohort import KEY
from accord.statistics.describing.ratios import ratio

BLAZEPOSE = (0, 5, 2, 8, 7, 12, 11, 14, 13, 16, 15, 24, 23, 26, 25, 28, 27)
"""FHIBE's (BlazePose) number of each of COCO's 17 keypoints: nose, then left and right eye, ear, shoulder, elbow,
wrist, hip, knee, ankle."""

SIGMAS = np.array(
    [0.26, 0.25, 0.25, 0.35, 0.35, 0.79, 0.79, 0.72, 0.72, 0.62, 0.62, 1.07, 1.07, 0.87, 0.87, 0.89, 0.89]
)
SIGMAS = SIGMAS / 10
"""How far annotators differ, as a share of the square root of the area (Lin et al., COCO keypoint evaluation)."""


def annotated(instances: pd.DataFrame, keypoints: pd.DataFrame, numbers: tuple[int, ...]):
    """(n, k, 2) px and (n, k) whether visible, of the rows of `instances` and the keypoints with k numbers."""
    points = placed(instances, keypoints[keypoints["visible"]], KEY, numbers)
    visible = np.all(np.isfinite(points), axis=-1)
    return np.where(visible[..., np.newaxis], points, 0.0), visible


def placed(
    instances: pd.DataFrame, points: pd.DataFrame, key: list[str], numbers: tuple[int, ...], absent: float = np.inf
) -> np.ndarray:
    """(n, k, 2) px of the points with k numbers of each row of `instances`; `absent` where there is none."""
    number = pd.Series({blazepose: place for place, blazepose in enumerate(numbers)})
    numbered = instances[key].assign(instance=np.arange(len(instances)))
    found = numbered.merge(points[points["keypoint"].isin(numbers)], on=key)
    made = np.full((len(instances), len(numbers), 2), absent)
    made[found["instance"].to_numpy(), number[found["keypoint"]].to_numpy()] = found[["x", "y"]].to_numpy()
    return made


def candidates(instances: pd.DataFrame, predictions: pd.DataFrame) -> pd.DataFrame:
    """Every pose that a model predicted in the image of a row of `instances`: instance (the row's number), and the key
    of the pose (model, image, subject)."""
    poses = predictions[["model", *KEY]].drop_duplicates()
    return instances[["model", "image"]].assign(instance=np.arange(len(instances))).merge(poses, on=["model", "image"])


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
