"""Object detectors of the transformers library: DETR, RT-DETR, YOLOS and whatever AutoModelForObjectDetection knows.

Their weights in models.yaml are three files of one folder, as the hub keeps them: `config` (config.json), `processor`
(preprocessor_config.json) and `model` (model.safetensors). No other file is read and no code of a repository is run.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.evaluate.protocols import Boxes
from accord.evaluate.weights import load_state


class Detector:
    """Boxes of one class, by its name in the model's configuration; on a GPU where there is one."""

    def __init__(self, weights: dict[str, Path], label: str = "person", min_score: float = 0.05):
        import torch
        from transformers import AutoConfig, AutoImageProcessor, AutoModelForObjectDetection

        torch.set_num_threads(1)
        config = AutoConfig.from_pretrained(weights["config"], local_files_only=True)
        self._processor = AutoImageProcessor.from_pretrained(weights["processor"].parent, local_files_only=True)
        family = type(AutoModelForObjectDetection.from_config(config))
        self._net = family.from_pretrained(None, config=config, state_dict=load_state(weights["model"])).eval()
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._net.to(self._device)
        self._class = number_of(label, config.id2label)
        self._label, self._min_score = label, min_score

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        import torch

        inputs = self._processor(images=list(pictures), return_tensors="pt").to(self._device)
        with torch.inference_mode():
            outputs = self._net(**inputs)
        sizes = [picture.shape[:2] for picture in pictures]
        found = self._processor.post_process_object_detection(outputs, threshold=self._min_score, target_sizes=sizes)
        return [self._boxes(one) for one in found]

    def _boxes(self, found: dict) -> Boxes:
        mine = found["labels"] == self._class
        boxes, scores = found["boxes"][mine].double().cpu().numpy(), found["scores"][mine].double().cpu().numpy()
        return Boxes(boxes, scores, [self._label] * len(scores))


def number_of(label: str, labels: dict[int, str]) -> int:
    """The number of a class. Raises AccordError where the model has no such class."""
    from accord.errors import AccordError, Problem

    found = [number for number, text in labels.items() if text.lower() == label.lower()]
    if not found:
        known = ", ".join(sorted(labels.values())[:10])
        raise AccordError(Problem(f"option label: {label}", "the model has no such class", f"it has {known}, ..."))
    return int(found[0])
