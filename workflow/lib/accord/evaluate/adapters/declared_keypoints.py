"""Keypoints as networks give them: heatmaps (HRNet, ViTPose), SimCC (RTMPose), or plain points."""

from dataclasses import dataclass

import numpy as np

from accord.evaluate.adapters.blazepose import NAMES as BLAZEPOSE33
from accord.evaluate.adapters.declared_inputs import one_of
from accord.evaluate.adapters.keypoint_names import COCO17, fhibe_numbers
from accord.evaluate.adapters.placing import Placing
from accord.evaluate.protocols import Pose

ORDERS = {"coco17": COCO17, "blazepose33": BLAZEPOSE33}
QUARTER = 0.25
MIDDLE = 0.5
"""Cell or bin n stands for the pixel n times as far (MMPose, Xiao et al. 2018); ours count from its outer corner."""


@dataclass(frozen=True)
class KeypointsOut:
    """The keypoints of one person, in the order `names`.

    form: heatmaps (k, rows, columns); simcc: `output` holds (k, columns) and `second` (k, rows), finer than the input;
    points: (k, 2) x, y in px of the input, or (k, 3) with a score. Scores are clipped to [0, 1].
    """

    output: str
    form: str = "heatmaps"
    second: str = ""
    names: str = "coco17"

    def __post_init__(self) -> None:
        one_of("form", self.form, ("heatmaps", "simcc", "points"))
        one_of("names", self.names, ORDERS)
        if (self.form == "simcc") != bool(self.second):
            raise ValueError("second is the output of the rows of simcc, and of nothing else")

    def decode(self, arrays: dict[str, np.ndarray], placed: Placing) -> Pose:
        """FHIBE's numbers, px of the picture, scores."""
        places, scores = self._places(arrays, placed.size)
        numbers = fhibe_numbers(ORDERS[self.names])
        if len(places) != len(numbers):
            raise ValueError(f"{self.output} holds {len(places)} keypoints, but {self.names} are {len(numbers)}")
        order = np.argsort(numbers)
        return Pose(numbers[order], placed.to_picture(places)[order], np.clip(scores, 0, 1)[order])

    def _places(self, arrays: dict[str, np.ndarray], size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        values = arrays[self.output]
        if self.form == "heatmaps":
            return peaks(values.reshape(-1, *values.shape[-2:]).astype(np.float64), size)
        if self.form == "simcc":
            across, down = _rows(values), _rows(arrays[self.second])
            bins = np.stack([across.argmax(axis=1), down.argmax(axis=1)], axis=1)
            places = bins * (size[1] / across.shape[1], size[0] / down.shape[1]) + MIDDLE
            return places, np.minimum(across.max(axis=1), down.max(axis=1))
        rows = _rows(values)
        return rows[:, :2], rows[:, 2] if rows.shape[1] > 2 else np.ones(len(rows))


def peaks(heatmaps: np.ndarray, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """(k, 2) x, y in px of the input and (k,) heights of the peaks of (k, rows, columns) heatmaps.

    A peak is moved by a quarter of a cell towards its higher neighbour (Newell et al. 2016); not at the edges, as in
    MMPose.
    """
    count, rows, columns = heatmaps.shape
    best = heatmaps.reshape(count, -1).argmax(axis=1)
    y, x = np.divmod(best, columns)
    each = np.arange(count)
    across = heatmaps[each, y, np.minimum(x + 1, columns - 1)] - heatmaps[each, y, np.maximum(x - 1, 0)]
    down = heatmaps[each, np.minimum(y + 1, rows - 1), x] - heatmaps[each, np.maximum(y - 1, 0), x]
    across[(x <= 1) | (x >= columns - 1) | (y <= 0)] = 0
    down[(y <= 1) | (y >= rows - 1) | (x <= 0)] = 0
    moved = np.stack([x, y], axis=1) + QUARTER * np.sign(np.stack([across, down], axis=1))
    return moved * (size[1] / columns, size[0] / rows) + MIDDLE, heatmaps[each, y, x]


def _rows(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1, values.shape[-1]).astype(np.float64)
