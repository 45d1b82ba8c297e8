"""Marks drawn over a picture: what annotators say, and what a model predicts.

The two differ in more than colour: truth is solid and yellow, a prediction dashed and blue. Both have a dark edge, so
that they are seen on any picture.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

TRUTH, PREDICTED, EDGE = (255, 214, 10), (90, 209, 255), (0, 0, 0)
WIDTH_SHARE, DASH = 400, 5
"""Of the picture's longer side: a line's width; a dash is so many widths long."""
LONGEST_LABEL = 60


class Mark(NamedTuple):
    """A closed outline, or a point: x0, y0, x1, y1, ... px of the upright picture, a point x, y alone; `label`: what is
    written beside it; `is_truth`: whether annotators drew it."""

    polygon: tuple[float, ...]
    label: str = ""
    is_truth: bool = False


def drawn(pixels: np.ndarray, marks: Iterable[Mark], scale: float = 1.0) -> np.ndarray:
    """A copy of a picture, (height, width, 3) uint8 RGB, with marks over it; scale: px of it per px of the marks."""
    made = np.ascontiguousarray(pixels).copy()
    width = max(2, round(max(made.shape[:2]) / WIDTH_SHARE))
    placed = [(mark, np.asarray(mark.polygon, float).reshape(-1, 2) * scale) for mark in marks]
    placed = [(mark, points) for mark, points in placed if len(points) and np.isfinite(points).all()]
    for mark, points in sorted(placed, key=lambda one: one[0].is_truth):
        _point(made, points[0], mark, width) if len(points) == 1 else _outline(made, points, mark, width)
    for mark, points in placed:
        if mark.label:
            _label(made, points, mark, width)
    return made


def of_box(box: Sequence[float], label: str) -> Mark:
    """The outline of a predicted box: left, top, right, bottom, px."""
    left, top, right, bottom = map(float, box)
    return Mark((left, top, right, top, right, bottom, left, bottom), label)


def of_mask(mask: np.ndarray, label: str, is_truth: bool = False) -> list[Mark]:
    """The outlines of a mask, (height, width) bool."""
    import cv2

    found, _ = cv2.findContours(np.ascontiguousarray(mask, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = sorted((tuple(map(float, one.ravel())) for one in found if len(one) > 2), key=len, reverse=True)
    return [Mark(one, label if number == 0 else "", is_truth) for number, one in enumerate(outlines)]


def _outline(made: np.ndarray, points: np.ndarray, mark: Mark, width: int) -> None:
    closed = np.vstack([points, points[:1]])
    lines = [closed] if mark.is_truth else _dashes(closed, 2 * DASH * width)
    for colour, thick in ((EDGE, width + 2), (_colour(mark), width)):
        for line in lines:
            _line(made, line, colour, thick)


def _dashes(line: np.ndarray, period: float) -> list[np.ndarray]:
    """Pieces of a line: the first half of each period of its length, px."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    starts = np.arange(0.0, along[-1], period)
    ends = np.minimum(starts + period / 2, along[-1])
    pieces = []
    for start, end in zip(starts, ends, strict=True):
        at = np.unique(np.concatenate([[start], along[(along > start) & (along < end)], [end]]))
        pieces.append(np.stack([np.interp(at, along, line[:, axis]) for axis in (0, 1)], axis=1))
    return pieces


def _line(made: np.ndarray, line: np.ndarray, colour: Sequence[int], thick: int) -> None:
    import cv2

    cv2.polylines(made, [np.round(_near(line)).astype(np.int32)], False, colour, thick, cv2.LINE_AA)


def _point(made: np.ndarray, at: np.ndarray, mark: Mark, width: int) -> None:
    """Truth is a disc, a prediction a cross."""
    import cv2

    x, y = (int(one) for one in np.round(_near(at)))
    size = 3 * width
    for colour, more in ((EDGE, 2), (_colour(mark), 0)):
        if mark.is_truth:
            cv2.circle(made, (x, y), size + more // 2, colour, -1, cv2.LINE_AA)
        else:
            thick = max(1, width) + more
            cv2.drawMarker(made, (x, y), colour, cv2.MARKER_TILTED_CROSS, 3 * size, thick, cv2.LINE_AA)


def _label(made: np.ndarray, points: np.ndarray, mark: Mark, width: int) -> None:
    """The label at the upper left of what it names: inside the picture, letters that the font lacks as `?`."""
    import cv2

    text = mark.label[:LONGEST_LABEL].encode("ascii", "replace").decode()
    scale = max(made.shape[:2]) / 1600 + 0.2
    (across, high), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, max(1, width // 2))
    x, y = _near(points).min(axis=0)
    beside = 0 if len(points) > 1 else 5 * width
    x = int(np.clip(x + beside, 0, max(made.shape[1] - across - 2, 0)))
    y = int(np.clip(y - width - base, high + 2, max(made.shape[0] - base - 2, high + 2)))
    cv2.rectangle(made, (x, y - high - 2), (x + across + 2, y + base), EDGE, -1)
    font = cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(made, text, (x + 1, y), font, scale, _colour(mark), max(1, width // 2), cv2.LINE_AA)


def _near(points: np.ndarray) -> np.ndarray:
    """Points at most a picture away from any picture: OpenCV's coordinates are bounded."""
    return np.clip(points, -10_000, 100_000)


def _colour(mark: Mark) -> tuple[int, int, int]:
    return TRUTH if mark.is_truth else PREDICTED
