"""How much finer or coarser a fill is than its surroundings: too smooth is a smear or a slab, too busy is garbage."""

from __future__ import annotations

import numpy as np

from accord.imaging.regions import bounded

LARGEST = 2048
"""Px of the longer side of what is looked at; more is scaled down."""
BANDS = 2
"""Octaves of detail that are compared: grain, and the edges of what is sharp."""
FLOOR = 0.5
"""Colour levels that are added to all detail, so that a plain wall is not infinitely smoother than another."""
BLOCK, EDGE = 5, 5
"""Px of the squares over which detail is averaged, and that must lie in the fill, or beside it, as a whole."""
CELLS, NEAR, FAR, FAINT = 32, 2.0, 8.0, 0.01
"""Cells along a window's longer side; reach of the surroundings, in cells; and the weight of those further off."""
LEAST = 50
UNSEEN = 2.0


def score(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray) -> float:
    """How many times finer or coarser the detail of a fill is than that of what lies next to it; 1 where it is alike.

    pixels: uint8 (H, W, 3), filled; masks: bool (H, W). Detail is the local mean of the absolute band of a Laplacian
    pyramid (Burt and Adelson 1983) of the luma, and FLOOR. It is compared as a mean of logarithms, octave by octave,
    each place of the fill with the surroundings that are nearest to it. The octave that differs most counts. Others
    (subjects, and what is still to be painted) count for neither. 0 where there are fewer than LEAST pixels to look at.
    UNSEEN is about the 97.5th percentile of the truth's scores on photographs (docs/inpainting.md).
    """
    pixels, hole, others = bounded(LARGEST, pixels, hole, others)
    differences = [_difference(*octave) for octave in _octaves(pixels, hole, others)]
    told = [abs(one) for one in differences if one is not None]
    return float(np.exp(max(told))) if told else 0.0


def _octaves(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray):
    """Of each octave the band, float32, and where it is of the fill alone, and of its surroundings alone."""
    import cv2

    values = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    shares = [mask.astype(np.float32) for mask in (hole, ~(hole | others))]
    for _ in range(BANDS):
        coarser = cv2.pyrDown(values)
        band = values - cv2.pyrUp(coarser, dstsize=values.shape[::-1])
        square = np.ones((EDGE, EDGE), np.uint8)
        yield band, *(cv2.erode((share > 0.97).astype(np.uint8), square) for share in shares)
        values, shares = coarser, [cv2.pyrDown(share) for share in shares]


def _difference(band: np.ndarray, inside: np.ndarray, outside: np.ndarray) -> float | None:
    """Mean logarithm of the fill's detail over that of what is near it; None where there is too little to look at."""
    import cv2

    if min(np.count_nonzero(inside), np.count_nonzero(outside)) < LEAST:
        return None
    detail = np.log(cv2.blur(np.abs(band), (BLOCK, BLOCK)) + FLOOR)
    step = max(1, round(max(band.shape) / CELLS))
    size = [max(1, side // step) for side in band.shape[::-1]]
    weights, sums = (
        [cv2.resize(part * value, size, interpolation=cv2.INTER_AREA) for part in (_float(inside), _float(outside))]
        for value in (np.float32(1), detail)
    )
    near = _spread(sums[1]) / np.maximum(_spread(weights[1]), 1e-9)
    return float((sums[0] - near * weights[0]).sum() / weights[0].sum())


def _spread(cells: np.ndarray) -> np.ndarray:
    """Weighted sums over what is near; what is far counts where nothing is near."""
    import cv2

    return cv2.GaussianBlur(cells, (0, 0), NEAR) + FAINT * cv2.GaussianBlur(cells, (0, 0), FAR)


def _float(mask: np.ndarray) -> np.ndarray:
    return mask.astype(np.float32)
