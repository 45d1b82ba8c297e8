"""Detectors of torchvision: Faster R-CNN, Mask R-CNN, Keypoint R-CNN, RetinaNet, FCOS, SSD.

torchvision is an optional extra: it has to fit the build of torch that is installed (docs/models.md says how). Weights:
`net`, a checkpoint of plain tensors as torchvision publishes it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.blazepose import nobody
from accord.models.adapters.declaring.geometry import overlaps
from accord.models.adapters.declaring.keypoint_names import fhibe_numbers
from accord.models.adapters.declaring.shapes import alike
from accord.models.adapters.nets.litert import sigmoid
from accord.models.adapters.nets.torch_nets import device, dtype_of, fit, ready, settle, tensors
from accord.models.protocols import Boxes, Mask, Pose

HINT = "install the extra `torchvision`, built for the same torch; see docs/models.md"


class Detector:
    """Boxes (detect), masks (parse) or keypoints (estimate) of one class; on a GPU where there is one.

    network: the name of a function of torchvision.models.detection, as maskrcnn_resnet50_fpn_v2. classes: how many the
    checkpoint knows, the background too; person: the number of the one that counts. overlap: how much a box that is
    asked about must be covered by a person who is found, so that the keypoints are theirs.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], network: str, classes: int = 91, person: int = 1,
                 label: str = "person", min_score: float = 0.05, overlap: float = 0.3) -> None:  # fmt: skip
        try:
            from torchvision.models import detection
        except (ImportError, RuntimeError) as error:
            # A torchvision of another build than torch raises RuntimeError.
            raise AccordError(Problem("torchvision", f"can't be imported ({error})", HINT)) from None
        settle()
        make = getattr(detection, network, None) if network.isidentifier() and not network.startswith("_") else None
        if not callable(make):
            hint = "examples: fasterrcnn_resnet50_fpn, maskrcnn_resnet50_fpn, keypointrcnn_resnet50_fpn"
            raise AccordError(Problem("option network", f"torchvision has no {network}", hint))
        net = make(weights=None, weights_backbone=None, num_classes=classes)
        self._device = device()
        fitted = fit(net, tensors(weights["net"]), weights["net"].name)
        self._net = ready(fitted, self._device, dtype_of("float32"))
        # A network of masks gives up to 100 of a picture, in its size, float32: those of a batch would fill a GPU.
        heads = getattr(net, "roi_heads", None)
        self._alone = heads is not None and heads.has_mask()
        self._person, self._label, self._min_score, self._overlap = person, label, min_score, overlap
        self._numbers = fhibe_numbers()

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        found = self._found(pictures)
        return [Boxes(one["boxes"], one["scores"], [self._label] * len(one["scores"])) for one in found]

    def parse(self, pictures: Sequence[np.ndarray]) -> list[list[Mask]]:
        return [
            [
                Mask(mask.reshape(mask.shape[-2:]) > 0.5, float(score), self._label)
                for mask, score in zip(self._part(one, "masks"), one["scores"], strict=True)
            ]
            for one in self._found(pictures)
        ]

    def estimate(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> list[Pose]:
        # All people of a picture are asked about with the same array.
        different = {id(picture): picture for picture in pictures}
        seen = dict(zip(different, self._found(list(different.values())), strict=True))
        pairs = zip(pictures, boxes, strict=True)
        return [self._pose(seen[id(picture)], np.asarray(box, dtype=np.float64)) for picture, box in pairs]

    def _found(self, pictures: Sequence[np.ndarray]) -> list[dict[str, np.ndarray]]:
        """What is found of the class in each picture. Those of one size go together: none is padded to another's."""
        import torch

        found: dict[int, dict] = {}
        groups = alike([picture.shape for picture in pictures])
        for numbers in [[one] for group in groups for one in group] if self._alone else groups:
            with torch.inference_mode():
                told = self._net([self._pixels(pictures[number]) for number in numbers])
            found |= {number: self._mine(one) for number, one in zip(numbers, told, strict=True)}
        return [found[number] for number in range(len(pictures))]

    def _pixels(self, picture: np.ndarray) -> Any:
        """(3, height, width) float32 in [0, 1]; the network resizes and normalises."""
        import torch

        return torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1))).to(self._device).float() / 255

    def _mine(self, found: dict[str, Any]) -> dict[str, np.ndarray]:
        """What is found of the class in a picture, best first, one row each."""
        mine = (found["labels"] == self._person) & (found["scores"] >= self._min_score)
        order = found["scores"][mine].argsort(descending=True, stable=True)
        parts = {name: value[mine][order].cpu().numpy() for name, value in found.items()}
        return {**parts, **{name: parts[name].astype(np.float64) for name in ("boxes", "scores")}}

    def _part(self, found: dict[str, np.ndarray], name: str) -> np.ndarray:
        if name not in found:
            raise AccordError(Problem("option network", f"returns no {name}", "choose a network that does"))
        return found[name]

    def _pose(self, found: dict[str, np.ndarray], box: np.ndarray) -> Pose:
        points = self._part(found, "keypoints")
        if not len(points):
            return nobody()
        shared = overlaps(box, found["boxes"])
        best = int(np.argmax(shared))
        if shared[best] < self._overlap:
            return nobody()
        order = np.argsort(self._numbers)
        places = points[best, :, :2].astype(np.float64)[order]
        return Pose(self._numbers[order], places, sigmoid(self._part(found, "keypoints_scores")[best])[order])
