"""A network that knows nothing of its task: what it is given and what it answers is declared in models.yaml."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem, all_problems
from accord.models.adapters.declaring import declared_outputs as outs
from accord.models.adapters.declaring.declared_dense import LabelsOut, PictureOut
from accord.models.adapters.declaring.declared_inputs import HINT, Input, declared, is_number
from accord.models.adapters.declaring.declared_keypoints import KeypointsOut
from accord.models.adapters.declaring.geometry import suppress
from accord.models.adapters.declaring.placing import Placing
from accord.models.adapters.declaring.shapes import alike
from accord.models.protocols import Boxes, Mask, Pose, Prepared

KINDS = {
    "boxes": outs.BoxesOut,
    "scores": outs.ScoresOut,
    "objectness": outs.ScoresOut,
    "classes": outs.ClassesOut,
    "masks": outs.MasksOut,
    "labels": LabelsOut,
    "keypoints": KeypointsOut,
    "parts": outs.PartsOut,
    "vector": outs.VectorOut,
    "picture": PictureOut,
}
CANDIDATES = 5000
"""Boxes of a picture among which overlapping ones are dropped, best first (RetinaFace's and SSD's `top_k`)."""
Runner = Callable[[np.ndarray], dict[str, np.ndarray]]
"""A batch of inputs -> outputs by name."""


class Declared:
    """Every task's method, over a runner. What `outputs` doesn't declare can't be asked for.

    together: whether the first axis of input and outputs is a batch of any size; without, pictures go one by one.
    overlap: boxes that overlap a better one by more are dropped (None: the network does that itself). most: boxes
    kept of a picture, best first.
    """

    def __init__(self, run: Runner, input: dict, outputs: dict, *, label: str, min_score: float,
                 overlap: float | None, most: int, together: bool) -> None:  # fmt: skip
        self._run, self._input, self._together = run, declared(Input, input, "input"), together
        unknown = sorted(set(outputs) - set(KINDS))
        if unknown:
            what = f"has no output {', '.join(unknown)}"
            raise AccordError(Problem("option outputs", what, f"use {', '.join(KINDS)}"))
        self._outputs = {name: declared(KINDS[name], told, f"outputs.{name}") for name, told in outputs.items()}
        _check(min_score, overlap, most)
        self._label, self._min_score, self._overlap, self._most = label, min_score, overlap, most

    def prepare(self, picture: np.ndarray, box: np.ndarray | None = None) -> Prepared:
        """What the network is given of a picture, or of the crop around a person's box."""
        placed = self._input.whole(picture) if box is None else self._input.around(picture, box)
        return Prepared((self._input.values(picture, placed), placed), picture.shape)

    def detect(self, pictures: Sequence[np.ndarray | Prepared]) -> list[Boxes]:
        self._told("boxes")
        found = [self._found(arrays, placed) for arrays, placed in self._whole(pictures)]
        return [Boxes(boxes, scores, [self._label] * len(scores)) for boxes, scores, _ in found]

    def parse(self, pictures: Sequence[np.ndarray | Prepared]) -> list[list[Mask]]:
        if "labels" in self._outputs:
            return [[Mask(labels == 1, 1.0, self._label)] for labels in self.label(pictures)]
        return [self._masks(arrays, placed) for arrays, placed in self._whole(pictures)]

    def estimate(self, pictures: Sequence[np.ndarray | Prepared], boxes: Sequence[np.ndarray]) -> list[Pose]:
        told = self._told("keypoints")
        found = self._persons(pictures, boxes)
        if told.mirrored:
            others = self._persons(pictures, boxes, mirrored=True)
            both = zip(found, others, strict=True)
            found = [(told.with_mirrored(one, other, placed.first), placed) for (one, placed), (other, _) in both]
        return [told.decode(arrays, placed) for arrays, placed in found]

    def parts(self, pictures: Sequence[np.ndarray | Prepared], boxes: Sequence[np.ndarray]) -> list[dict[str, float]]:
        told = self._told("parts")
        return [told.decode(arrays) for arrays, _ in self._persons(pictures, boxes)]

    def embed(self, pictures: Sequence[np.ndarray | Prepared]) -> list[np.ndarray | None]:
        told = self._told("vector")
        return [arrays[told.output].ravel().astype(np.float64) for arrays, _ in self._whole(pictures)]

    def label(self, pictures: Sequence[np.ndarray | Prepared]) -> list[np.ndarray]:
        told = self._told("labels")
        return [told.decode(arrays, placed) for arrays, placed in self._whole(pictures)]

    def restore(self, pictures: Sequence[np.ndarray | Prepared]) -> list[np.ndarray]:
        told = self._told("picture")
        return [told.decode(arrays) for arrays, _ in self._whole(pictures)]

    def _told(self, name: str) -> Any:
        if name not in self._outputs:
            raise AccordError(Problem("option outputs", f"lacks {name}, which this task needs", HINT))
        return self._outputs[name]

    def _whole(self, pictures: Sequence[np.ndarray | Prepared]) -> list[tuple[outs.Arrays, Placing]]:
        return self._answers([one if isinstance(one, Prepared) else self.prepare(one) for one in pictures])

    def _persons(
        self, pictures: Sequence[np.ndarray | Prepared], boxes: Sequence[np.ndarray], mirrored: bool = False
    ) -> list[tuple[outs.Arrays, Placing]]:
        pairs = zip(pictures, boxes, strict=True)
        given = [one if isinstance(one, Prepared) else self.prepare(one, box) for one, box in pairs]
        return self._answers(given, mirrored)

    def _answers(self, prepared: Sequence[Prepared], mirrored: bool = False) -> list[tuple[outs.Arrays, Placing]]:
        """The outputs for each picture, or for its mirror image, and where the picture was put."""
        given, places = [one.inputs[0] for one in prepared], [one.inputs[1] for one in prepared]
        given = [self._input.mirrored(one) for one in given] if mirrored else given
        if not self._together:
            alone = [self._checked(self._run(one[np.newaxis])) for one in given]
            return list(zip(alone, places, strict=True))
        found: dict[int, tuple[outs.Arrays, Placing]] = {}
        for numbers in alike([one.shape for one in given]):
            outputs = self._checked(self._run(np.stack([given[number] for number in numbers])))
            for row, number in enumerate(numbers):
                found[number] = {k: v[row] for k, v in outputs.items()}, places[number]
        return [found[number] for number in range(len(given))]

    def _checked(self, outputs: outs.Arrays) -> outs.Arrays:
        wanted = {getattr(told, name, "") for told in self._outputs.values() for name in ("output", "second")} - {""}
        if wanted - set(outputs):
            what = f"names unknown outputs: {', '.join(sorted(wanted - set(outputs)))}"
            raise AccordError(Problem("option outputs", what, f"the network has {', '.join(sorted(outputs))}"))
        return outputs

    def _found(self, arrays: outs.Arrays, placed: Placing) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Boxes, scores, and their numbers in the outputs, best first."""
        scores = self._told("scores").decode(arrays)
        boxes = (
            self._outputs["boxes"].decode(arrays, placed) if "boxes" in self._outputs else np.zeros((len(scores), 4))
        )
        if "objectness" in self._outputs:
            scores = scores * self._outputs["objectness"].decode(arrays)
        if np.isnan(scores).any():
            hint = "check that `input:` matches how the network was trained"
            raise AccordError(Problem("option outputs.scores", "the network's scores are not finite", hint))
        sure = np.isfinite(boxes).all(axis=1) & (scores >= self._min_score)
        if "classes" in self._outputs:
            sure &= self._outputs["classes"].decode(arrays)
        numbers = np.flatnonzero(sure)
        numbers = numbers[np.argsort(-scores[numbers], kind="stable")]
        if self._overlap is not None:
            numbers = numbers[:CANDIDATES]
            longer = getattr(self._outputs.get("boxes"), "inclusive", False)
            held = boxes[numbers] + (0, 0, longer, longer)
            numbers = numbers[suppress(held, scores[numbers], self._overlap)]
        numbers = numbers[: self._most]
        return boxes[numbers], np.clip(scores[numbers], 0, 1), numbers

    def _masks(self, arrays: outs.Arrays, placed: Placing) -> list[Mask]:
        told = self._told("masks")
        boxes, scores, numbers = self._found(arrays, placed)
        return [
            Mask(told.decode(arrays, int(number), placed, box), float(score), self._label)
            for box, score, number in zip(boxes, scores, numbers, strict=True)
        ]


def _check(min_score: Any, overlap: Any, most: Any) -> None:
    """Raises AccordError, with all problems, where options of what is kept can't be right."""
    with all_problems() as problems:
        if not is_number(min_score):
            problems.add("option min_score", f"must be a number, not {min_score!r}", HINT)
        if overlap is not None and not (is_number(overlap) and 0 <= overlap <= 1):
            problems.add("option overlap", f"must be a number from 0 to 1, or null, not {overlap!r}", HINT)
        if not isinstance(most, int) or isinstance(most, bool) or most < 1:
            problems.add("option most", f"must be a whole number of at least 1, not {most!r}", HINT)
