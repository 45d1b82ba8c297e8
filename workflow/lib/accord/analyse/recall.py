"""Average recall: the share of ten thresholds that an overlap reaches."""

import numpy as np

THRESHOLDS = tuple(percent / 100 for percent in range(50, 100, 5))
"""0.50, 0.55 ... 0.95, each the double nearest to its decimal: an overlap of 6/10 reaches 0.60."""


def average_recall(overlap: np.ndarray) -> np.ndarray:
    """The share of THRESHOLDS that each overlap (IoU, OKS or mask IoU, in [0, 1]) reaches; same shape, in [0, 1]."""
    reached = np.asarray(overlap)[..., np.newaxis] >= np.asarray(THRESHOLDS)
    return reached.sum(axis=-1) / len(THRESHOLDS)
