"""Networks of the transformers library, small ones built from configurations: saved as the hub keeps models, and loaded
by the ordinary path; held against what transformers' documentation does with them."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf
from safetensors.torch import load_file, save_file
from tiny_nets import (
    DETECTORS,
    LIMITS,
    SMALL,
    SWIN,
    TINY,
    entry,
    named,
    owlv2,
    save,
    segformer,
)

from accord import vocabularies
from accord.errors import AccordError
from accord.models import loading
from accord.models.adapters.nets import transformers_backbones as backbones


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    """Two of one size, and one upright."""
    rng = np.random.default_rng(3)
    return [rng.integers(0, 256, size, dtype=np.uint8) for size in ((80, 120, 3), (80, 120, 3), (200, 100, 3))]


@pytest.fixture(scope="module", params=DETECTORS)
def detector(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("detector")
    config, processor, settings = DETECTORS[request.param]
    save(folder, hf.AutoModelForObjectDetection, named(config(), "cat", "Person"), processor, **settings)
    return folder


def test_boxes_are_those_of_the_saved_network_in_px_of_each_picture(detector, pictures):
    told = entry(detector, "transformers:Detector", "person_localization", min_score=0.0)
    found = loading.load(told, detector, "detect").detect(pictures)
    processor = hf.AutoImageProcessor.from_pretrained(detector)
    net = hf.AutoModelForObjectDetection.from_pretrained(detector).eval()
    for picture, boxes in zip(pictures, found, strict=True):
        assert set(boxes.labels) == {"person"}
        with torch.inference_mode():
            out = net(**processor(images=[picture], return_tensors="pt"))
        x, y, width, height = (out.pred_boxes[0].double() * torch.tensor([*picture.shape[1::-1]] * 2)).T
        expected = torch.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], dim=1).numpy()
        for box in boxes.boxes:
            assert np.abs(expected - box).max(axis=1).min() < 0.01


def test_an_answer_depends_on_nothing_but_its_picture(detector, pictures):
    told = entry(detector, "transformers:Detector", "person_localization", min_score=0.0)
    loaded = loading.load(told, detector, "detect")
    together = loaded.detect(pictures)
    for picture, boxes in zip(pictures, together, strict=True):
        [alone] = loaded.detect([picture])
        np.testing.assert_allclose(alone.scores, boxes.scores, atol=1e-5)
        np.testing.assert_allclose(alone.boxes, boxes.boxes, atol=0.01)


@pytest.fixture(scope="module")
def yolos_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("yolos")
    config, processor, settings = DETECTORS["yolos"]
    save(folder, hf.AutoModelForObjectDetection, named(config(), "cat", "Person"), processor, **settings)
    return folder


def test_bfloat16_tells_much_the_same(yolos_folder, pictures):
    told = entry(yolos_folder, "transformers:Detector", "person_localization", min_score=0.0)
    less = {**told, "options": {"min_score": 0.0, "precision": "bfloat16"}}
    exact, found = (loading.load(one, yolos_folder, "detect").detect(pictures) for one in (told, less))
    for one, other in zip(exact, found, strict=True):
        assert len(one.scores) == len(other.scores) == 7
        np.testing.assert_allclose(np.sort(one.scores), np.sort(other.scores), atol=0.02)
        assert (one.scores != other.scores).any()


def test_only_boxes_of_the_class_and_above_the_score_count(yolos_folder, pictures):
    told = entry(yolos_folder, "transformers:Detector", "person_localization", min_score=0.9999)
    assert loading.load(told, yolos_folder, "detect").detect(pictures[:1])[0].boxes.shape == (0, 4)
    with pytest.raises(
        AccordError, match="option label: dog: the model has no such class\n    hint: it has Person, cat"
    ):
        loading.load({**told, "options": {"label": "dog"}}, yolos_folder, "detect")


def test_files_that_are_not_listed_are_not_read(yolos_folder, tmp_path, pictures):
    """A processor beside the listed ones would come first; code beside them would want to run."""
    for path in yolos_folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    told = entry(tmp_path, "transformers:Detector", "person_localization", min_score=0.0)
    expected = loading.load(told, tmp_path, "detect").detect(pictures[:1])[0].boxes
    (tmp_path / "processor_config.json").write_text(
        '{"image_processor": {"image_processor_type": "ViTImageProcessor"}}'
    )
    (tmp_path / "generation_config.json").write_text("no JSON")
    np.testing.assert_array_equal(loading.load(told, tmp_path, "detect").detect(pictures[:1])[0].boxes, expected)


def test_a_repository_that_wants_to_run_its_code_and_weights_that_do_not_fit_are_refused(yolos_folder, tmp_path):
    for path in yolos_folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    foreign = {**config, "model_type": "foreign", "auto_map": {"AutoConfig": "foreign.Config"}}
    (tmp_path / "config.json").write_text(json.dumps(foreign))
    (tmp_path / "foreign.py").write_text("raise SystemExit('ran')")
    told = entry(tmp_path, "transformers:Detector", "person_localization")
    with pytest.raises(AccordError, match=r"config\.json: can't be loaded by transformers"):
        loading.load(told, tmp_path, "detect")
    (tmp_path / "foreign.py").unlink()
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(AccordError, match=r"config\.json: describes a yolos, which does not fit this adapter"):
        loading.load(entry(tmp_path, "transformers_masks:Regions", "person_parsing"), tmp_path, "parse")
    (tmp_path / "config.json").write_text(json.dumps({**config, "hidden_size": 32}))
    with pytest.raises(AccordError, match=r"config\.json: can't be loaded by transformers \(.*mismatch"):
        loading.load(entry(tmp_path, "transformers:Detector", "person_localization"), tmp_path, "detect")
    (tmp_path / "config.json").write_text(json.dumps(config))
    state = load_file(tmp_path / "model.safetensors")
    state.pop(next(name for name in state if "class" in name))
    save_file(state, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(AccordError, match=r"model\.safetensors: lacks 1 tensors of the network"):
        loading.load(entry(tmp_path, "transformers:Detector", "person_localization"), tmp_path, "detect")


def test_masks_are_the_queries_of_the_class_on_their_pictures(tmp_path, pictures):
    seeing = hf.SwinConfig(**SWIN, out_features=["stage1", "stage2", "stage3", "stage4"])
    sizes = {"feature_size": 32, "mask_feature_size": 32, "hidden_dim": 32, "encoder_feedforward_dim": 16}
    sizes |= {
        "encoder_layers": 1,
        "decoder_layers": 2,
        "num_attention_heads": 2,
        "dim_feedforward": 16,
        "num_queries": 5,
    }
    config = named(hf.Mask2FormerConfig(backbone_config=seeing, **sizes), "person", "cat")
    pads = {"size": {"shortest_edge": 48, "longest_edge": 64}, "pad_size": {"height": 96, "width": 80}}
    save(tmp_path, hf.AutoModelForUniversalSegmentation, config, "Mask2FormerImageProcessorPil", **pads)
    told = entry(tmp_path, "transformers_masks:Instances", "person_parsing", min_score=0.0)
    loaded = loading.load(told, tmp_path, "parse")
    found = loaded.parse(pictures)
    assert any(found)
    processor = hf.AutoImageProcessor.from_pretrained(tmp_path)
    net = hf.AutoModelForUniversalSegmentation.from_pretrained(tmp_path).eval()
    for picture, masks in zip(pictures, found, strict=True):
        inputs = processor(images=[picture], return_tensors="pt")
        with torch.inference_mode():
            out = net(pixel_values=inputs["pixel_values"], pixel_mask=inputs["pixel_mask"])
        chance = out.class_queries_logits[0].softmax(-1)[:, 0]
        assert [mask.score for mask in masks] == sorted((mask.score for mask in masks), reverse=True)
        height, width = (int(n) for n in (inputs["pixel_mask"][0].any(1).sum(), inputs["pixel_mask"][0].any(0).sum()))
        assert (height, width) != tuple(inputs["pixel_values"].shape[-2:])
        layers = hf.image_utils.to_numpy_array(out.masks_queries_logits[0])
        scores = []
        for query, layer in enumerate(layers):
            whole = torch.nn.functional.interpolate(
                torch.tensor(layer)[None, None], inputs["pixel_values"].shape[-2:], mode="bilinear"
            )[..., :height, :width]
            [[mask]] = torch.nn.functional.interpolate(whole, picture.shape[:2], mode="bilinear").sigmoid()
            if (mask > 0.5).any():
                scores.append(float(chance[query] * mask[mask > 0.5].mean()))
                same = [one.mask for one in masks if abs(one.score - scores[-1]) < 1e-5]
                assert any(np.array_equal(one, mask.numpy() > 0.5) for one in same)
        assert len(scores) == len(masks)


def asked(folder: Path, picture: np.ndarray) -> torch.Tensor:
    """(classes, height, width) logits, as transformers' documentation makes them."""
    processor = hf.AutoImageProcessor.from_pretrained(folder)
    net = hf.AutoModelForSemanticSegmentation.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = net(**processor(images=[picture], return_tensors="pt")).logits
    return torch.nn.functional.interpolate(logits, picture.shape[:2], mode="bilinear", align_corners=False)[0]


def test_regions_of_people_are_the_pixels_of_their_classes(tmp_path, pictures):
    segformer(tmp_path, "wall", "Person", "sky", "hair")
    told = entry(tmp_path, "transformers_masks:Regions", "person_parsing", labels=["person", "hair"])
    found = loading.load(told, tmp_path, "parse").parse(pictures)
    for picture, masks in zip(pictures, found, strict=True):
        logits = asked(tmp_path, picture)
        mask = torch.isin(logits.argmax(0), torch.tensor([1, 3]))
        [one] = masks
        np.testing.assert_array_equal(one.mask, mask.numpy())
        assert one.score == pytest.approx(float(logits.softmax(0)[[1, 3]].sum(0)[mask].mean()), abs=1e-5)


def test_labels_of_faces_go_by_name(tmp_path, pictures):
    segformer(tmp_path, "hair", "background", "nose", "cloth")
    told = entry(tmp_path, "transformers_masks:FaceRegions", "face_parsing")
    found = loading.load(told, tmp_path, "label").label(pictures)
    for picture, labels in zip(pictures, found, strict=True):
        np.testing.assert_array_equal(labels, np.array([13, 0, 2, 18])[asked(tmp_path, picture).argmax(0).numpy()])
        assert labels.dtype == np.uint8
    segformer(tmp_path, "background", "beard")
    told = entry(tmp_path, "transformers_masks:FaceRegions", "face_parsing")
    with pytest.raises(AccordError, match="has classes that CelebAMask-HQ doesn't have: beard"):
        loading.load(told, tmp_path, "label")


def test_keypoints_are_where_the_heatmaps_peak_in_each_box(tmp_path):
    """As in transformers' documentation; and worked out by hand for heatmaps of one peak."""
    seeing = {**TINY, "image_size": [64, 48], "patch_size": [16, 16], "out_features": ["stage1"]}
    config = hf.VitPoseConfig(backbone_config=hf.VitPoseBackboneConfig(**seeing, mlp_ratio=1), scale_factor=4)
    config.id2label = dict.fromkeys(range(17), "")
    processor = {"size": {"height": 64, "width": 48}}
    save(tmp_path, hf.AutoModelForPoseEstimation, config, "VitPoseImageProcessorPil", **processor)
    told = entry(tmp_path, "transformers_pose:PoseEstimator", "keypoint_estimation")
    loaded = loading.load(told, tmp_path, "estimate")
    rng = np.random.default_rng(7)
    pictures = [rng.integers(0, 256, size, dtype=np.uint8) for size in ((200, 300, 3), (300, 200, 3))]
    boxes = [np.array([100.0, 50, 148, 114]), np.array([10.0, 20, 58, 84])]
    found = loaded.estimate(pictures, boxes)
    assert [len(pose.keypoints) for pose in found] == [17, 17]
    names = [vocabularies.text(vocabularies.KEYPOINTS[number]) for number in found[0].keypoints]
    assert names[0] == "Nose"
    assert {"Left wrist", "Right ankle"} <= set(names)
    processor = hf.AutoImageProcessor.from_pretrained(tmp_path)
    net = hf.AutoModelForPoseEstimation.from_pretrained(tmp_path).eval()
    sides = [[[100.0, 50.0, 48.0, 64.0]], [[10.0, 20.0, 48.0, 64.0]]]
    with torch.inference_mode():
        out = net(**processor(images=pictures, boxes=sides, return_tensors="pt"))
    told = processor.post_process_pose_estimation(out, boxes=sides)
    for pose, [one] in zip(found, told, strict=True):
        np.testing.assert_allclose(np.sort(pose.points, axis=0), np.sort(one["keypoints"] + 0.5, axis=0), atol=1e-3)

    # ViTPose's flip_test: the mean with what is said to the mirror image, left and right exchanged, without a shift.
    with torch.inference_mode():
        inputs = processor(images=pictures, boxes=sides, return_tensors="pt")["pixel_values"]
        back = net(pixel_values=inputs.flip(-1)).heatmaps[:, [0, *(n + (1 if n % 2 else -1) for n in range(1, 17))]]
        out.heatmaps = (out.heatmaps + back.flip(-1)) / 2
    told = entry(tmp_path, "transformers_pose:PoseEstimator", "keypoint_estimation", mirrored=True)
    both = loading.load(told, tmp_path, "estimate").estimate(pictures, boxes)
    for pose, [one] in zip(both, processor.post_process_pose_estimation(out, boxes=sides), strict=True):
        np.testing.assert_allclose(np.sort(pose.points, axis=0), np.sort(one["keypoints"] + 0.5, axis=0), atol=1e-3)

    heat = np.full((1, 17, 16, 12), 1e-6, np.float32)
    heat[0, :, 8, 6] = 1
    loaded._model.net.forward = lambda **_: hf.utils.ModelOutput(heatmaps=torch.tensor(heat))
    [pose] = loaded.estimate(pictures[:1], boxes[:1])
    # The crop is 1.25 times the box around its middle, 124, 82: 60 x 80 px, over 11 and 15 steps from cell to cell.
    expected = np.array([124 - 30 + 60 * 6 / 11, 82 - 40 + 80 * 8 / 15]) + 0.5
    np.testing.assert_allclose(pose.points, [expected] * 17, atol=0.3)
    np.testing.assert_allclose(pose.scores, 1, atol=1e-5)


def test_what_grounding_dino_finds_is_in_px_of_the_picture(tmp_path, pictures):
    seeing = hf.SwinConfig(**SWIN, out_features=["stage2", "stage3", "stage4"])
    reading = hf.BertConfig(**TINY, vocab_size=16)
    sizes = {**SMALL, "d_model": 32, "decoder_layers": 2, "num_feature_levels": 4, "max_text_len": 16}
    config = hf.GroundingDinoConfig(backbone_config=seeing, text_config=reading, **sizes)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "a", "person", "human", "face"]
    tokens = hf.BertTokenizer(vocab={word: number for number, word in enumerate(words)}, model_max_length=16)
    images = hf.GroundingDinoImageProcessorPil(**LIMITS)
    hf.GroundingDinoProcessor(image_processor=images, tokenizer=tokens).save_pretrained(tmp_path)
    save(tmp_path, hf.AutoModelForZeroShotObjectDetection, config)
    told = entry(tmp_path, "transformers_prompted:Prompted", "person_localization", min_score=0.0)
    told["options"] |= {"prompts": ["a person", "a human face"], "overlap": 1.0}
    found = loading.load(told, tmp_path, "detect").detect(pictures)
    processor = hf.AutoProcessor.from_pretrained(tmp_path)
    net = hf.AutoModelForZeroShotObjectDetection.from_pretrained(tmp_path).eval()
    for picture, boxes in zip(pictures, found, strict=True):
        inputs = processor(images=[picture], text="a person. a human face.", return_tensors="pt")
        with torch.inference_mode():
            out = net(**inputs)
        scores = out.logits[0].sigmoid().max(dim=-1).values.sort(descending=True).values
        np.testing.assert_allclose(boxes.scores, scores, atol=1e-5)
        sides = torch.tensor([*picture.shape[1::-1]] * 2)
        x, y, width, height = (out.pred_boxes[0].double() * sides).T.numpy()
        expected = np.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], axis=1)
        expected = expected.clip(0, sides.numpy())
        for box in boxes.boxes:
            assert np.abs(expected - box).max(axis=1).min() < 0.01


def test_what_fits_a_prompt_is_found_in_px_of_the_picture(tmp_path, pictures):
    save(tmp_path, hf.AutoModelForZeroShotObjectDetection, owlv2(tmp_path))
    told = entry(tmp_path, "transformers_prompted:Prompted", "face_localization", label="face", min_score=0.0)
    told["options"] |= {"prompts": ["a person", "a human face"], "overlap": 1.0}
    found = loading.load(told, tmp_path, "detect").detect(pictures)
    processor = hf.AutoProcessor.from_pretrained(tmp_path)
    net = hf.AutoModelForZeroShotObjectDetection.from_pretrained(tmp_path).eval()
    for picture, boxes in zip(pictures, found, strict=True):
        inputs = processor(images=[picture], text=[["a person", "a human face"]], return_tensors="pt")
        with torch.inference_mode():
            out = net(**inputs)
        assert set(boxes.labels) == {"face"}
        scores = out.logits[0].max(dim=-1).values.sigmoid().sort(descending=True).values
        np.testing.assert_allclose(boxes.scores, scores, atol=1e-5)
        # OWLv2 sees a square that the picture fills from its corner.
        x, y, width, height = (out.pred_boxes[0].double() * max(picture.shape)).T.numpy()
        expected = np.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], axis=1)
        expected = expected.clip(0, [*picture.shape[1::-1]] * 2)
        for box in boxes.boxes:
            assert np.abs(expected - box).max(axis=1).min() < 0.01
    fewer = {**told, "options": {**told["options"], "overlap": 0.0}}
    assert len(loading.load(fewer, tmp_path, "detect").detect(pictures[:1])[0].scores) < len(found[0].scores)


class Block(torch.nn.Module):
    """A bottleneck of He et al. 2016 with torchvision's and timm's names; its stride is in the 3 x 3 convolution."""

    def __init__(self, before: int, after: int, stride: int):
        super().__init__()
        middle = after // 4
        self.conv1, self.bn1 = torch.nn.Conv2d(before, middle, 1, bias=False), torch.nn.BatchNorm2d(middle)
        self.conv2 = torch.nn.Conv2d(middle, middle, 3, stride, 1, bias=False)
        self.bn2, self.bn3 = torch.nn.BatchNorm2d(middle), torch.nn.BatchNorm2d(after)
        self.conv3 = torch.nn.Conv2d(middle, after, 1, bias=False)
        ends = torch.nn.Conv2d(before, after, 1, stride, bias=False), torch.nn.BatchNorm2d(after)
        self.downsample = torch.nn.Sequential(*ends) if before != after or stride != 1 else None

    def forward(self, x):
        found = self.bn1(self.conv1(x)).relu()
        found = self.bn3(self.conv3(self.bn2(self.conv2(found)).relu()))
        return (found + (x if self.downsample is None else self.downsample(x))).relu()


class ResNet(torch.nn.Module):
    """The stages of a small ResNet of two bottlenecks each."""

    def __init__(self, first: int, channels: tuple[int, ...]):
        super().__init__()
        self.conv1, self.bn1 = torch.nn.Conv2d(3, first, 7, 2, 3, bias=False), torch.nn.BatchNorm2d(first)
        for number, (before, after) in enumerate(zip((first, *channels), channels, strict=False), 1):
            stage = torch.nn.Sequential(Block(before, after, 1 if number == 1 else 2), Block(after, after, 1))
            setattr(self, f"layer{number}", stage)

    def forward(self, x):
        x = torch.nn.functional.max_pool2d(self.bn1(self.conv1(x)).relu(), 3, 2, 1)
        return [x := getattr(self, f"layer{number}")(x) for number in range(1, 5)]


def scattered(net: torch.nn.Module) -> torch.nn.Module:
    """A network whose tensors are all different, also those of its batch norms."""
    torch.manual_seed(4)
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if "running_var" in name:
                value.uniform_(0.5, 2)
            elif value.is_floating_point():
                value.copy_(torch.randn_like(value) * (value[0].numel() ** -0.5 if value.ndim > 1 else 0.3))
    return net.eval()


def test_a_resnet_of_timms_gives_the_same_feature_maps_on_transformers_own():
    old, channels = scattered(ResNet(8, (16, 32, 64, 128))), [16, 32, 64, 128]
    sizes = {"embedding_size": 8, "hidden_sizes": channels, "depths": [2] * 4}
    new = hf.AutoBackbone.from_config(hf.ResNetConfig(**sizes, out_features=[f"stage{n}" for n in range(1, 5)])).eval()
    state = {f"model.backbone.conv_encoder.model.{name}": value for name, value in old.state_dict().items()}
    found = {name.split(".model.")[1]: value for name, value in backbones.renamed(state, "model.safetensors").items()}
    assert set(found) == {name for name in new.state_dict() if "num_batches" not in name}
    new.load_state_dict(found, strict=False)
    picture = torch.randn(1, 3, 75, 102)
    with torch.inference_mode():
        for one, other in zip(old(picture), new(picture).feature_maps, strict=True):
            torch.testing.assert_close(other, one, atol=1e-5, rtol=0)


def old_names(name: str) -> str:
    """timm's name of a tensor of transformers' ResNet, in a checkpoint as the hub has it."""
    kinds = {"convolution": "conv", "normalization": "bn"}
    name = name.replace("backbone.model.", "backbone.conv_encoder.model.")
    name = name.replace("embedder.embedder.convolution", "conv1").replace("embedder.embedder.normalization", "bn1")
    if ".encoder.stages." not in name or "backbone" not in name:
        return name
    before, rest = name.split("encoder.stages.")
    stage, _, layer, *rest = rest.split(".")
    place = f"downsample.{int(rest[1] == 'normalization')}" if rest[0] == "shortcut" else ""
    place = place or f"{kinds[rest[2]]}{int(rest[1]) + 1}"
    return f"{before}layer{int(stage) + 1}.{layer}.{place}.{rest[-1]}"


def timms(folder: Path, kind: str) -> Path:
    """A small detector over timm's ResNet-18, saved as the hub has those of 2022; `own` beside it is the same."""
    config, processor, settings = DETECTORS[kind]
    made = named(config(), "cat", "Person")
    stages = ["stage2", "stage3"] if kind == "deformable" else ["stage4"]
    basic, channels, depths = backbones.RESNETS["resnet18"]
    sizes = {"hidden_sizes": list(channels), "depths": list(depths), "layer_type": basic}
    made.backbone_config = hf.ResNetConfig(embedding_size=64, **sizes, out_features=stages)
    save(folder / "own", hf.AutoModelForObjectDetection, made, processor, **settings)
    (folder / "old").mkdir()
    state = {old_names(name): value for name, value in load_file(folder / "own/model.safetensors").items()}
    save_file(state, folder / "old/model.safetensors", metadata={"format": "pt"})
    said = json.loads((folder / "own/config.json").read_text())
    asked = {"backbone": "resnet18", "backbone_config": None, "use_timm_backbone": True, "dilation": False}
    if kind == "deformable":
        indices = {"out_indices": [2, 3], "model_type": "timm_backbone", "backbone": "resnet18", "num_channels": 3}
        asked = {"backbone_config": indices}
    (folder / "old/config.json").write_text(json.dumps({**said, **asked}))
    processor = folder / "own/preprocessor_config.json"
    (folder / "old/preprocessor_config.json").write_bytes(processor.read_bytes())
    return folder / "old"


@pytest.mark.parametrize("kind", ["conditional", "deformable"])
def test_a_detector_over_timms_resnet_answers_the_same_without_timm(tmp_path, pictures, kind):
    old = timms(tmp_path, kind)
    entries = [
        (at, entry(at, "transformers:Detector", "person_localization", min_score=0.0)) for at in (old, tmp_path / "own")
    ]
    found, expected = (loading.load(told, at, "detect").detect(pictures) for at, told in entries)
    for one, other in zip(found, expected, strict=True):
        assert len(one.scores) > 0
        np.testing.assert_allclose(one.boxes, other.boxes, atol=1e-3)
        np.testing.assert_allclose(one.scores, other.scores, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state, at: state.pop(at + "layer2.0.conv1.weight"), "lacks 1 tensors of the network"),
        (
            lambda state, at: state.update({at + "layer3.5.conv1.weight": torch.ones(1)}),
            "has 1 that the network lacks",
        ),
        (
            lambda state, at: state.update({at + "stem.0.weight": torch.ones(1)}),
            "backbone that is not a timm ResNet",
        ),
    ],
)
def test_a_backbone_that_lacks_a_tensor_or_has_another_is_refused(tmp_path, change, message):
    old = timms(tmp_path, "conditional")
    state = load_file(old / "model.safetensors")
    change(state, "model.backbone.conv_encoder.model.")
    save_file(state, old / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(AccordError, match=message):
        loading.load(entry(old, "transformers:Detector", "person_localization"), old, "detect")


def test_a_picture_is_embedded_as_the_average_of_the_last_feature_map(tmp_path, pictures):
    """As FHIBE's authors prepared it: the whole picture in a square, z-scores by ImageNet's means and deviations."""
    from PIL import Image

    sizes = {"embedding_size": 8, "hidden_sizes": [8, 16, 16, 24], "depths": [1] * 4, "groups_width": 4}
    save(tmp_path, hf.AutoModel, hf.RegNetConfig(**sizes, layer_type="y"))
    loaded = loading.load(
        entry(tmp_path, "transformers_features:Embedder", "image_embedding", size=64), tmp_path, "embed"
    )
    found = loaded.embed(pictures)
    net = hf.AutoModel.from_pretrained(tmp_path).eval()
    for picture, vector in zip(pictures, found, strict=True):
        small = np.asarray(Image.fromarray(picture).resize((64, 64), Image.Resampling.BILINEAR)) / 255
        shown = torch.tensor((small - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]).float().permute(2, 0, 1)
        with torch.inference_mode():
            expected = net(shown[None]).last_hidden_state[0].mean(dim=(1, 2))
        assert vector.shape == (24,)
        np.testing.assert_allclose(vector, expected, atol=1e-5)
    np.testing.assert_allclose(loaded.embed(pictures[1:2]), found[1:2], atol=1e-5)
    assert loaded.embed([]) == []
    with pytest.raises(AccordError, match="option size: must be a whole number of pixels, not 0"):
        loading.load(entry(tmp_path, "transformers_features:Embedder", "image_embedding", size=0), tmp_path, "embed")
