"""Logos by their shape: pictures of a gallery that a user fills, found again by SIFT and RANSAC (Lowe, 2004)."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.personal.proposals import Seen
from accord.errors import AccordError, Problem, all_problems
from accord.imaging.decode import decode

DETECTOR = "gallery"
LONGEST_SIDE, LONGEST_LOGO = 1024, 320
MOST_POINTS = 2000
RATIO = 0.8
"""A match counts where the second best is so much further: Lowe's ratio."""
TOLERANCE = 4.0
CERTAIN = 20
"""Points that agree on one place, from which the score is 1."""
FEWEST = 6
SMALLEST, FLATTEST = 12.0, 0.1
"""Least height of a logo in px of the searched picture; least share of its sides that perspective may leave."""


class Logo(NamedTuple):
    """A picture of the gallery: where its corners are, px, and its points and their descriptors."""

    corners: np.ndarray
    points: np.ndarray
    descriptors: np.ndarray


def read(paths: Iterable[Path]) -> list[Logo]:
    """The logos of a gallery, by file name. Raises AccordError with every file that is no picture, or too plain."""
    logos = []
    with all_problems() as problems:
        for path in sorted(map(Path, paths)):
            try:
                logos.append(_described(decode(path.read_bytes())))
            except AccordError as error:
                problems.add(str(path), error.problems[0].what, error.problems[0].hint)
    return logos


def find(pixels: np.ndarray, logos: list[Logo], threshold: float) -> list[Seen]:
    """The logos in an upright picture, uint8 RGB (height, width, 3), each once.

    The score is the number of points that agree on one place, of twenty.
    """
    if not logos:
        return []
    grey, scale = _grey(pixels, LONGEST_SIDE)
    points, descriptors = _points(grey)
    found = []
    for logo in logos:
        inliers, quad = _place(logo, points, descriptors, grey.shape)
        score = min(1.0, inliers / CERTAIN)
        if quad is not None and score >= threshold:
            polygon = tuple(round(float(value), 1) for value in (quad / scale).ravel())
            found.append(Seen("logo", polygon, DETECTOR, score, threshold, "its shape matches a logo of the gallery"))
    return found


def _described(pixels: np.ndarray) -> Logo:
    grey, _ = _grey(pixels, LONGEST_LOGO)
    height, width = grey.shape
    points, descriptors = _points(grey)
    if len(points) < FEWEST:
        raise AccordError(
            Problem("logo", "has too few details to be recognised", "crop it more tightly, or use a larger picture")
        )
    return Logo(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), points, descriptors)


def _grey(pixels: np.ndarray, longest: int) -> tuple[np.ndarray, float]:
    """The picture in grey with its longer side at `longest` px or less, and px of it per px of the picture."""
    import cv2

    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    scale = min(1.0, longest / max(grey.shape))
    return (cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey), scale


def _points(grey: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 2) float32 px and (n, 128) float32 RootSIFT descriptors (Arandjelovic and Zisserman, 2012)."""
    import cv2

    points, descriptors = cv2.SIFT_create(nfeatures=MOST_POINTS).detectAndCompute(grey, None)
    if descriptors is None:
        return np.empty((0, 2), np.float32), np.empty((0, 128), np.float32)
    share = descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-9)
    return np.array([point.pt for point in points], np.float32), np.sqrt(share).astype(np.float32)


def _place(logo: Logo, points: np.ndarray, descriptors: np.ndarray, shape: tuple) -> tuple[int, np.ndarray | None]:
    """How many points agree on where the logo is, and its corners there, (4, 2) px; None where it is nowhere."""
    import cv2

    if len(points) < 2:
        return 0, None
    alike = logo.descriptors @ descriptors.T
    best = np.argpartition(-alike, 1, axis=1)[:, :2]
    first, second = (
        np.sqrt(np.maximum(2 - 2 * np.take_along_axis(alike, best[:, i : i + 1], 1)[:, 0], 0)) for i in (0, 1)
    )
    kept = np.flatnonzero(first < RATIO * second)
    kept = kept[np.unique(best[kept, 0], return_index=True)[1]]
    if len(kept) < FEWEST:
        return 0, None
    moved, agree = cv2.findHomography(logo.points[kept], points[best[kept, 0]], cv2.RANSAC, TOLERANCE)
    if moved is None or int(agree.sum()) < FEWEST:
        return 0, None
    quad = cv2.perspectiveTransform(logo.corners[None], moved)[0]
    return (int(agree.sum()), quad) if _is_plausible(quad, shape) else (0, None)


def _is_plausible(quad: np.ndarray, shape: tuple[int, int]) -> bool:
    """Whether four corners are those of a flat thing seen from its front: convex, not mirrored, not a sliver."""
    ahead, behind = np.roll(quad, -1, axis=0) - quad, quad - np.roll(quad, 1, axis=0)
    turns = behind[:, 0] * ahead[:, 1] - behind[:, 1] * ahead[:, 0]
    sides = np.hypot(*ahead.T)
    inside = (quad > -max(shape)).all() and (quad < 2 * max(shape)).all()
    return bool(inside and (turns > 0).all() and sides.min() >= SMALLEST and sides.min() >= FLATTEST * sides.max())
