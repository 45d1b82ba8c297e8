"""Keypoints as networks give them: heatmaps (HRNet, ViTPose), SimCC (RTMPose), or plain points."""

import re
from dataclasses import dataclass

import numpy as np

from accord.models.adapters.blazepose import NAMES as BLAZEPOSE33
from accord.models.adapters.declaring.declared_inputs import one_of
from accord.models.adapters.declaring.keypoint_names import COCO17, fhibe_numbers
from accord.models.adapters.declaring.placing import Placing
from accord.models.protocols import Pose

ORDERS = {"coco17": COCO17, "blazepose33": BLAZEPOSE33}
QUARTER = 0.25
NOWHERE = -1


@dataclass(frozen=True)
class KeypointsOut:
    """The keypoints of one person, in the order `names`.

    form: heatmaps (k, rows, columns); simcc: `output` holds (k, columns) and `second` (k, rows), finer than the input;
    points: (k, 2) x, y in px of the input, or (k, 3) with a score. Scores are clipped to [0, 1]. mirrored: the network
    is asked about the crop's mirror image too, and what it answers to both is averaged (heatmaps and simcc).
    """

    output: str
    form: str = "heatmaps"
    second: str = ""
    names: str = "coco17"
    mirrored: bool = False

    def __post_init__(self) -> None:
        one_of("form", self.form, ("heatmaps", "simcc", "points"))
        one_of("names", self.names, ORDERS)
        if (self.form == "simcc") != bool(self.second):
            raise ValueError("second is required with form: simcc, and not allowed otherwise")
        if self.mirrored and self.form == "points":
            raise ValueError("mirrored requires heatmaps or simcc: averages of points are not meaningful")

    def decode(self, arrays: dict[str, np.ndarray], placed: Placing) -> Pose:
        """FHIBE's numbers, px of the picture, scores."""
        places, scores = self._places(arrays, placed)
        numbers = fhibe_numbers(ORDERS[self.names])
        if len(places) != len(numbers):
            raise ValueError(f"{self.output} has {len(places)} keypoints, but {self.names} has {len(numbers)}")
        order = np.argsort(numbers)
        return Pose(numbers[order], placed.to_picture(places)[order], np.clip(scores, 0, 1)[order])

    def with_mirrored(self, arrays: dict[str, np.ndarray], other: dict[str, np.ndarray], first: float) -> dict:
        """The outputs for a crop, averaged with those for its mirror image, turned back.

        Where a network counts from the centres of pixels, its mirrored heatmaps lie about one cell too far left, and
        are moved (Simple Baselines' and HRNet's `shift_heatmap`).
        """
        axis, opposite = (-3 if self.form == "heatmaps" else -2), self._opposite
        back = np.take(other[self.output], opposite, axis=axis)[..., ::-1].copy()
        if self.form == "heatmaps" and first:
            back[..., 1:] = back[..., :-1].copy()
        both = {self.output: (arrays[self.output] + back) / 2}
        if self.second:
            both[self.second] = (arrays[self.second] + np.take(other[self.second], opposite, axis=axis)) / 2
        return {**arrays, **both}

    @property
    def _opposite(self) -> list[int]:
        """The number of each keypoint of the body's other side; its own for those in the middle."""
        names = list(ORDERS[self.names])
        return [names.index(re.sub("left|right", _other_side, name, flags=re.IGNORECASE)) for name in names]

    def _places(self, arrays: dict[str, np.ndarray], placed: Placing) -> tuple[np.ndarray, np.ndarray]:
        """(k, 2) x, y in px of the input, from the corner of its first pixel, and (k,) scores."""
        values, size, first = arrays[self.output], placed.size, placed.first
        if self.form == "heatmaps":
            return peaks(values.reshape(-1, *values.shape[-2:]).astype(np.float64), size, first)
        if self.form == "simcc":
            across, down = _rows(values), _rows(arrays[self.second])
            scores = np.minimum(across.max(axis=1), down.max(axis=1))
            bins = np.stack([across.argmax(axis=1), down.argmax(axis=1)], axis=1).astype(np.float64)
            bins[scores <= 0] = NOWHERE
            return _in_px(bins, (down.shape[1], across.shape[1]), size, first), scores
        rows = _rows(values)
        return rows[:, :2] + first, rows[:, 2] if rows.shape[1] > 2 else np.ones(len(rows))


def peaks(heatmaps: np.ndarray, size: tuple[int, int], first: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(k, 2) x, y in px of the input and (k,) heights of the peaks of (k, rows, columns) heatmaps.

    A peak is moved by a quarter of a cell towards its higher neighbour (Newell et al. 2016), unless it lies at the edge
    (and, as MMPose has it, in the second column or row). Where a heatmap is nowhere above 0, its peak is at -1, -1.
    """
    count, rows, columns = heatmaps.shape
    best = heatmaps.reshape(count, -1).argmax(axis=1)
    y, x = np.divmod(best, columns)
    each = np.arange(count)
    right, left = heatmaps[each, y, np.minimum(x + 1, columns - 1)], heatmaps[each, y, np.maximum(x - 1, 0)]
    below, above = heatmaps[each, np.minimum(y + 1, rows - 1), x], heatmaps[each, np.maximum(y - 1, 0), x]
    across = np.where((x > 1) & (x < columns - 1) & (y > 0), np.sign(right - left), 0)
    down = np.where((y > 1) & (y < rows - 1) & (x > 0), np.sign(below - above), 0)
    heights = heatmaps[each, y, x]
    moved = np.stack([x + QUARTER * across, y + QUARTER * down], axis=1)
    moved[heights <= 0] = NOWHERE
    return _in_px(moved, (rows, columns), size, first), heights


def _in_px(cells: np.ndarray, count: tuple[int, int], size: tuple[int, int], first: float) -> np.ndarray:
    """x, y in px of the input, of numbers of (rows, columns) cells that cover it.

    first: 0 where a cell's number stands for its middle; 0.5 where it is multiplied as it is, and counts from centres.
    """
    return (cells + 0.5 - first) * (size[1] / count[1], size[0] / count[0]) + first


def _other_side(found: re.Match) -> str:
    return {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}[found[0]]


def _rows(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1, values.shape[-1]).astype(np.float64)
