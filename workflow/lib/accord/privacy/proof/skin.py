"""Is there skin in what was painted? Its colour is that of the faces in the same picture, in the same light.

A colour's odds are its share among the pixels of faces against its share around the hole (Jones and Rehg, "Statistical
color models with application to skin detection", 2002), so that no tone of skin is easier to find than another, and
wood or sand beside the hole is no skin.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.imaging.regions import bounded, window_around

TOO_MUCH = 0.15
"""Share of a face, or of a smaller hole, from which on a patch of skin is for people to see (docs/privacy.md)."""
ODDS, RARE = 0.7, 1e-5
"""Share of a colour's weight that must be skin's, and the weight of what was never seen."""
LIGHTS, COLOURS, STEP = 8, 24, 3
"""Bins of lightness, of each axis of colour, and levels of a* or b* in one."""
ACROSS, DOWN = 0.35, 0.4
"""Half axes of the skin of a face, as shares of its box: hair and background stay out."""
SPECK, NEAR, LARGEST = 5, 128, 1024
"""Px of patches that are left out, of the smallest surroundings, and of the picture's longer side."""

Box = Sequence[float]


def patch(before: np.ndarray, after: np.ndarray, hole: np.ndarray, faces: Sequence[Box], people: np.ndarray) -> float:
    """The largest patch of skin in a hole after it was painted, as a share of a face, or of a smaller hole.

    before, after: uint8 (H, W, 3); masks: bool (H, W), `people` count as no surroundings; faces: left, top, right,
    bottom. 0 where there is no face to tell the colour by.
    """
    import cv2

    skin_of_faces = np.logical_or.reduce([_ellipse(face, hole.shape) for face in faces] or [np.zeros_like(hole)])
    if not skin_of_faces.any() or not hole.any():
        return 0.0
    shrink = min(1.0, LARGEST / max(hole.shape))
    face = shrink**2 * float(np.median([(right - left) * (bottom - top) for left, top, right, bottom in faces]))
    before, hole, people, skin_of_faces = bounded(LARGEST, before, hole, people, skin_of_faces)
    after = bounded(LARGEST, after)[0]
    if not hole.any():
        return 0.0
    window = window_around(hole, NEAR)
    around = np.zeros_like(hole)
    window.of(around)[:] = window.of(~(hole | people))
    colours = _bins(before)
    skin, beside = (_shares(colours[mask]) for mask in (skin_of_faces, around))
    is_skin = skin / (skin + beside + RARE) > ODDS
    patches = (is_skin[_bins(window.of(after))] & window.of(hole)).astype(np.uint8)
    patches = cv2.morphologyEx(patches, cv2.MORPH_OPEN, np.ones((SPECK, SPECK), np.uint8))
    sizes = cv2.connectedComponentsWithStats(patches)[2][1:, cv2.CC_STAT_AREA]
    return float(sizes.max(initial=0)) / max(min(float(hole.sum()), face), 1.0)


def _ellipse(face: Box, shape: tuple[int, ...]) -> np.ndarray:
    """Where the skin of a face is, bool (H, W)."""
    import cv2

    left, top, right, bottom = np.clip(face, -max(shape), 2 * max(shape))
    middle = (round((left + right) / 2), round((top + bottom) / 2))
    axes = (max(1, round(ACROSS * (right - left))), max(1, round(DOWN * (bottom - top))))
    return cv2.ellipse(np.zeros(shape, np.uint8), middle, axes, 0, 0, 360, 1, -1) > 0


def _bins(picture: np.ndarray) -> np.ndarray:
    """The number of each pixel's bin of CIELAB."""
    import cv2

    light, *colours = np.moveaxis(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB).astype(int), 2, 0)
    red, yellow = (np.clip((one - 128) // STEP + COLOURS // 2, 0, COLOURS - 1) for one in colours)
    return (light * LIGHTS // 256 * COLOURS + red) * COLOURS + yellow


def _shares(bins: np.ndarray) -> np.ndarray:
    """The share of pixels in each bin, spread over its neighbours; the same in all of them where there is no pixel."""
    import cv2

    size = LIGHTS * COLOURS * COLOURS
    if not len(bins):
        return np.full(size, 1 / size)
    counts = np.bincount(bins, minlength=size).reshape(LIGHTS, COLOURS, COLOURS).astype(np.float32)
    spread = np.stack([cv2.GaussianBlur(plane, (3, 3), 0.8) for plane in counts])
    return spread.ravel() / len(bins)
