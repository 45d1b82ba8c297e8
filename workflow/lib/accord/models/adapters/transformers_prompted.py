"""Detectors of what a prompt names: OWLv2, OWL-ViT, Grounding DINO, and whatever else transformers calls zero-shot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.models.adapters.declaring.geometry import suppress
from accord.models.adapters.nets.transformers_nets import Pretrained, precise
from accord.models.protocols import Boxes

KIND = "MODEL_FOR_ZERO_SHOT_OBJECT_DETECTION_MAPPING"


class Prompted:
    """Boxes of whatever fits one of the prompts ("a person", "a human face"); on a GPU where there is one.

    overlap: boxes that overlap a better one by more are dropped: prompts name the same thing twice.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], prompts: Sequence[str], label: str = "person", min_score: float = 0.05,
                 overlap: float = 0.7, precision: str = "float32") -> None:  # fmt: skip
        self._model = Pretrained(weights, KIND, precision, processor="all")
        self._prompts, self._label = list(prompts), label
        self._min_score, self._overlap = min_score, overlap

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        return [self._one(picture) for picture in pictures]

    def _one(self, picture: np.ndarray) -> Boxes:
        model = self._model
        boxes, scores = seen(model.processor, model.net, picture, self._prompts, self._min_score)
        kept = suppress(boxes, scores, self._overlap)
        return Boxes(boxes[kept], scores[kept], [self._label] * len(kept))


def seen(
    processor: Any, net: Any, picture: np.ndarray, prompts: Sequence[str], threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """(n, 4) boxes x0, y0, x1, y1 within a picture that fit one of the prompts, and their (n,) scores in [0, 1]."""
    import torch

    inputs = processor(images=[picture], text=[list(prompts)], return_tensors="pt").to(net.device)
    inputs["pixel_values"] = inputs["pixel_values"].to(net.dtype)
    with torch.inference_mode():
        outputs = precise(net(**inputs))
    height, width = picture.shape[:2]
    (found,) = processor.post_process_grounded_object_detection(
        outputs, threshold=threshold, target_sizes=[(height, width)]
    )
    boxes = found["boxes"].double().cpu().numpy().clip(0, [width, height, width, height])
    return boxes, found["scores"].double().cpu().numpy().clip(0, 1)
