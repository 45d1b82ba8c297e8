"""Tiles over a hole that is larger than the model's side: overlapping windows, and their fills blended into one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from accord.imaging.regions import Window

OVERLAP = 0.25


def windows(hole: np.ndarray, side: int) -> list[Window]:
    """Windows of side x side px (less where the picture is smaller) that cover a hole, bool (H, W).

    Neighbours share OVERLAP of their side at least; windows without a pixel of the hole are left out.
    """
    rows, columns = np.flatnonzero(hole.any(1)), np.flatnonzero(hole.any(0))
    if not len(rows):
        return []
    grid = [
        Window(top, bottom, left, right)
        for top, bottom in _spans(rows[0], rows[-1] + 1, side, hole.shape[0])
        for left, right in _spans(columns[0], columns[-1] + 1, side, hole.shape[1])
    ]
    return [window for window in grid if window.of(hole).any()]


def blend(base: np.ndarray, tiles: Iterable[tuple[Window, np.ndarray]]) -> np.ndarray:
    """`base`, float32 (H, W, 3), replaced by the weighted mean of the tiles where there are some.

    A tile's weight falls linearly to next to nothing at its own border, so that no tile ends in an edge.
    """
    total = np.zeros((*base.shape[:2], 4), np.float32)
    for window, fill in tiles:
        weight = _tent(fill.shape[0])[:, None] * _tent(fill.shape[1])[None]
        part = window.of(total)
        part[..., :3] += fill * weight[..., None]
        part[..., 3] += weight
    covered = total[..., 3:] > 0
    return np.where(covered, total[..., :3] / np.maximum(total[..., 3:], 1e-9), base)


def _spans(start: int, end: int, side: int, limit: int) -> list[tuple[int, int]]:
    """Evenly spread spans of `side` px from `start` to `end`, inside 0 and `limit`."""
    side = min(side, limit)
    count = max(1, int(np.ceil((end - start - OVERLAP * side) / ((1 - OVERLAP) * side))))
    first, last = (max(0, min(start, limit - side)), max(0, min(end, limit) - side))
    if count == 1:
        first = last = max(0, min((start + end - side) // 2, limit - side))
    places = np.round(np.linspace(first, last, count)).astype(int)
    return [(int(place), int(place) + side) for place in places]


def _tent(length: int) -> np.ndarray:
    """1 in the middle, falling linearly to half a step at both ends."""
    place = np.arange(length) + 0.5
    return (np.minimum(place, length - place) / (length / 2)).astype(np.float32)
