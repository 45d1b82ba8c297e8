"""What the outputs of a network mean, as `outputs:` of its options declares it: boxes, masks, keypoints, labels, ...

Each decoder takes the outputs for one picture by name; a leading axis of length 1 may stand in front.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.declaring.declared_inputs import one_of
from accord.models.adapters.declaring.placing import Placing, in_box, unplaced
from accord.models.adapters.nets.litert import sigmoid

Arrays = dict[str, np.ndarray]
ACTIVATIONS = ("none", "sigmoid", "softmax")


@dataclass(frozen=True)
class BoxesOut:
    """(n, 4 or more) boxes from column `first` on: form xyxy, xywh or cxcywh, in px of the input or fractions of it.

    transposed: (4 or more, n), as YOLO exports are. inclusive: overlaps are counted as if boxes held the pixel after
    their ends too, as code does that comes from MATLAB's (Fast R-CNN's, RetinaFace's). clip: they end at the picture's
    edge.
    """

    output: str
    form: str = "xyxy"
    units: str = "pixels"
    first: int = 0
    transposed: bool = False
    inclusive: bool = False
    clip: bool = False

    def __post_init__(self) -> None:
        one_of("form", self.form, ("xyxy", "xywh", "cxcywh"))
        one_of("units", self.units, ("pixels", "fractions"))

    def decode(self, arrays: Arrays, placed: Placing) -> np.ndarray:
        """(n, 4) x0, y0, x1, y1 in px of the picture."""
        rows = table(arrays[self.output], self.transposed)[:, self.first : self.first + 4].astype(np.float64)
        start, end = rows[:, :2], rows[:, 2:]
        if self.form == "cxcywh":
            start, end = start - end / 2, start + end / 2
        elif self.form == "xywh":
            end = start + end
        sides = (1, 1) if self.units == "pixels" else placed.size[::-1]
        found = np.concatenate([placed.to_picture(start * sides), placed.to_picture(end * sides)], axis=1)
        return np.clip(found, 0, placed.picture[::-1] * 2) if self.clip else found


@dataclass(frozen=True)
class ScoresOut:
    """(n,) scores, or (n, columns) of which one column counts; softmax over the columns, or sigmoid."""

    output: str
    column: int | None = None
    activation: str = "none"
    transposed: bool = False

    def __post_init__(self) -> None:
        one_of("activation", self.activation, ACTIVATIONS)

    def decode(self, arrays: Arrays) -> np.ndarray:
        """(n,) float64."""
        values = arrays[self.output]
        if self.column is None:
            found = values.ravel().astype(np.float64)
            return sigmoid(found) if self.activation == "sigmoid" else found
        found = activated(table(values, self.transposed).astype(np.float64), self.activation)
        if not 0 <= self.column < found.shape[1]:
            what = f"column is {self.column}, but the output has {found.shape[1]} columns"
            raise AccordError(Problem(f"option outputs: {self.output}", what, "columns count from 0"))
        return found[:, self.column]


@dataclass(frozen=True)
class ClassesOut:
    """(n,) numbers of classes; those of `keep` count."""

    output: str
    keep: Sequence[int]

    def decode(self, arrays: Arrays) -> np.ndarray:
        """(n,) bool."""
        return np.isin(arrays[self.output].ravel().astype(np.int64), list(self.keep))


@dataclass(frozen=True)
class MasksOut:
    """(n, rows, columns) masks that cover the input, or, `cover: box`, each its box (as Mask R-CNN's)."""

    output: str
    cover: str = "input"
    activation: str = "none"
    threshold: float = 0.5

    def __post_init__(self) -> None:
        one_of("cover", self.cover, ("input", "box"))
        one_of("activation", self.activation, ("none", "sigmoid"))

    def decode(self, arrays: Arrays, number: int, placed: Placing, box: np.ndarray) -> np.ndarray:
        """(height, width) bool: the mask of a number, in px of the picture."""
        values = arrays[self.output]
        mask = values.reshape(-1, *values.shape[-2:])[number].astype(np.float32)
        mask = sigmoid(mask).astype(np.float32) if self.activation == "sigmoid" else mask
        if self.cover == "input":
            return unplaced(mask, placed) > self.threshold
        return in_box(mask, box, placed.picture) >= self.threshold


@dataclass(frozen=True)
class PartsOut:
    """(k,) chances that parts of a body are seen, in the order `names`."""

    output: str
    names: Sequence[str]
    activation: str = "none"

    def __post_init__(self) -> None:
        one_of("activation", self.activation, ("none", "sigmoid"))

    def decode(self, arrays: Arrays) -> dict[str, float]:
        """Part -> chance in [0, 1]."""
        values = activated(arrays[self.output].reshape(1, -1).astype(np.float64), self.activation)[0]
        return dict(zip(self.names, np.clip(values, 0, 1).tolist(), strict=True))


@dataclass(frozen=True)
class VectorOut:
    """A vector."""

    output: str


def table(values: np.ndarray, transposed: bool) -> np.ndarray:
    """(n, columns) of an output with any axes of length 1 in front."""
    rows = values.reshape(-1, values.shape[-1])
    return rows.T if transposed else rows


def activated(values: np.ndarray, activation: str) -> np.ndarray:
    """(n, columns) through sigmoid, or softmax over the columns."""
    if activation == "sigmoid":
        return sigmoid(values)
    if activation == "softmax":
        powers = np.exp(values - values.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
    return values
