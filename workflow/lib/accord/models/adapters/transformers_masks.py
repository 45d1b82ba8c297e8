"""Masks by networks of the transformers library: Mask2Former, MaskFormer (instances); Segformer, UPerNet (regions).

Weights as in accord.models.adapters.transformers: `config`, `processor`, `model`.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.transformers_nets import Pretrained, number_of
from accord.models.protocols import Mask, Prepared
from accord.vocabularies import FACE_PARTS


class Instances:
    """One mask per person (parse): queries of one class, as Mask2Former scores them: chance of the class times the mean
    chance within the mask. most: masks kept of a picture, best first."""

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], label: str = "person", min_score: float = 0.05, most: int = 50,
                 precision: str = "float32", compile: bool = False) -> None:  # fmt: skip
        self._model = Pretrained(weights, "MODEL_FOR_UNIVERSAL_SEGMENTATION_MAPPING", precision, compiled=compile)
        self._class = number_of(label, self._model.config.id2label)
        self._label, self._min_score, self._most = label, min_score, most

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(picture)

    def parse(self, pictures: Sequence[np.ndarray | Prepared]) -> list[list[Mask]]:
        found: list[list[Mask]] = [[] for _ in pictures]
        for numbers, outputs, inputs in self._model.answers(pictures):
            chances = outputs.class_queries_logits.softmax(dim=-1)[:, :, self._class]
            for place, number in enumerate(numbers):
                shown = shown_size(inputs, place)
                found[number] = self._masks(
                    chances[place], outputs.masks_queries_logits[place], inputs, shown, pictures[number]
                )
        return found

    def _masks(
        self, chances: Any, logits: Any, inputs: dict, shown: tuple[int, int], picture: np.ndarray | Prepared
    ) -> list[Mask]:
        best = chances.argsort(descending=True, stable=True)[: self._most]
        best = best[chances[best] >= self._min_score]
        masks = []
        for query in best.tolist():
            chance = in_picture(logits[query][None, None], inputs, shown, picture)[0, 0].sigmoid()
            mask = chance > 0.5
            if bool(mask.any()):
                score = float(chances[query]) * float(chance[mask].mean())
                masks.append(Mask(mask.cpu().numpy(), score, self._label))
        return sorted((mask for mask in masks if mask.score >= self._min_score), key=lambda mask: -mask.score)


class Regions:
    """One mask of all people (parse): the pixels of the classes that `labels` names; its score is the mean chance."""

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], labels: Sequence[str] = ("person",), precision: str = "float32",
                 compile: bool = False) -> None:  # fmt: skip
        self._model = Pretrained(weights, "MODEL_FOR_SEMANTIC_SEGMENTATION_MAPPING", precision, compiled=compile)
        self._classes = [number_of(label, self._model.config.id2label) for label in labels]

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(picture)

    def parse(self, pictures: Sequence[np.ndarray | Prepared]) -> list[list[Mask]]:
        found: list[list[Mask]] = [[] for _ in pictures]
        for number, best, chance in regions(self._model, pictures, self._classes):
            mask = reduce(or_, (best == one for one in self._classes))
            if bool(mask.any()):
                found[number] = [Mask(mask.cpu().numpy(), min(float(chance[mask].mean()), 1.0), "person")]
        return found


class FaceRegions:
    """CelebAMask-HQ's labels 0-18 of aligned faces (label), by the names of the model's classes."""

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], precision: str = "float32", compile: bool = False):
        self._model = Pretrained(weights, "MODEL_FOR_SEMANTIC_SEGMENTATION_MAPPING", precision, compiled=compile)
        names = self._model.config.id2label
        unknown = sorted({text for text in names.values() if text not in FACE_PARTS})
        if unknown:
            what = f"has classes that CelebAMask-HQ doesn't have: {', '.join(unknown[:5])}"
            raise AccordError(Problem("config.json", what, f"CelebAMask-HQ has {', '.join(FACE_PARTS)}"))
        self._to = np.array([FACE_PARTS.index(names[number]) for number in sorted(names)], dtype=np.uint8)

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(picture)

    def label(self, pictures: Sequence[np.ndarray | Prepared]) -> list[np.ndarray]:
        found: dict[int, np.ndarray] = {}
        for number, best, _ in regions(self._model, pictures, []):
            found[number] = self._to[best.cpu().numpy()]
        return [found[number] for number in range(len(pictures))]


def regions(
    model: Pretrained, pictures: Sequence[np.ndarray | Prepared], classes: list[int]
) -> Iterator[tuple[int, Any, Any]]:
    """The number of each picture, the best class of each of its pixels, and the chance of all `classes` together.

    Class by class, so that a network of 150 classes needs no more memory than one of two.
    """
    import torch

    for numbers, outputs, inputs in model.answers(pictures):
        for place, number in enumerate(numbers):
            shown, picture = shown_size(inputs, place), pictures[number]
            best = torch.zeros(picture.shape[:2], dtype=torch.int64, device=model.device)
            top, every, wanted = (torch.full(picture.shape[:2], -torch.inf, device=model.device) for _ in range(3))
            for one, layer in enumerate(outputs.logits[place]):
                values = in_picture(layer[None, None], inputs, shown, picture)[0, 0]
                best[values > top] = one
                top, every = torch.maximum(top, values), torch.logaddexp(every, values)
                wanted = torch.logaddexp(wanted, values) if one in classes else wanted
            yield number, best, (wanted - every).exp()


def shown_size(inputs: dict, place: int) -> tuple[int, int]:
    """Height and width of what a picture fills of its input; the rest is padding, right and below."""
    if "pixel_mask" not in inputs:
        return tuple(inputs["pixel_values"].shape[-2:])
    mask = inputs["pixel_mask"][place]
    return int(mask.any(dim=1).sum()), int(mask.any(dim=0).sum())


def in_picture(logits: Any, inputs: dict, shown: tuple[int, int], picture: np.ndarray | Prepared):
    """(1, k, rows, columns) logits that cover an input, at the picture's height and width, bilinear."""
    from torch.nn.functional import interpolate

    whole = tuple(inputs["pixel_values"].shape[-2:])
    if shown != whole:
        logits = interpolate(logits, size=whole, mode="bilinear", align_corners=False)[..., : shown[0], : shown[1]]
    return interpolate(logits, size=picture.shape[:2], mode="bilinear", align_corners=False)
