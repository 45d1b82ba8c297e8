"""Continuing a picture into a hole with pieces of itself, along the layout that a diffusion model painted.

Coarse to fine, each patch that touches the hole is given the known patch that looks most like it, and the hole's
pixels become the vote of all patches over them (Wexler, Shechtman and Irani, "Space-time completion of video", 2007).
The coarsest level starts from the painted picture, which so decides what goes where; the pieces give its sharpness.
"""

from __future__ import annotations

import numpy as np

RADIUS = 3
SIDES = (32, 64, 128)
ROUNDS = (6, 4, 1)
NEARNESS = 1000.0
LEAST_KNOWN = 0.02
TRUST = 1.3
PADDING = ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0))
CHUNK = 256
AXES = 24
NEIGHBOURS = [(y, x) for y in range(-RADIUS, RADIUS + 1) for x in range(-RADIUS, RADIUS + 1)]


def complete(painted: np.ndarray, unknown: np.ndarray) -> np.ndarray | None:
    """For each pixel the centre (row, column) of the known patch that its own patch is replaced by.

    painted: uint8 (SIDES[-1], SIDES[-1], 3), its hole painted; unknown: bool. Pixels away from the hole are their own
    source. Levels at which next to no whole patch is known are left out; None where that is all of them.
    """
    source = None
    for side, rounds in zip(SIDES, ROUNDS, strict=True):
        image, hole = _resized(painted, unknown, side)
        clear = ~_grown(hole)
        if clear.mean() < LEAST_KNOWN:
            continue
        estimate = image if source is None else vote(image, hole, _doubled(source, hole.shape), _trust(hole))
        for _ in range(rounds):
            source, cost = nearest(estimate, image, hole, clear)
            estimate = vote(image, hole, source, _trust(hole) * _likeness(cost))
    return source


def nearest(
    estimate: np.ndarray, image: np.ndarray, hole: np.ndarray, clear: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The best source of each patch that touches the hole, and its cost: mean squared difference, and a little for
    the distance (light and perspective change with it)."""
    source = np.indices(hole.shape).transpose(1, 2, 0)
    cost = np.zeros(hole.shape, np.float32)
    wanted, places = np.argwhere(_grown(hole)), np.argwhere(clear)
    scale = np.sqrt(NEARNESS) / hole.shape[0]
    left = np.concatenate([_patches(estimate, wanted), wanted * scale], 1, dtype=np.float32)
    right = np.concatenate([_patches(image, places), places * scale], 1, dtype=np.float32)
    best = _closest(left, right)
    rows = tuple(wanted.T)
    source[rows] = places[best]
    cost[rows] = ((left - right[best]) ** 2).sum(1)
    return source, cost


def _closest(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """For each row of `left` the row of `right` next to it, along the AXES principal axes of `right`.

    The rest of a patch is noise that decides nothing: the search takes a third of the time with all of it.
    """
    centre = right.mean(0)
    left, right = left - centre, right - centre
    axes = np.linalg.eigh(right.T @ right)[1][:, -AXES:]
    left, right = left @ axes, right @ axes
    table = np.concatenate([right * -2, (right**2).sum(1, keepdims=True)], 1).T.copy()
    given = np.concatenate([left, np.ones((len(left), 1), np.float32)], 1)
    parts = [(given[start : start + CHUNK] @ table).argmin(1) for start in range(0, len(given), CHUNK)]
    return np.concatenate(parts) if parts else np.zeros(0, int)


def vote(image: np.ndarray, hole: np.ndarray, source: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The image, float32 (H, W, 3), with each pixel of the hole the weighted mean of what the patches over it say."""
    wide = (hole.shape[0] + 2 * RADIUS, hole.shape[1] + 2 * RADIUS)
    said = np.pad(np.dstack([image, np.ones_like(image[..., :1])]), PADDING, "edge").reshape(-1, 4)
    total = np.zeros_like(said)
    rows = np.nonzero(_grown(hole))
    heavy = weight[rows][:, None]
    target, origin = (np.ravel_multi_index((y + RADIUS, x + RADIUS), wide) for y, x in (rows, source[rows].T))
    for y, x in NEIGHBOURS:
        shift = y * wide[1] + x
        total[target + shift] += said.take(origin + shift, axis=0) * heavy
    found = total.reshape(*wide, 4)[RADIUS:-RADIUS, RADIUS:-RADIUS]
    return np.where(hole[..., None], found[..., :3] / np.maximum(found[..., 3:], 1e-9), image)


def enlarge(crop: np.ndarray, source: np.ndarray) -> np.ndarray:
    """The crop, uint8 (H, W, 3), with its pixels taken where `source` says, at full size: float32 (H, W, 3).

    Each pixel is a mean of what the nine patches next to it say, weighted by a quadratic B-spline; patches away from
    the hole leave it as it is.
    """
    scale = np.array(crop.shape[:2]) / source.shape[:2]
    offset = np.round((source - np.indices(source.shape[:2]).transpose(1, 2, 0)) * scale).astype(int)
    cells, weights = zip(*(_spline(n, m) for n, m in zip(crop.shape[:2], source.shape[:2], strict=True)), strict=True)
    part = tuple(_moved(offset.any((1 - axis, 2)), cells[axis]) for axis in (0, 1))
    rows, columns = np.ogrid[part]
    large = crop.astype(np.float32)
    total = np.zeros_like(large[part])
    pixels = crop.reshape(-1, 3)
    for i, j in np.ndindex(3, 3):
        at = np.ix_(cells[0][i][part[0]], cells[1][j][part[1]])
        y, x = (offset[..., axis][at] + own for axis, own in ((0, rows), (1, columns)))
        y, x = (np.clip(one, 0, most - 1, out=one) for one, most in zip((y, x), crop.shape, strict=False))
        there = pixels.take(y * crop.shape[1] + x, axis=0)
        total += there * np.outer(weights[0][i][part[0]], weights[1][j][part[1]])[..., None]
    large[part] = total
    return large


def _moved(is_moved: np.ndarray, cells: np.ndarray) -> slice:
    """The pixels next to cells that don't stay where they are; cells: (3, pixels), the cells next to each."""
    found = np.flatnonzero(is_moved[cells].any(0))
    return slice(found[0], found[-1] + 1) if len(found) else slice(0, 0)


def _spline(length: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Of `length` pixels over `count` cells: the three nearest cells (3, length), and their weights, which sum to 1."""
    place = (np.arange(length) + 0.5) * count / length - 0.5
    middle = np.round(place).astype(int)
    off = place - middle
    weights = np.stack([(0.5 - off) ** 2 / 2, 0.75 - off**2, (0.5 + off) ** 2 / 2])
    return np.clip(middle + np.array([[-1], [0], [1]]), 0, count - 1), weights.astype(np.float32)


def _resized(painted: np.ndarray, unknown: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    import cv2

    image = cv2.resize(painted.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
    return image, cv2.resize(unknown.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA) > 0.01


def _doubled(source: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """The sources of the level before, for twice the size."""
    import cv2

    here = np.indices(source.shape[:2]).transpose(1, 2, 0)
    offset = (2 * (source - here)).astype(np.float32)
    wide = cv2.resize(offset, shape[::-1], interpolation=cv2.INTER_NEAREST).astype(int)
    return np.clip(np.indices(shape).transpose(1, 2, 0) + wide, 0, np.array(shape) - 1)


def _trust(hole: np.ndarray) -> np.ndarray:
    """Falls with the distance to what is known, so that the border decides first."""
    import cv2

    return TRUST ** -cv2.distanceTransform(hole.astype(np.uint8), cv2.DIST_L2, 5)


def _likeness(cost: np.ndarray) -> np.ndarray:
    spread = np.percentile(cost[cost > 0], 75) if (cost > 0).any() else 1.0
    return np.exp(-cost / (2 * spread)).astype(np.float32) + 1e-6


def _grown(hole: np.ndarray) -> np.ndarray:
    """All pixels whose patch touches the hole."""
    import cv2

    size = 2 * RADIUS + 1
    return cv2.dilate(hole.astype(np.uint8), np.ones((size, size), np.uint8)).astype(bool)


def _patches(image: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Patches around centres, (n, size * size * 3), scaled so that squared distances are means over a patch."""
    padded = np.pad(image, PADDING, "edge")
    size = 2 * RADIUS + 1
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(0, 1))
    return windows[tuple(centres.T)].reshape(len(centres), -1) / np.sqrt(3) / size
