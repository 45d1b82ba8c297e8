"""Weights that detectors begin with: checkpoints under published names, what doesn't fit, what is learnt of them."""

import pickle
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import nn

from accord.errors import AccordError
from accord.train.detectors import catalogue
from accord.train.pretrained import loading
from published_xception import PublishedXception

SIDE = 64
CLIP = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "image_size": SIDE, "patch_size": 16, "projection_dim": 8}  # fmt: skip
VIT = {key: value for key, value in CLIP.items() if key != "projection_dim"}
EFFICIENT = {"width_coefficient": 0.1, "depth_coefficient": 0.1, "hidden_dim": 128}
TEXT = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 9,
        "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}  # fmt: skip
WIDTH = 1 / 16
ON_XCEPTION = ("Xception", "F3Net", "SPSL", "SRM", "UCF", "PG-FDD", "CORE")
MORE = {"F3Net": {"side": SIDE}, "UCF": {"methods": 2}, "PG-FDD": {"methods": 2, "groups": [2, 2]}}


def drawn(net: nn.Module) -> nn.Module:
    """A network in which no two tensors are alike: batch norms have statistics of their own too."""
    torch.manual_seed(7)
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            for tensor in (part.weight.data, part.bias.data, part.running_mean, part.running_var):
                tensor.copy_(torch.rand_like(tensor) + 0.5)
    return net.eval()


def pixels() -> torch.Tensor:
    torch.manual_seed(3)
    return torch.rand(2, 3, SIDE, SIDE) * 2 - 1


def saved(net: nn.Module, path: Path) -> Path:
    save_file({name: tensor.contiguous() for name, tensor in net.state_dict().items()}, path)
    return path


def begun(name: str, path: Path, **options) -> nn.Module:
    net = catalogue.build(name, **options)
    loading.begin(net, path, "some")
    return net.eval()


def clip(folder: Path) -> tuple[nn.Module, Path]:
    """A whole CLIP, and the file that the library saves of it."""
    config = transformers.CLIPConfig(vision_config=CLIP, text_config=TEXT, projection_dim=CLIP["projection_dim"])
    return kept(transformers.CLIPModel(config), folder)


def kept(net, folder: Path) -> tuple[nn.Module, Path]:
    drawn(net).save_pretrained(folder)
    return net, folder / "model.safetensors"


def test_features_are_those_of_the_published_xception(tmp_path):
    theirs = drawn(PublishedXception(WIDTH))
    ours = begun("Xception", saved(theirs, tmp_path / "x.safetensors"), width=WIDTH)
    torch.testing.assert_close(ours.features(pixels()), theirs(pixels()))


def test_an_xception_of_its_first_file_has_matrices_for_pointwise_convolutions_and_counts_no_batches(tmp_path):
    theirs, path = drawn(PublishedXception(WIDTH)), tmp_path / "x.pth"
    state = {k: v for k, v in theirs.state_dict().items() if "num_batches" not in k}
    torch.save({k: v[:, :, 0, 0] if "pointwise" in k else v for k, v in state.items()}, path)
    torch.testing.assert_close(begun("Xception", path, width=WIDTH).features(pixels()), theirs(pixels()))


@pytest.mark.parametrize("name", ON_XCEPTION)
def test_each_xception_within_a_detector_begins_with_the_weights(name, tmp_path):
    theirs = drawn(PublishedXception(WIDTH))
    net = begun(name, saved(theirs, tmp_path / "x.safetensors"), width=WIDTH, **MORE.get(name, {}))
    filters = theirs.conv1.weight
    first = {"F3Net": torch.cat([filters / 4] * 4, 1), "SPSL": filters.mean(1, keepdim=True).expand(-1, 4, -1, -1)}
    parts = [part for part in net.modules() if hasattr(part, "first_filters")]
    assert len(parts) == {"SRM": 2, "UCF": 2, "PG-FDD": 3}.get(name, 1)
    for part in parts:
        torch.testing.assert_close(part.entry[0].weight, first.get(name, filters))
        if part.entry[0].in_channels == 3:
            torch.testing.assert_close(part.middle(part.entry(pixels())), theirs.before_exit(pixels()))


def test_features_are_those_of_the_library_for_the_same_weights(tmp_path):
    whole, path = clip(tmp_path / "clip")
    found = whole.get_image_features(pixel_values=pixels())
    found = getattr(found, "pooler_output", found)
    torch.testing.assert_close(begun("UnivFD", path, **CLIP).features(pixels()), found)
    vit, path = kept(transformers.ViTForImageClassification(transformers.ViTConfig(**VIT)), tmp_path / "vit")
    found = vit.vit(pixel_values=pixels()).last_hidden_state[:, 0]
    torch.testing.assert_close(begun("ViT-B/16", path, **VIT).features(pixels()), found)
    assert "vit.encoder.layer.0.attention.attention.query.weight" in load_file(path)  # the hub's names, not today's
    config = transformers.EfficientNetConfig(**EFFICIENT)
    net, path = kept(transformers.EfficientNetForImageClassification(config), tmp_path / "efficient")
    found = net.efficientnet(pixel_values=pixels()).pooler_output
    torch.testing.assert_close(begun("EfficientB4", path, **EFFICIENT).features(pixels()), found.flatten(1))


@pytest.mark.parametrize("name", ["Xception", "UnivFD"])
def test_all_that_does_not_fit_is_told_at_once(name, tmp_path):
    """A tensor that is missing, one of another shape, one that there is no place for."""
    if name == "Xception":
        state, options = drawn(PublishedXception(WIDTH)).state_dict(), {"width": WIDTH}
        gone, wrong, odd = "block3.rep.1.pointwise.weight", "bn4.weight", "block13.skip.weight"
    else:
        state, options = load_file(clip(tmp_path / "clip")[1]), CLIP
        gone, wrong = "vision_model.post_layernorm.bias", "visual_projection.weight"
        odd = "vision_model.encoder.layers.2.mlp.fc1.bias"
    state = {key: value for key, value in state.items() if key != gone}
    state |= {wrong: torch.zeros(3), odd: torch.zeros(3)}
    save_file(state, tmp_path / "x.safetensors")
    net = catalogue.build(name, **options)
    before = {key: value.clone() for key, value in net.state_dict().items()}
    with pytest.raises(AccordError) as caught:
        loading.begin(net, tmp_path / "x.safetensors", "some")
    said = (
        f"it lacks 1 of its tensors ({gone}), has 1 in other shapes ({wrong}), has 1 that it has no place for ({odd})"
    )
    assert "weights some: x.safetensors does not fit" in str(caught.value) and said in str(caught.value)
    assert all(torch.equal(before[key], value) for key, value in net.state_dict().items())


def test_weights_of_another_network_or_of_no_network_at_all_are_refused(tmp_path):
    path = saved(PublishedXception(WIDTH), tmp_path / "x.safetensors")
    with pytest.raises(AccordError, match=r"lacks \d+ of its tensors .* no place for"):
        begun("ViT-B/16", path, **VIT)
    with pytest.raises(AccordError, match=r"does not fit Xception: it lacks .* no place for"):
        begun("Xception", saved(PublishedXception(WIDTH, 2), path), width=WIDTH, middle=1)
    with pytest.raises(AccordError, match="Linear can't begin with weights"):
        loading.begin(nn.Linear(1, 1), path, "some")
    path.write_bytes(b"\xff" * 64)
    with pytest.raises(AccordError, match=r"x\.safetensors: is not a plain tensor checkpoint"):
        begun("Xception", path, width=WIDTH)
    torch.save([torch.zeros(1)], tmp_path / "list.pth")
    with pytest.raises(AccordError, match=r"list\.pth: is not a plain tensor checkpoint"):
        begun("Xception", tmp_path / "list.pth", width=WIDTH)


class Payload:
    def __reduce__(self):
        return (print, ("run",))


def test_a_pickle_that_wants_to_run_code_does_not_run_it(tmp_path, capsys):
    (tmp_path / "x.pth").write_bytes(pickle.dumps({"conv1.weight": Payload()}))
    with pytest.raises(AccordError, match="is not a plain tensor checkpoint"):
        begun("Xception", tmp_path / "x.pth", width=WIDTH)
    assert "run" not in capsys.readouterr().out
