"""Transformers' detectors, small ones built from configurations: loading, mapping back, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
import torch

from accord import provenance
from accord.errors import AccordError
from accord.evaluate import loading


def detr():
    from transformers import DetrConfig, ResNetConfig

    sizes = {"embedding_size": 8, "hidden_sizes": [8, 8], "depths": [1, 1], "out_features": ["stage2"]}
    backbone = ResNetConfig(**sizes, layer_type="basic")
    small = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "num_queries": 7}
    return DetrConfig(use_timm_backbone=False, backbone_config=backbone, backbone=None, **small, **heads)


def yolos():
    from transformers import YolosConfig

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    return YolosConfig(**sizes, image_size=[64, 96], num_detection_tokens=7, use_mid_position_embeddings=False)


FAMILIES = {"detr": (detr, "DetrImageProcessorPil"), "yolos": (yolos, "YolosImageProcessorPil")}


@pytest.fixture(params=FAMILIES)
def saved(request, tmp_path: Path) -> dict:
    """The entry of a small model with random weights, saved as the hub keeps models."""
    import transformers

    config, processor = FAMILIES[request.param]
    torch.manual_seed(1)
    made = config()
    made.id2label = {0: "cat", 1: "Person"}
    made.label2id = {"cat": 0, "Person": 1}
    net = transformers.AutoModelForObjectDetection.from_config(made)
    [bias] = [value for name, value in net.named_parameters() if "class" in name and value.shape == (3,)]
    with torch.no_grad():
        bias[1] += 5  # so that the network takes everything for a person
    net.save_pretrained(tmp_path)
    size = {"shortest_edge": 64, "longest_edge": 96}
    getattr(transformers, processor)(size=size).save_pretrained(tmp_path)
    names = {"config": "config.json", "processor": "preprocessor_config.json", "model": "model.safetensors"}
    files = {key: {"path": path, "sha256": provenance.sha256(tmp_path / path)} for key, path in names.items()}
    adapter = "accord.evaluate.adapters.transformers:Detector"
    options = {"min_score": 0.0}
    entry = {"name": "small", "task": "person_localization", "adapter": adapter, "batch": 2}
    return {**entry, "weights": files, "options": options}


def test_boxes_are_those_of_the_saved_network_in_px_of_each_picture(saved, tmp_path):
    pictures = [np.full((80, 120, 3), 60, np.uint8), np.full((200, 100, 3), 190, np.uint8)]
    detector = loading.load(saved, tmp_path, "detect")
    found = detector.detect(pictures)
    again = loading.load(saved, tmp_path, "detect").detect(pictures)
    for picture, boxes, same in zip(pictures, found, again, strict=True):
        assert boxes.labels == ["person"] * 7
        assert (boxes.scores > 0.8).all()
        np.testing.assert_array_equal(boxes.boxes, same.boxes)
        centres = (boxes.boxes[:, :2] + boxes.boxes[:, 2:]) / 2
        assert (centres >= 0).all()
        assert (centres <= (picture.shape[1], picture.shape[0])).all()
    # The same network, asked as transformers' documentation asks it.
    from transformers import AutoImageProcessor, AutoModelForObjectDetection

    processor = AutoImageProcessor.from_pretrained(tmp_path)
    net = AutoModelForObjectDetection.from_pretrained(tmp_path).eval()
    with torch.inference_mode():
        out = net(**processor(images=pictures, return_tensors="pt"))
    x, y, width, height = (out.pred_boxes[1] * torch.tensor([100, 200, 100, 200])).T
    expected = torch.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], dim=1)
    np.testing.assert_allclose(found[1].boxes, expected, atol=1e-3)


def test_only_boxes_of_the_class_and_above_the_score_count(saved, tmp_path):
    pictures = [np.full((80, 120, 3), 60, np.uint8)]
    for options in ({"label": "cat", "min_score": 0.0}, {"min_score": 0.9999}):
        [found] = loading.load({**saved, "options": options}, tmp_path, "detect").detect(pictures)
        assert found.boxes.shape == (0, 4)


def test_an_unknown_class_is_told(saved, tmp_path):
    with pytest.raises(
        AccordError, match="option label: dog: the model has no such class\n    hint: it has Person, cat"
    ):
        loading.load({**saved, "options": {"label": "dog"}}, tmp_path, "detect")
