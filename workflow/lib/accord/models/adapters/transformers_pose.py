"""Keypoints by ViTPose of the transformers library (Xu et al. 2022): the 17 of COCO, of people whose box is known."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from accord.models.adapters.declaring.keypoint_names import fhibe_numbers
from accord.models.adapters.nets.torch_nets import computing
from accord.models.adapters.nets.transformers_nets import Pretrained, precise
from accord.models.protocols import Pose, Prepared


class PoseEstimator:
    """Keypoints of one person per box; on a GPU where there is one.

    dataset: which of its training sets' experts a ViTPose+ answers with (0: COCO). mirrored: the network is asked about
    the crop's mirror image too, and its heatmaps are averaged, as ViTPose's authors test it.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], precision: str = "float32", dataset: int = 0, mirrored: bool = False,
                 compile: bool = False) -> None:  # fmt: skip
        self._model, self._mirrored = _WithExperts(weights, precision, dataset, compile), mirrored
        self._numbers = fhibe_numbers()

    def prepare(self, picture: np.ndarray, box: np.ndarray) -> Prepared:
        return self._model.prepare(picture, boxes=[[_sides(box)]])

    def estimate(self, pictures: Sequence[np.ndarray | Prepared], boxes: Sequence[np.ndarray]) -> list[Pose]:
        found: dict[int, Pose] = {}
        sides = [_sides(box) for box in boxes]
        for numbers, outputs, inputs in self._model.answers(pictures, [{"boxes": [[one]]} for one in sides]):
            if self._mirrored:
                outputs.heatmaps = (outputs.heatmaps + self._model.mirrored(inputs)) / 2
            asked = [[sides[number]] for number in numbers]
            told = self._model.processor.post_process_pose_estimation(outputs, boxes=asked)
            for number, (person,) in zip(numbers, told, strict=True):
                found[number] = self._pose(person)
        return [found[number] for number in range(len(pictures))]

    def _pose(self, person: dict) -> Pose:
        numbers = self._numbers[person["labels"].numpy()]
        order = np.argsort(numbers)
        # It answers in numbers of pixels, which stand for their centres; we count from the first one's corner.
        points = person["keypoints"].double().numpy()[order] + 0.5
        return Pose(numbers[order], points, np.clip(person["scores"].double().numpy(), 0, 1)[order])


def _sides(box: np.ndarray) -> list[float]:
    """x, y, width, height of a box x0, y0, x1, y1."""
    x0, y0, x1, y1 = map(float, box)
    return [x0, y0, x1 - x0, y1 - y0]


class _WithExperts(Pretrained):
    probe: ClassVar[Mapping[str, Any]] = {"boxes": [[[2.0, 3.0, 30.0, 40.0]]]}

    def __init__(self, weights: dict[str, Path], precision: str, dataset: int, compiled: bool):
        super().__init__(weights, "MODEL_FOR_POSE_ESTIMATION_MAPPING", precision, compiled=compiled)
        self._dataset = dataset

    def extra(self, count: int) -> dict[str, Any]:
        import torch

        if self.config.backbone_config.num_experts <= 1:
            return {}
        return {"dataset_index": torch.full((count,), self._dataset, device=self.device)}

    def mirrored(self, inputs: dict) -> Any:
        """The heatmaps of the inputs' mirror images, turned back, with left and right exchanged."""
        import torch

        turned = {**inputs, "pixel_values": inputs["pixel_values"].flip(-1)}
        pairs = torch.tensor([(left, left + 1) for left in range(1, 17, 2)], device=self.device)
        with computing(self.precision):
            answer = self.net(**turned, flip_pairs=pairs, **self.extra(len(turned["pixel_values"])))
        return precise(answer).heatmaps
