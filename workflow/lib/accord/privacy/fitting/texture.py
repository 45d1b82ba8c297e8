"""Fitting a small painted picture into a large photograph: sharpness, seam, grain."""

from __future__ import annotations

import numpy as np

from accord.privacy.fitting import exemplar
from accord.privacy.fitting.membrane import membrane

REACH = 0.015


def shrink(pixels: np.ndarray, unknown: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """A crop and its mask at side x side; a small pixel is unknown where any pixel under it is."""
    import cv2

    filtering = cv2.INTER_AREA if min(pixels.shape[:2]) >= side else cv2.INTER_LINEAR
    small = cv2.resize(pixels, (side, side), interpolation=filtering)
    share = cv2.resize(unknown.astype(np.float32), (side, side), interpolation=filtering)
    return small, share > 1e-3


def fit(painted: np.ndarray, crop: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """A painted picture (side, side, 3) at the crop's size, without seam: uint8 (H, W, 3).

    crop: uint8; unknown: bool (H, W), what the crop hides. The result is meant for the hole only.
    """
    import cv2

    large = cv2.resize(painted.astype(np.float32), crop.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return fit_at_size(large, crop, unknown)


def fit_at_size(large: np.ndarray, crop: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """As `fit`, of a painted picture, float32 (H, W, 3), that has the crop's size already."""
    return _pixels(seamless(large, crop, unknown))


def fit_with_pieces(painted: np.ndarray, crop: np.ndarray, unknown: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """As `fit`, but made of pieces of the crop that look like the painted picture: as sharp and grainy as the crop.

    hidden: bool (side, side), the hole of the painted picture.
    """
    source = exemplar.complete(painted, hidden)
    if source is None:
        return fit(painted, crop, unknown)
    return fit_at_size(exemplar.enlarge(crop, source), crop, unknown)


def seamless(large: np.ndarray, crop: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """`large`, plus a membrane that takes up its difference to the crop along the border of the unknown part.

    The membrane fades inwards, to a third in REACH of the crop's shorter side: a shadow that a person left on the
    ground beside the hole should not be drawn across it.
    """
    import cv2
    from torch import from_numpy

    difference = from_numpy(crop.astype(np.float32) - large).permute(2, 0, 1)[None]
    filled = membrane(difference, from_numpy(~unknown)[None, None])[0].permute(1, 2, 0).numpy()
    depth = cv2.distanceTransform(unknown.astype(np.uint8), cv2.DIST_L2, 5)
    return large + filled * np.exp(-depth / (REACH * min(unknown.shape)))[..., None]


def _pixels(values: np.ndarray) -> np.ndarray:
    return np.clip(values + 0.5, 0, 255).astype(np.uint8)
