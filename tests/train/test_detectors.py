"""Detectors: shapes, gradients everywhere, their mathematics, the sizes of the published networks."""

import numpy as np
import pytest
import torch
from scipy.fft import dctn

from accord.errors import AccordError
from accord.train.detectors import catalogue, objectives
from accord.train.detectors.f3net import Decomposition, bands, cosines
from accord.train.detectors.spsl import SPSL, phase_picture
from accord.train.learning.loop import Task, learn
from accord.train.learning.plan import Plan

SIDE = 64
NARROW = {"width": 1 / 16, "middle": 1}
TINY = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
SMALL = {
    "EfficientB4": {"width_coefficient": 0.1, "depth_coefficient": 0.1, "hidden_dim": 128, "drop_connect_rate": 0.0},
    "ViT-B/16": {**TINY, "image_size": SIDE, "patch_size": 16},
    "F3Net": {**NARROW, "side": SIDE},
    "UnivFD": {**TINY, "image_size": SIDE, "patch_size": 16, "projection_dim": 8},
    "CLIP+MLP": {**TINY, "image_size": SIDE, "patch_size": 16, "projection_dim": 8, "hidden": [8, 8]},
}
NAMES = list(catalogue.published())


def batch() -> dict[str, torch.Tensor]:
    torch.manual_seed(1)
    pixels = torch.rand(4, 3, SIDE, SIDE) * 2 - 1
    labels, groups = torch.tensor([0, 1, 0, 1]), torch.tensor([0, 0, 1, 1])
    return {"pixels": pixels, "views": pixels.flip(-1), "labels": labels, "groups": groups}


def small(name: str) -> torch.nn.Module:
    torch.manual_seed(0)
    return catalogue.build(name, **SMALL.get(name, NARROW))


@pytest.mark.parametrize("name", NAMES)
def test_a_detector_gives_a_logit_each_and_all_its_parameters_learn(name):
    net, some = small(name), batch()
    assert net(some["pixels"]).shape == (4,)
    for objective in {objectives.plain, catalogue.objective(name)}:
        net.zero_grad()
        objective(net, some).backward()
        learning = {key: p for key, p in net.named_parameters() if p.requires_grad}
        still = [key for key, p in learning.items() if p.grad is None or not p.grad.abs().sum() > 0]
        assert still == []
        assert all(torch.isfinite(p.grad).all() for p in learning.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_score_depends_on_its_picture_alone(name):
    net, pixels = small(name), batch()["pixels"]
    with torch.no_grad():
        for part in net.modules():
            if isinstance(part, torch.nn.BatchNorm2d):
                part.momentum = 1.0  # statistics of this batch: with none, next to nothing gets through
        net(pixels)
        net.eval()
        together, alone = net(pixels), torch.cat([net(one[None]) for one in pixels])
    assert torch.allclose(together, alone, atol=1e-5)
    assert len(set(together.tolist())) == 4


@pytest.mark.parametrize("name, head, expected", [
    ("Xception", 2048 + 1, 22_855_952 - 2_049_000), ("EfficientB4", 1792 + 1, 19_341_616 - 1_793_000),
    ("ViT-B/16", 768 + 1, 86_567_656 - 769_000),
])  # fmt: skip
def test_the_full_networks_have_as_many_parameters_as_the_published(name, head, expected):
    """Those of timm and torchvision with 1,000 classes, less their last layer."""
    with torch.device("meta"):
        net = catalogue.build(name)
    assert sum(p.numel() for p in net.parameters()) - head == expected


def test_the_encoder_of_clip_is_frozen():
    net = small("UnivFD").train()
    assert {key.split(".")[0] for key, p in net.named_parameters() if p.requires_grad} == {"top"}
    assert not net.body.training and net.top.training


def test_the_phase_picture_is_numpys_and_has_a_flat_spectrum():
    pixels = batch()["pixels"]
    grey = np.tensordot(pixels.numpy().astype(float), [0.299, 0.587, 0.114], axes=(1, 0))
    for number in range(4):
        spectrum = np.fft.fft2(grey[number])
        expected = np.fft.ifft2(spectrum / np.abs(spectrum)).real
        got = phase_picture(pixels[number : number + 1])[0, 0].numpy()
        assert got == pytest.approx(expected, abs=1e-4)
        assert np.abs(np.fft.fft2(got)) == pytest.approx(np.ones((SIDE, SIDE)), abs=1e-3)


def test_the_phase_ignores_contrast():
    pixels = batch()["pixels"]
    assert torch.allclose(phase_picture(pixels), phase_picture(3 * pixels), atol=1e-4)
    assert SPSL(**NARROW).entry[0].in_channels == 4


def test_the_cosine_transform_is_scipys():
    picture = np.random.default_rng(0).normal(size=(16, 16))
    matrix = cosines(16).double().numpy()
    assert matrix @ picture @ matrix.T == pytest.approx(dctn(picture, norm="ortho"), abs=1e-5)


def test_bands_share_nothing_and_make_up_all():
    made = bands(32)
    assert torch.equal(made[:3].sum(0), made[3])
    assert [float(made[band, i, j]) for band, i, j in [(0, 0, 11), (1, 0, 12), (1, 8, 8), (2, 8, 9), (2, 31, 31)]] == [
        1
    ] * 5


def test_without_anything_learnt_the_bands_add_up_to_the_picture():
    parts, pixels = Decomposition(SIDE), batch()["pixels"]
    torch.nn.init.zeros_(parts.weight)
    made = parts(pixels).detach().reshape(4, 4, 3, SIDE, SIDE)
    assert torch.allclose(made[:, 3], pixels, atol=1e-4)
    assert torch.allclose(made[:, :3].sum(1), pixels, atol=1e-4)


def test_core_asks_nothing_of_views_that_are_the_same():
    net, some = small("CORE").eval(), batch()
    same = {**some, "views": some["pixels"]}
    assert float(objectives.consistent(net, same).detach()) == pytest.approx(
        float(objectives.plain(net, some).detach()), abs=1e-5
    )
    other = {**some, "views": some["pixels"].flip(0)}
    labels = {**some, "pixels": some["pixels"].flip(0)}
    mean = (objectives.plain(net, some) + objectives.plain(net, labels)).detach() / 2
    found = torch.nn.functional.cosine_similarity(net.features(other["pixels"]), net.features(other["views"]))
    expected = float(mean) + float((1 - found).square().mean().detach())
    assert float(objectives.consistent(net, other).detach()) == pytest.approx(expected, abs=1e-5)


def test_the_worst_are_what_dag_learns_from():
    net, some = small("DAG-FDD").eval(), batch()
    each = torch.nn.functional.binary_cross_entropy_with_logits(
        net(some["pixels"]), some["labels"].float(), reduction="none"
    ).detach()
    expected = each.sort().values[2:].mean()
    assert float(objectives.worst(net, some).detach()) == pytest.approx(float(expected), abs=1e-6)


def test_a_detector_learns_a_grid_in_new_pictures(tmp_path):
    rng = np.random.default_rng(0)
    labels = torch.from_numpy(rng.integers(0, 2, 48))
    pixels = torch.from_numpy(rng.uniform(-0.5, 0.5, (48, 3, 32, 32))).float()
    pixels[:, :, ::2, ::2] += 0.5 * labels[:, None, None, None]
    torch.manual_seed(0)
    net = catalogue.build("Xception", **NARROW)
    some = torch.optim.SGD(net.parameters(), lr=1.0, momentum=0.9)
    task = Task(net, some, 32, lambda n: {"pixels": pixels[n], "labels": labels[n]}, objectives.plain, "grid")
    learn(task, Plan(seed=0, steps=40, batch=16, rate=0.05), tmp_path)
    with torch.no_grad():
        scores = net.eval()(pixels[32:])
    fake, real = scores[labels[32:] == 1], scores[labels[32:] == 0]
    assert float((fake[:, None] > real).float().mean()) > 0.9


def test_an_unknown_detector_is_refused():
    with pytest.raises(AccordError, match=r"unknown name 'Meso'(.|\n)*use one of Xception, "):
        catalogue.build("Meso")


def test_the_optimiser_is_the_published_one():
    [group] = catalogue.optimiser(small("UnivFD")).param_groups
    assert (group["lr"], group["momentum"], group["weight_decay"], len(group["params"])) == (5e-4, 0.9, 5e-3, 2)
