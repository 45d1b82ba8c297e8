"""People in a picture who are none of those whom annotators outlined, and where their bodies are likely to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from accord.boxes import iou
from accord.privacy.detectors import YUNET_SIDE, Found, faces_blazeface, faces_yunet, persons

FACE_PIXELS = 12
"""Px of the smallest face that YuNet finds reliably in what it sees (its authors train it from 10)."""
OVERLAP = 0.25
SAME = 0.3
OWN = 0.3
INSIDE = 0.6
# A standing body, in widths and heights of its face: arms a little apart, hair above, feet below.
WIDE, ABOVE, BELOW = 2.2, 0.6, 8.8


class Known(NamedTuple):
    """Whom annotators outlined. faces: (n, 4) left, top, right, bottom; mask: bool (H, W) of their bodies."""

    faces: np.ndarray
    mask: np.ndarray


class Stranger(NamedTuple):
    """Somebody whom nobody outlined. body: left, top, right, bottom, px, of where their body is likely to be."""

    found: Found
    body: tuple[float, float, float, float]


def strangers(picture: np.ndarray, known: Known, smallest_face: float) -> list[Stranger]:
    """Everybody in a picture, uint8 RGB (H, W, 3), who is not known; each once, faces before bodies.

    `smallest_face`: width of the smallest face to look for, as a share of the picture's longer side; smaller ones need
    more and smaller tiles.
    """
    out: list[Stranger] = []
    for found in sorted(_found(picture, smallest_face), key=lambda one: (one.check.startswith("person"), -one.score)):
        stranger = Stranger(found, _body(found, picture.shape))
        if not is_known(found, known) and not any(_same(stranger, other) for other in out):
            out.append(stranger)
    return out


def is_known(found: Found, known: Known) -> bool:
    """Whether a finding is somebody whom annotators outlined: their face, or a place on their body."""
    box = np.array(found.box)
    if found.check.startswith("face"):
        lapped = any(iou(box, face) >= OVERLAP or _inside(box, face) >= INSIDE for face in known.faces)
        if lapped:
            return True
    left, top, right, bottom = np.round(box).astype(int)
    part = known.mask[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    return bool(part.size == 0 or part.mean() >= OWN)


def _found(picture: np.ndarray, smallest_face: float) -> Iterator[Found]:
    yield from faces_blazeface(picture)
    height, width = picture.shape[:2]
    yield from (found for found in persons(picture) if _plausible(found.box, width, height))
    for left, top, part in tiles(picture, FACE_PIXELS / (YUNET_SIDE * smallest_face)):
        for found in faces_yunet(part):
            yield Found(found.check, found.score, _moved(found.box, left, top))


def tiles(picture: np.ndarray, times: float) -> Iterator[tuple[int, int, np.ndarray]]:
    """Left, top and pixels of the whole picture, then of tiles in which all is seen `times` as large.

    Tiles overlap by a half, so that a face which one of them cuts is whole in another.
    """
    yield 0, 0, picture
    if times <= 1:
        return
    side = int(np.ceil(max(picture.shape[:2]) / times))
    for top in _starts(picture.shape[0], side):
        for left in _starts(picture.shape[1], side):
            yield left, top, picture[top : top + side, left : left + side]


def _starts(length: int, side: int) -> list[int]:
    if length <= side:
        return [0]
    count = int(np.ceil(2 * length / side)) - 1
    return [round(place) for place in np.linspace(0, length - side, count)]


def _plausible(box: tuple[float, ...], width: int, height: int) -> bool:
    """Whether a trunk lies in the picture: BlazePose dreams of larger ones outside."""
    left, top, right, bottom = box
    shown = max(0, min(right, width) - max(left, 0)) * max(0, min(bottom, height) - max(top, 0))
    return shown >= INSIDE * (right - left) * (bottom - top) and right - left <= 0.75 * max(width, height)


def _body(found: Found, shape: tuple[int, ...]) -> tuple[float, float, float, float]:
    """Where a whole body is likely to be: from a face by its proportions, from a trunk twice its size."""
    left, top, right, bottom = found.box
    middle, width, height = (left + right) / 2, right - left, bottom - top
    if found.check.startswith("face"):
        body = (middle - WIDE * width, top - ABOVE * height, middle + WIDE * width, bottom + BELOW * height)
    else:
        body = (middle - 0.75 * width, top - 0.75 * height, middle + 0.75 * width, bottom + 1.25 * height)
    low, high = (0.0, 0.0), (float(shape[1]), float(shape[0]))
    return (max(body[0], low[0]), max(body[1], low[1]), min(body[2], high[0]), min(body[3], high[1]))


def _same(one: Stranger, other: Stranger) -> bool:
    """Whether two findings are one person: their faces overlap, or the middle of one's trunk is in the other's body."""
    if one.found.check.startswith("face") and other.found.check.startswith("face"):
        return bool(iou(one.found.box, other.found.box) >= SAME)
    left, top, right, bottom = one.found.box
    x, y = (left + right) / 2, (top + bottom) / 2
    return other.body[0] <= x <= other.body[2] and other.body[1] <= y <= other.body[3]


def _moved(found: tuple[float, float, float, float], x: int, y: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = found
    return left + x, top + y, right + x, bottom + y


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.prod(np.clip(np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2]), 0, None)))


def _inside(one: np.ndarray, other: np.ndarray) -> float:
    """Share of the smaller box that lies in the other."""
    smaller = min(float(np.prod(one[2:] - one[:2])), float(np.prod(other[2:] - other[:2])))
    return _shared(one, other) / max(smaller, 1e-9)
