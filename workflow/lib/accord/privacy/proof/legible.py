"""Is text that was painted over still to be read? What OCR reads in the region, before and after."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np

from accord.imaging.regions import window_around
from accord.models import ocr

LIKE = 0.5
SURE = 0.5
LEAST_LETTERS = 2
SIDE = 480
MOST = 20
SMALLEST_VIEW = 96


def likeness(before: np.ndarray, after: np.ndarray, painted: np.ndarray) -> float | None:
    """How much of a line that was read in what is painted over is still read there, 0 to 1; None where none was.

    before, after: uint8 (H, W, 3); painted: bool (H, W), not empty. 1 is the whole line; what is read only after is
    texture, and counts by what it has in common with the lines before.
    """
    there = lines(before, painted)
    now = lines(after, painted) if there else []
    return max((alike(left, right) for left in there for right in now), default=0.0) if there else None


def lines(picture: np.ndarray, painted: np.ndarray) -> list[str]:
    """Letters and digits of the lines that are read with their middle in a mask."""
    window = window_around(painted, SMALLEST_VIEW)
    mask = window.of(painted)
    read = ocr.read(window.of(picture), SIDE, MOST)
    said = [letters(line.text) for line in read if line.score >= SURE and _in(mask, line.corners)]
    return [text for text in said if len(text) >= LEAST_LETTERS]


def letters(text: str) -> str:
    """Letters and digits alone, in lower case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def alike(left: str, right: str) -> float:
    """Share of the letters of `left` that lie in `right`, in the same order and in runs of two at least."""
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= LEAST_LETTERS) / len(left)


def _in(mask: np.ndarray, corners: np.ndarray) -> bool:
    x, y = np.clip(np.asarray(corners).mean(0).astype(int), 0, np.array(mask.shape[::-1]) - 1)
    return bool(mask[y, x])
