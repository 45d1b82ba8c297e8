"""torchvision's detectors: without torchvision a clear error; with one of that shape, what it answers in our terms.

torchvision itself is not installed here (its wheels want another build of torch): a module stands in with its names,
arguments and answers, as its documentation states them.
"""

import sys
import types
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from accord import vocabularies
from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading

ADAPTER = "accord.evaluate.adapters.torchvision:Detector"


class StandIn(torch.nn.Module):
    """Finds a person in the left half, a dog, and a fainter person in the right half, with all that an R-CNN tells."""

    def __init__(self, classes: int, parts: bool):
        super().__init__()
        self.head = torch.nn.Linear(2, classes)
        self.parts, self.asked = parts, []
        self.roi_heads = types.SimpleNamespace(has_mask=lambda: parts)

    def forward(self, pictures: list[torch.Tensor]) -> list[dict]:
        self.asked.append(pictures)
        return [self.found(picture) for picture in pictures]

    def found(self, picture: torch.Tensor) -> dict:
        height, width = picture.shape[1:]
        half = width / 2
        boxes = [[0, 0, half, height], [0, 0, 5, 5], [half, 0, width, height], [1, 1, 2, 2]]
        found = {"boxes": torch.tensor(boxes), "labels": torch.tensor([1, 18, 1, 1])}
        found["scores"] = torch.tensor([0.6, 0.9, 0.8, 0.01])
        if self.parts:
            masks = torch.zeros(4, 1, height, width)
            masks[0, 0, :, : width // 2], masks[2, 0, :, width // 2 :] = 0.9, 0.7
            points = torch.arange(17.0)[None, :, None].repeat(4, 1, 3) + torch.tensor([0.0, 0, 100, 0])[:, None, None]
            found |= {"masks": masks, "keypoints": points, "keypoints_scores": torch.zeros(4, 17)}
        return found


@pytest.fixture
def torchvision(monkeypatch):
    detection = types.ModuleType("torchvision.models.detection")

    def maskrcnn_resnet50_fpn(*, weights, weights_backbone, num_classes):
        assert weights is weights_backbone is None
        return StandIn(num_classes, parts=True)

    def fasterrcnn_resnet50_fpn(*, weights, weights_backbone, num_classes):
        return StandIn(num_classes, parts=False)

    detection.maskrcnn_resnet50_fpn = maskrcnn_resnet50_fpn
    detection.fasterrcnn_resnet50_fpn = fasterrcnn_resnet50_fpn
    models = types.ModuleType("torchvision.models")
    models.detection = detection
    parts = {"torchvision": types.ModuleType("torchvision"), "torchvision.models": models}
    for name, module in {**parts, "torchvision.models.detection": detection}.items():
        monkeypatch.setitem(sys.modules, name, module)


def load(folder: Path, method: str, classes: int = 91, **options):
    save_file({"head.weight": torch.zeros(classes, 2), "head.bias": torch.zeros(classes)}, folder / "net.safetensors")
    files = {"net": {"path": "net.safetensors", "sha256": provenance.sha256(folder / "net.safetensors")}}
    options = {"network": "maskrcnn_resnet50_fpn", **options}
    entry = {"name": "m", "task": "person_localization", "adapter": ADAPTER, "weights": files, "options": options}
    return loading.load(entry, folder, method)


PICTURE = np.full((40, 60, 3), 51, np.uint8)


@pytest.mark.skipif(find_spec("torchvision") is not None, reason="torchvision is installed here")
def test_without_torchvision_the_error_says_what_to_do(tmp_path):
    with pytest.raises(
        AccordError, match=r"torchvision: can't be imported .*\n    hint: install the extra `torchvision`"
    ):
        load(tmp_path, "detect")


def test_boxes_of_people_best_first(torchvision, tmp_path):
    detector = load(tmp_path, "detect", network="fasterrcnn_resnet50_fpn")
    [found] = detector.detect([PICTURE])
    np.testing.assert_array_equal(found.boxes, [[30, 0, 60, 40], [0, 0, 30, 40]])
    np.testing.assert_allclose(found.scores, [0.8, 0.6])
    [[seen]] = detector._net.asked
    assert seen.shape == (3, 40, 60)
    assert torch.allclose(seen, torch.tensor(0.2))


def test_pictures_of_one_size_go_together_but_not_those_of_a_network_with_masks(torchvision, tmp_path):
    wide, tall = PICTURE, np.full((60, 40, 3), 204, np.uint8)
    detector = load(tmp_path, "detect", network="fasterrcnn_resnet50_fpn")
    found = detector.detect([wide, tall, wide])
    assert [[float(one.mean()) for one in some] for some in detector._net.asked] == [
        pytest.approx([0.2, 0.2]), pytest.approx([0.8])
    ]  # fmt: skip
    for picture, boxes in zip([wide, tall, wide], found, strict=True):
        [alone] = detector.detect([picture])
        np.testing.assert_array_equal(alone.boxes, boxes.boxes)
    with_masks = load(tmp_path, "parse")
    assert len(with_masks.parse([wide, tall, wide])) == 3
    assert [len(some) for some in with_masks._net.asked] == [1, 1, 1]


def test_masks_go_with_their_scores(torchvision, tmp_path):
    [masks] = load(tmp_path, "parse").parse([PICTURE])
    assert [round(mask.score, 3) for mask in masks] == [0.8, 0.6]
    assert masks[0].mask[:, 30:].all()
    assert not masks[0].mask[:, :30].any()
    assert masks[1].mask.sum() == 40 * 30


def test_keypoints_are_those_of_the_person_in_the_box(torchvision, tmp_path):
    estimator = load(tmp_path, "estimate")
    boxes = [np.array([2, 2, 30, 38]), np.array([31, 0, 59, 40]), np.array([55, 35, 60, 40])]
    left, right, nobody = estimator.estimate([PICTURE] * 3, boxes)
    assert len(estimator._net.asked) == 1
    ankle = int(np.flatnonzero(left.keypoints == vocabularies.KEYPOINTS.index("27. Right ankle"))[0])
    np.testing.assert_array_equal(left.points[ankle], [16, 16])
    np.testing.assert_array_equal(right.points[ankle], [116, 116])
    np.testing.assert_allclose(left.scores, 0.5)
    assert len(nobody.keypoints) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"network": "yolo"}, "option network: torchvision has no yolo"),
        ({"network": "__name__"}, "option network: torchvision has no __name__"),
        ({"classes": 3}, r"net\.safetensors: lacks 2 of 2 tensors of the network, or has other shapes"),
    ],
)
def test_what_does_not_fit_is_told(torchvision, tmp_path, options, message):
    save_file({"head.weight": torch.zeros(91, 2)}, tmp_path / "net.safetensors")
    with pytest.raises(AccordError, match=message):
        loaded = {"network": "maskrcnn_resnet50_fpn", **options}
        files = {"net": {"path": "net.safetensors", "sha256": provenance.sha256(tmp_path / "net.safetensors")}}
        entry = {"name": "m", "task": "person_localization", "adapter": ADAPTER, "weights": files, "options": loaded}
        loading.load(entry, tmp_path, "detect")


def test_a_network_without_masks_says_so(torchvision, tmp_path):
    with pytest.raises(AccordError, match="option network: returns no masks"):
        load(tmp_path, "parse", network="fasterrcnn_resnet50_fpn").parse([PICTURE])
