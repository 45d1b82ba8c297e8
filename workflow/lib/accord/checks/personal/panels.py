"""The thing that lines of text stand on: a plate, a card, a screen, a sheet. Found by its edges around the lines."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LINE_GAP = 2.0
"""Lines belong together within so many heights of the lower one."""
ROUND = 4.0
"""Edges are looked for within so many heights of a line around a block, or half its size, whichever is more."""
LARGEST = 8.0
"""A thing is at most so many times as large as its text, and a frame around it is none of it."""
ALONG, ACROSS = 0.5, 0.1
"""Heights of a line by which a block is widened: a number plate begins with a band as wide as that."""
INK = 0.25
"""Heights of a line by which lines are found larger than their ink."""
SIDE = 256
DARK, LIT = 70, 120


class Panel(NamedTuple):
    """corners: float (4, 2), px, of what the lines stand on; shines: whether it is bright in a dark frame, as screens
    are; lines: which lines, by their place in the list."""

    corners: np.ndarray
    shines: bool
    lines: tuple[int, ...]


def panels(picture: np.ndarray, lines: list[np.ndarray]) -> list[Panel]:
    """What the lines of text in a picture stand on; lines close to each other stand on one thing.

    picture: uint8 RGB (H, W, 3); lines: corners, float (4, 2), px.
    """
    return [Panel(*_around(picture, [lines[i] for i in block]), block) for block in blocks(lines)]


def blocks(lines: list[np.ndarray]) -> list[tuple[int, ...]]:
    """Groups of lines, by their places in the list: each is near another of its group, at a like size."""
    boxes = [_box(line) for line in lines]
    groups: list[set[int]] = []
    for index in range(len(lines)):
        near = [group for group in groups if any(_near(boxes[index], boxes[other]) for other in group)]
        groups = [group for group in groups if group not in near] + [set().union({index}, *near)]
    return sorted(tuple(sorted(group)) for group in groups)


def ink(line: np.ndarray) -> np.ndarray:
    """Corners of the letters in a line as it was found, float (4, 2), px: moved inwards by INK of its height."""
    along, down = line[1] - line[0], line[3] - line[0]
    wide, high = np.linalg.norm(along), np.linalg.norm(down)
    inwards = INK * min(wide, high)
    x, y = inwards * along / max(wide, 1e-9), inwards * down / max(high, 1e-9)
    return line + np.stack([x + y, y - x, -x - y, x - y])


def shines(picture: np.ndarray, corners: np.ndarray) -> bool:
    """Whether what is in an outline, float (4, 2), px, is bright and its rim dark: screens shine, and have a bezel."""
    import cv2

    low, high = np.floor(corners.min(0)).astype(int), np.ceil(corners.max(0)).astype(int)
    edge = max(2, round(0.06 * float((high - low).min())))
    left, top = np.maximum(low - 2 * edge, 0)
    part = cv2.cvtColor(picture[top : high[1] + 2 * edge, left : high[0] + 2 * edge], cv2.COLOR_RGB2GRAY)
    inner = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(inner, [np.round(corners - (left, top)).astype(np.int32)], 1)
    ring = cv2.dilate(inner, np.ones((2 * edge + 1, 2 * edge + 1), np.uint8)) - inner
    if not inner.any() or not ring.any():
        return False
    return bool(np.median(part[inner > 0]) >= LIT and np.quantile(part[ring > 0], 0.4) <= DARK)


def _box(line: np.ndarray) -> np.ndarray:
    """left, top, right, bottom and height of a line, px."""
    height = min(np.linalg.norm(line[3] - line[0]), np.linalg.norm(line[1] - line[0]))
    return np.array([*line.min(0), *line.max(0), max(height, 1.0)])


def _near(one: np.ndarray, other: np.ndarray) -> bool:
    apart = np.maximum(0, np.maximum(one[:2], other[:2]) - np.minimum(one[2:4], other[2:4]))
    low, high = sorted((one[4], other[4]))
    return bool(np.hypot(*apart) <= LINE_GAP * low and high <= 3 * low)


def _around(picture: np.ndarray, lines: list[np.ndarray]) -> tuple[np.ndarray, bool]:
    """Corners of the upright or turned box around a block of lines, widened, and the outline around it; whether what is
    in the outline shines."""
    import cv2

    block = cv2.minAreaRect(np.concatenate(lines).astype(np.float32))
    height = float(np.median([_box(line)[4] for line in lines]))
    ink = _widened(block, -min(INK * height, 0.4 * min(block[1])), 0)
    wide = _widened(block, ACROSS * height, (ALONG - ACROSS) * height)
    low, high = ink.min(0), ink.max(0)
    reach = max(ROUND * height, 0.5 * float((high - low).max()))
    left, top = np.floor(np.maximum(low - reach, 0)).astype(int)
    part = picture[top : int(high[1] + reach) + 1, left : int(high[0] + reach) + 1]
    scale = min(1.0, SIDE / max(part.shape[:2]))
    found = _outline(part, scale, (ink - (left, top)) * scale)
    if found is None:
        return wide, False
    outline = found / scale + (left, top)
    both = np.concatenate([wide, outline]).astype(np.float32)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(both)), float), shines(picture, outline)


def _outline(part: np.ndarray, scale: float, block: np.ndarray) -> np.ndarray | None:
    import cv2

    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    edges = cv2.dilate(cv2.Canny(cv2.GaussianBlur(small, (3, 3), 0), 40, 120), np.ones((2, 2), np.uint8))
    area, best = cv2.contourArea(block.astype(np.float32)), None
    for outline in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        hull = cv2.convexHull(outline)
        four = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)
        size = cv2.contourArea(four)
        if len(four) == 4 and area < size <= LARGEST * area and _holds(four, block):
            best = four if best is None or size < cv2.contourArea(best) else best
    return None if best is None else best.reshape(4, 2).astype(float)


def _holds(outline: np.ndarray, block: np.ndarray) -> bool:
    """Whether a block lies in an outline, give or take what its own box is too large."""
    import cv2

    slack = 0.06 * float(np.ptp(block, axis=0).max())
    return all(cv2.pointPolygonTest(outline, (float(x), float(y)), True) >= -slack for x, y in block)


def _widened(block: tuple, margin: float, more: float) -> np.ndarray:
    """Corners, float (4, 2), of a turned box as OpenCV has it: all sides moved outwards by a margin, px, and the short
    ones by `more` px again."""
    import cv2

    middle, (width, height), angle = block
    along, across = (more, 0.0) if width >= height else (0.0, more)
    sides = (width + 2 * (margin + along), height + 2 * (margin + across))
    return np.asarray(cv2.boxPoints((middle, sides, angle)), float)
