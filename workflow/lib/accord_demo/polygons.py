"""Masks to polygons and back; polygons as annotators draw them: few corners, no holes."""

import numpy as np

TOLERANCE, MIN_AREA = 0.9, 9.0
"""Px and px^2 at the standard size."""

Polygon = list[list[float]]


def polygons(mask: np.ndarray, scale: float = 1.0) -> list[Polygon]:
    """The polygons of a mask (height, width), bool; filled they give the mask to about a pixel.

    A hole is joined to the outline around it by a cut, so that one simple list of corners tells it all.
    """
    import cv2

    mode, method = cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    contours, tree = cv2.findContours(mask.astype(np.uint8), mode, method)
    found = []
    for i, contour in enumerate(contours):
        if tree[0][i][3] >= 0 or cv2.contourArea(contour) < MIN_AREA * scale**2:
            continue
        corners = _simple(contour, scale)
        for hole in _holes(i, contours, tree[0], scale):
            corners = _joined(corners, hole)
        if len(corners) >= 3:
            found.append(corners.tolist())
    return sorted(found)


def outline(mask: np.ndarray, scale: float = 1.0) -> list[Polygon]:
    """The polygons around a mask, holes filled."""
    import cv2

    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [_simple(c, scale) for c in contours if cv2.contourArea(c) >= MIN_AREA * scale**2]
    return sorted(corners.tolist() for corners in large if len(corners) >= 3)


def fill(shapes, shape: tuple[int, int]) -> np.ndarray:
    """The mask (height, width), bool, that polygons fill together."""
    import cv2

    canvas = np.zeros(shape, np.uint8)
    for polygon in shapes:
        cv2.fillPoly(canvas, [np.round(np.asarray(polygon)).astype(np.int32)], 1)
    return canvas.astype(bool)


def _holes(parent: int, contours, tree: np.ndarray, scale: float) -> list[np.ndarray]:
    """The holes of a contour, those too small to draw left out, from left to right."""
    import cv2

    mine = [c for c, node in zip(contours, tree, strict=True) if node[3] == parent]
    large = [_simple(c, scale) for c in mine if cv2.contourArea(c) >= MIN_AREA * scale**2]
    return sorted((hole for hole in large if len(hole) >= 3), key=lambda hole: hole[:, 0].min())


def _simple(contour: np.ndarray, scale: float) -> np.ndarray:
    """The corners (n, 2) that are left of a contour when it may move by the tolerance."""
    import cv2

    return cv2.approxPolyDP(contour, TOLERANCE * min(scale, 1.0), closed=True)[:, 0]


def _joined(corners: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """The outline, in to its hole by the shortest cut between corners, around it, and out again."""
    away = np.linalg.norm(corners[:, None] - hole[None], axis=2)
    i, j = np.unravel_index(away.argmin(), away.shape)
    around = np.concatenate([hole[j:], hole[: j + 1]])
    return np.concatenate([corners[: i + 1], around, corners[i:]])
