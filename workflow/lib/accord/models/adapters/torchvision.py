"""Detectors of torchvision: Faster R-CNN, Mask R-CNN, Keypoint R-CNN, RetinaNet, FCOS, SSD.

torchvision is an optional extra: it has to fit the build of torch that is installed (docs/models.md says how). Weights:
`net`, a checkpoint of plain tensors as torchvision publishes it.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.blazepose import nobody
from accord.models.adapters.declaring.geometry import overlaps
from accord.models.adapters.declaring.keypoint_names import fhibe_numbers
from accord.models.adapters.nets.litert import sigmoid
from accord.models.adapters.nets.torch_nets import device, fit, settle, tensors
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
        self._net = fit(net, tensors(weights["net"]), weights["net"].name).to(self._device)
        self._person, self._label, self._min_score, self._overlap = person, label, min_score, overlap
        self._numbers = fhibe_numbers()

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        found = [self._found(picture) for picture in pictures]
        return [Boxes(one["boxes"], one["scores"], [self._label] * len(one["scores"])) for one in found]

    def parse(self, pictures: Sequence[np.ndarray]) -> list[list[Mask]]:
        return [
            [
                Mask(mask.reshape(mask.shape[-2:]) > 0.5, float(score), self._label)
                for mask, score in zip(self._part(one, "masks"), one["scores"], strict=True)
            ]
            for one in map(self._found, pictures)
        ]

    def estimate(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> list[Pose]:
        seen: dict[int, dict] = {}
        poses = []
        for picture, box in zip(pictures, boxes, strict=True):
            # People of one picture are asked about one after another, with the same array.
            if id(picture) not in seen:
                seen[id(picture)] = self._found(picture)
            poses.append(self._pose(seen[id(picture)], np.asarray(box, dtype=np.float64)))
        return poses

    def _found(self, picture: np.ndarray) -> dict[str, np.ndarray]:
        """What is found of the class in a picture, best first, one row each."""
        import torch

        values = torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1))).to(self._device).float() / 255
        with torch.inference_mode():
            [found] = self._net([values])
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
