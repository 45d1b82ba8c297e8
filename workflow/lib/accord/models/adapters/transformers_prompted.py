"""Detectors of what a prompt names: OWLv2, OWL-ViT, Grounding DINO, and whatever else transformers calls zero-shot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.models.adapters.declaring.geometry import suppress
from accord.models.adapters.nets.transformers_nets import Pretrained
from accord.models.protocols import Boxes, Prepared

KIND = "MODEL_FOR_ZERO_SHOT_OBJECT_DETECTION_MAPPING"


class Prompted:
    """Boxes of whatever fits one of the prompts ("a person", "a human face"); on a GPU where there is one.

    overlap: boxes that overlap a better one by more are dropped: prompts name the same thing twice.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], prompts: Sequence[str], label: str = "person", min_score: float = 0.05,
                 overlap: float = 0.7, precision: str = "float32", compile: bool = False) -> None:  # fmt: skip
        self._model = _Prompted(weights, KIND, precision, processor="all", compiled=compile)
        self._model.prompts, self._label = list(prompts), label
        self._min_score, self._overlap = min_score, overlap

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(picture)

    def detect(self, pictures: Sequence[np.ndarray | Prepared]) -> list[Boxes]:
        found: dict[int, Boxes] = {}
        for numbers, outputs, _ in self._model.answers(pictures):
            sizes = [pictures[number].shape[:2] for number in numbers]
            told = self._model.processor.post_process_grounded_object_detection(
                outputs, threshold=self._min_score, target_sizes=sizes
            )
            for number, one, size in zip(numbers, told, sizes, strict=True):
                found[number] = self._boxes(one, *size)
        return [found[number] for number in range(len(pictures))]

    def _boxes(self, found: dict, height: int, width: int) -> Boxes:
        """Boxes within a picture, the best of those that overlap."""
        boxes = found["boxes"].double().cpu().numpy().clip(0, [width, height, width, height])
        scores = found["scores"].double().cpu().numpy().clip(0, 1)
        kept = suppress(boxes, scores, self._overlap)
        return Boxes(boxes[kept], scores[kept], [self._label] * len(kept))


class _Prompted(Pretrained):
    prompts: Sequence[str] = ()

    def extra(self, count: int) -> dict[str, Any]:
        """The prompts, asked of each of so many pictures."""
        texts = self.processor(text=[list(self.prompts)] * count, return_tensors="pt")
        return dict(texts.to(self.device))
