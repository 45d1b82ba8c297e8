"""Fitting a small painted picture into a large photograph: size, seam, and the fine grain of its surroundings."""

from __future__ import annotations

import numpy as np

from accord.privacy.membrane import membrane

REACH = 2
CANDIDATES = 3000
NEARNESS = 0.12
ROUNDS = 6
TOLERANCE = 1.15


def shrink(pixels: np.ndarray, unknown: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """A crop and its mask at side x side; a small pixel is unknown where any pixel under it is."""
    import cv2

    small = cv2.resize(pixels, (side, side), interpolation=_filter(pixels.shape, side))
    share = cv2.resize(unknown.astype(np.float32), (side, side), interpolation=_filter(pixels.shape, side))
    return small, share > 1e-3


def fit(painted: np.ndarray, crop: np.ndarray, unknown: np.ndarray, small_unknown: np.ndarray) -> np.ndarray:
    """The painted picture (side, side, 3) at the crop's size, without seam, with its grain: uint8 (H, W, 3).

    crop: uint8; unknown: bool (H, W), what the crop hides. The result is meant for the hole only.
    """
    large = _enlarge(painted, crop.shape)
    smooth = seamless(large, crop, unknown)
    if min(crop.shape[:2]) > painted.shape[0]:
        smooth = smooth + grain(painted, crop.astype(np.float32) - large, small_unknown, unknown)
    return np.clip(smooth + 0.5, 0, 255).astype(np.uint8)


def seamless(large: np.ndarray, crop: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """`large`, plus a membrane that takes up its difference to the crop along the border of the unknown part."""
    from torch import from_numpy

    difference = from_numpy(crop.astype(np.float32) - large).permute(2, 0, 1)[None]
    known = from_numpy(~unknown)[None, None]
    return large + membrane(difference, known)[0].permute(1, 2, 0).numpy()


def grain(painted: np.ndarray, detail: np.ndarray, small_unknown: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """What enlarging lost, float (H, W, 3): copied from the known place that looks most alike (Hertzmann et al. 2001).

    detail: the crop minus its enlarged small version, meaningful where known. The search runs on the small picture.
    """
    import cv2

    source = alike(painted, small_unknown)
    scale = np.array(detail.shape[:2]) / painted.shape[:2]
    offset = (source - np.indices(painted.shape[:2]).transpose(1, 2, 0)) * scale
    rows, columns = np.indices(detail.shape[:2])
    near = cv2.resize(np.round(offset).astype(np.float32), detail.shape[1::-1], interpolation=cv2.INTER_NEAREST).astype(
        int
    )
    rows = np.clip(rows + near[..., 0], 0, detail.shape[0] - 1)
    columns = np.clip(columns + near[..., 1], 0, detail.shape[1] - 1)
    usable = ~unknown[rows, columns] & unknown
    return np.where(usable[..., None], detail[rows, columns], 0)


def alike(painted: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """For each small pixel the place (row, column) of the known one whose neighbourhood looks most alike.

    Neighbours then share their sources where that costs little, so that texture is copied in pieces.
    """
    import cv2

    patches = _patches(painted)
    size = 2 * REACH + 1
    clear = ~cv2.dilate(unknown.astype(np.uint8), np.ones((size, size), np.uint8)).astype(bool)
    source = np.indices(unknown.shape).transpose(1, 2, 0)
    places, holes = np.argwhere(clear), np.argwhere(unknown)
    if not len(places) or not len(holes):
        return source
    places = places[:: -(-len(places) // CANDIDATES)]
    cost = _distances(patches[tuple(holes.T)], patches[tuple(places.T)])
    cost += _distances(holes * NEARNESS, places * NEARNESS)
    source[tuple(holes.T)] = places[cost.argmin(1)]
    return _coherent(source, patches, unknown, clear)


def _coherent(source: np.ndarray, patches: np.ndarray, unknown: np.ndarray, clear: np.ndarray) -> np.ndarray:
    limit = np.array(unknown.shape) - 1
    here = np.indices(unknown.shape).transpose(1, 2, 0)
    cost = _apart(patches, here, source)
    for turn in range(ROUNDS):
        for axis in (0, 1):
            step = 1 if turn % 2 else -1
            moved = np.roll(source, step, axis)
            moved[..., axis] += step
            moved = np.clip(moved, 0, limit)
            theirs = _apart(patches, here, moved)
            take = unknown & clear[tuple(np.moveaxis(moved, -1, 0))] & (theirs < TOLERANCE * cost + 8)
            source = np.where(take[..., None], moved, source)
            cost = np.where(take, theirs, cost)
    return source


def _apart(patches: np.ndarray, here: np.ndarray, there: np.ndarray) -> np.ndarray:
    far = ((here - there) * NEARNESS) ** 2
    return ((patches - patches[tuple(np.moveaxis(there, -1, 0))]) ** 2).sum(-1) + far.sum(-1)


def _patches(painted: np.ndarray) -> np.ndarray:
    padded = np.pad(painted.astype(np.float32), ((REACH, REACH), (REACH, REACH), (0, 0)), "edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * REACH + 1, 2 * REACH + 1), axis=(0, 1))
    return windows.reshape(*painted.shape[:2], -1) / (2 * REACH + 1)


def _distances(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left**2).sum(1)[:, None] + (right**2).sum(1)[None] - 2 * left @ right.T


def _enlarge(small: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    import cv2

    return cv2.resize(small.astype(np.float32), shape[1::-1], interpolation=cv2.INTER_CUBIC)


def _filter(shape: tuple[int, ...], side: int) -> int:
    import cv2

    return cv2.INTER_AREA if min(shape[:2]) >= side else cv2.INTER_LINEAR
