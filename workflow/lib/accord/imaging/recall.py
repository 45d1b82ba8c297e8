"""Average recall: the share of ten thresholds that an overlap reaches."""

import numpy as np

from accord.protocol import is_api

THRESHOLDS = tuple(percent / 100 for percent in range(50, 100, 5))
"""0.50, 0.55 ... 0.95, each the double nearest to its decimal: an overlap of 6/10 reaches 0.60."""


API_THRESHOLDS = tuple(np.arange(0.5, 1, 0.05).tolist())
"""Those of FHIBE's public Evaluation API: sums of floats, of which 6/10 does not reach 0.6000000000000001."""


def thresholds(protocol: str) -> tuple[float, ...]:
    """The ten thresholds of a protocol."""
    return API_THRESHOLDS if is_api(protocol) else THRESHOLDS


def average_recall(overlap: np.ndarray, thresholds: tuple[float, ...] = THRESHOLDS) -> np.ndarray:
    """The share of `thresholds` that each overlap (IoU, OKS or mask IoU, in [0, 1]) reaches; same shape, in [0, 1]."""
    reached = np.asarray(overlap)[..., np.newaxis] >= np.asarray(thresholds)
    return reached.sum(axis=-1) / len(thresholds)
