"""Object detectors of the transformers library: DETR, Conditional and Deformable DETR, RT-DETR, YOLOS, and their like.

Their weights in models.yaml are three files of one folder, as the hub keeps them: `config` (config.json), `processor`
(preprocessor_config.json) and `model` (model.safetensors). No other file is read and no code of a repository is run.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.nets.transformers_nets import Pretrained, number_of
from accord.models.protocols import Boxes, Prepared


class Detector:
    """Boxes of one class, by its name in the model's configuration; on a GPU where there is one."""

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], label: str = "person", min_score: float = 0.05,
                 precision: str = "float32", compile: bool = False) -> None:  # fmt: skip
        self._model = Pretrained(weights, "MODEL_FOR_OBJECT_DETECTION_MAPPING", precision, compiled=compile)
        self._class = number_of(label, self._model.config.id2label)
        self._label, self._min_score = label, min_score

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(picture)

    def detect(self, pictures: Sequence[np.ndarray | Prepared]) -> list[Boxes]:
        found: dict[int, Boxes] = {}
        for numbers, outputs, _ in self._model.answers(pictures):
            sizes = [pictures[number].shape[:2] for number in numbers]
            told = self._model.processor.post_process_object_detection(
                outputs, threshold=self._min_score, target_sizes=sizes
            )
            for number, one in zip(numbers, told, strict=True):
                found[number] = self._boxes(one)
        return [found[number] for number in range(len(pictures))]

    def _boxes(self, found: dict) -> Boxes:
        mine = found["labels"] == self._class
        boxes, scores = found["boxes"][mine].double().cpu().numpy(), found["scores"][mine].double().cpu().numpy()
        return Boxes(boxes, scores, [self._label] * len(scores))
