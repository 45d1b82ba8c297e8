"""Faces put where recognisers of ArcFace's family expect them: five points onto a template, by a similarity."""

import numpy as np

TEMPLATE = np.array(
    [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]]
)
"""Eyes, tip of the nose, corners of the mouth, the picture's left first; px of 112 x 112 (Deng et al. 2019)."""
TEMPLATE_SIDE = 112
FFHQ = np.array([[0.384, 0.468], [0.614, 0.468], [0.500, 0.610], [0.396, 0.720], [0.591, 0.720]])
"""The same points of aligned faces, as shares of their side: where YuNet finds them in FFHQ-aligned photographs."""


def similarity(points: np.ndarray, to: np.ndarray) -> np.ndarray:
    """(2, 3): the turn, scale and shift that brings (n, 2) points nearest to others, in least squares.

    A point is a complex number; the best turn and scale are then one number (Umeyama 1991, without reflections).
    """
    here, there = points @ [1, 1j], to @ [1, 1j]
    middle, goal = here.mean(), there.mean()
    spread = (np.abs(here - middle) ** 2).sum()
    turn = ((here - middle).conj() * (there - goal)).sum() / max(spread, 1e-12)
    shift = goal - turn * middle
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]])


def aligned(picture: np.ndarray, points: np.ndarray, side: int) -> np.ndarray:
    """(side, side, 3) uint8: a face whose five points, px of the picture, lie where the template has them.

    Bilinear, without averaging, black where the picture ends: as the faces were made that such networks are trained on
    (InsightFace's `norm_crop`).
    """
    import cv2

    cv2.setNumThreads(1)
    matrix = similarity(points, TEMPLATE * (side / TEMPLATE_SIDE))
    return cv2.warpAffine(np.ascontiguousarray(picture), matrix, (side, side), flags=cv2.INTER_LINEAR)
