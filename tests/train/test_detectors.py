"""Detectors: shapes, gradients everywhere, their mathematics, the sizes of the published networks."""

import numpy as np
import pytest
import torch
from scipy.fft import dctn
from scipy.ndimage import correlate

from accord.errors import AccordError
from accord.train.detectors import catalogue, objectives, srm, ucf
from accord.train.detectors.f3net import Decomposition, bands, cosines
from accord.train.detectors.spsl import SPSL, phase_picture
from accord.train.learning.loop import Task, learn
from accord.train.learning.plan import Plan
from accord.train.planning import models

SIDE = 64
NARROW = {"width": 1 / 16, "middle": 1}
TINY = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
SMALL = {
    "EfficientB4": {"width_coefficient": 0.1, "depth_coefficient": 0.1, "hidden_dim": 128, "drop_connect_rate": 0.0},
    "ViT-B/16": {**TINY, "image_size": SIDE, "patch_size": 16},
    "F3Net": {**NARROW, "side": SIDE},
    "UnivFD": {**TINY, "image_size": SIDE, "patch_size": 16, "projection_dim": 8},
    "UCF": {**NARROW, "methods": 3},
    "PG-FDD": {**NARROW, "methods": 3, "groups": [3, 2]},
    "CLIP+MLP": {**TINY, "image_size": SIDE, "patch_size": 16, "projection_dim": 8, "hidden": [8, 8]},
}
NAMES = list(models.published())


def batch() -> dict[str, torch.Tensor]:
    torch.manual_seed(1)
    pixels = torch.rand(4, 3, SIDE, SIDE) * 2 - 1
    labels, groups = torch.tensor([0, 1, 0, 1]), torch.tensor([0, 0, 1, 1])
    methods = torch.tensor([0, 1, 0, 2])
    return {"pixels": pixels, "views": pixels.flip(-1), "labels": labels, "groups": groups, "methods": methods}


def small(name: str) -> torch.nn.Module:
    torch.manual_seed(0)
    return catalogue.build(name, **SMALL.get(name, NARROW))


@pytest.mark.parametrize("name", NAMES)
def test_a_detector_gives_a_logit_each_and_all_its_parameters_learn(name):
    net, some = small(name), batch()
    assert net(some["pixels"]).shape == (4,)
    for objective in {catalogue.objective(name), *([] if hasattr(net, "loss") else [objectives.plain])}:
        net.zero_grad()
        objective(net, some).backward()
        learning = {key: p for key, p in net.named_parameters() if p.requires_grad}
        still = [key for key, p in learning.items() if p.grad is None or not p.grad.abs().sum() > 0]
        assert still == []
        assert all(torch.isfinite(p.grad).all() for p in learning.values())


@pytest.mark.parametrize("name", NAMES)
def test_in_bfloat16_each_loss_is_finite_and_near_that_of_float32(name):
    losses = []
    for precise in (True, False):
        net = small(name)
        torch.manual_seed(0)
        with torch.autocast("cpu", torch.bfloat16, enabled=not precise):
            loss = catalogue.objective(name)(net, batch())
        loss.backward()
        assert loss.dtype == torch.float32
        assert all(torch.isfinite(p.grad).all() for p in net.parameters() if p.grad is not None)
        losses.append(float(loss.detach()))
    assert losses[1] == pytest.approx(losses[0], rel=0.05)


def test_fixed_filters_are_not_rounded_to_bfloat16():
    pixels = batch()["pixels"]
    for filtered in (Decomposition(SIDE), srm.Noise(), phase_picture):
        with torch.autocast("cpu", torch.bfloat16):
            rounded = filtered(pixels)
        assert torch.equal(rounded, filtered(pixels))


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


def test_filters_of_efficientnet_begin_as_published():
    """At the library's one small scale the first steps of SGD are larger than the filters of a depthwise layer."""
    torch.manual_seed(0)
    filters = [part for part in catalogue.build("EfficientB4").modules() if isinstance(part, torch.nn.Conv2d)]
    for part in filters:
        if part.weight.numel() > 2000:
            outgoing = part.kernel_size[0] ** 2 * part.out_channels / part.groups
            assert part.weight.std().item() == pytest.approx((2 / outgoing) ** 0.5, rel=0.1)
    assert len({part.groups for part in filters}) > 2


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
    made = parts(pixels).detach().reshape(4, 4, 3, SIDE, SIDE)
    assert torch.allclose(made[:, 3], pixels, atol=1e-4)
    assert torch.allclose(made[:, :3].sum(1), pixels, atol=1e-4)


def test_nothing_of_a_smooth_picture_is_in_the_high_band_before_anything_is_learnt():
    """Of cosines of one frequency, i + j at most the end of the low band: 100 times stronger than a face's details."""
    wave = torch.cos(torch.pi * 6 * (2 * torch.arange(SIDE) + 1) / (2 * SIDE)).expand(1, 3, SIDE, SIDE)
    made = Decomposition(SIDE)(wave + 1).detach().reshape(4, 3, SIDE, SIDE)
    assert float(made[0].abs().max()) > 1
    assert float(made[1:3].abs().max()) < 1e-4


def test_the_noise_kernels_are_those_of_srm():
    """A flat picture has no noise, KB and KV none of a slope; a step of one grey value is found where it is."""
    noise, flat = srm.Noise(), torch.zeros(1, 3, 16, 16)
    slope = flat + torch.linspace(-0.5, 0.5, 16)
    step = flat + (torch.arange(16) > 7) / 127.5
    assert noise(flat).abs().max() == 0
    assert noise(slope)[:, :2, :, 3:-3].abs().max() < 1e-3
    expected = [correlate(127.5 * step[0, 0].numpy(), kernel[0].numpy(), mode="mirror") for kernel in srm.kernels()]
    assert noise(step)[0].numpy() == pytest.approx(np.stack(expected), abs=1e-4)
    assert noise(1000 * step).abs().max() == 3
    assert srm.kernels().sum((1, 2, 3)).tolist() == pytest.approx([0, 0, 0], abs=1e-6)


def test_cross_attention_looks_at_each_place_of_the_other_stream():
    torch.manual_seed(0)
    cross, first, second = srm.CrossAttention(8), torch.randn(2, 8, 3, 4), torch.randn(2, 8, 2, 2)
    weights = cross.weights(first, second, 0)
    assert weights.shape == (2, 12, 4) and torch.allclose(weights.sum(2), torch.ones(2, 12))
    found = cross._found(first, second, 0)[1, :, 2, 3]
    values = cross.values[0](second)[1].flatten(1)
    assert torch.allclose(found, values @ weights[1, 11], atol=1e-6)
    assert srm.PixelAttention(8)(first).shape == (2, 1, 3, 4)


def test_srm_scores_by_both_cosines():
    net, some = small("SRM").eval(), batch()
    logits, cosines = net(some["pixels"]), net.top(net.features(some["pixels"]))
    softmax = torch.softmax(30 * cosines, 1)[:, 1]
    assert torch.allclose(logits.sigmoid(), softmax, atol=1e-5)


def test_adain_has_the_statistics_of_its_style_and_the_form_of_its_content():
    torch.manual_seed(0)
    content, style = torch.randn(2, 3, 8, 8), 5 + 2 * torch.randn(2, 3, 4, 4)
    made = ucf.adain(content, style)
    assert torch.allclose(made.mean((2, 3)), style.mean((2, 3)), atol=1e-4)
    assert torch.allclose(made.var((2, 3), unbiased=False), style.var((2, 3), unbiased=False), rtol=1e-3)
    assert torch.allclose(ucf.adain(content, content), content, atol=1e-5)
    pairs = zip(content.flatten(0, 1), made.flatten(0, 1), strict=True)
    assert all(np.corrcoef(a.flatten(), b.flatten())[0, 1] == pytest.approx(1, abs=1e-5) for a, b in pairs)


def test_the_contrast_is_the_mean_over_triples():
    features, labels = torch.tensor([[0.0], [1.0], [2.5], [7.0]]), torch.tensor([0, 0, 1, 1])
    triples = [(0, 1, 2), (0, 1, 3), (1, 0, 2), (1, 0, 3), (2, 3, 0), (2, 3, 1), (3, 2, 0), (3, 2, 1)]
    x = features[:, 0].tolist()
    expected = np.mean([max(0, 3 + abs(x[a] - x[p]) - abs(x[a] - x[n])) for a, p, n in triples])
    assert float(ucf.contrastive(features, labels)) == pytest.approx(expected)
    assert float(ucf.contrastive(features, torch.zeros(4, dtype=int))) == 0


def test_ucf_makes_each_of_a_pair_again_from_its_own_and_the_others_content():
    net, some = small("UCF"), batch()
    pixels, labels = some["pixels"], some["labels"]
    content, fingerprint = net.content(pixels), net.fingerprint(pixels)
    expected = sum(
        float((net.decoder(fingerprint[own], content[of], SIDE) - pixels[own]).abs().mean().detach())
        for own, of in (([0, 2], [0, 2]), ([0, 2], [1, 3]), ([1, 3], [1, 3]), ([1, 3], [0, 2]))
    )
    made = net.reconstructions(pixels, labels, content, fingerprint).detach()
    assert float(made) == pytest.approx(expected, rel=1e-5)
    alone = net.reconstructions(pixels[:1], labels[:1], content[:1], fingerprint[:1])
    assert float(alone) == 0
    assert net.decoder(fingerprint, content, SIDE).shape == pixels.shape


def test_the_method_half_of_a_fingerprint_gives_no_score():
    net, pixels = small("UCF"), batch()["pixels"]
    net(pixels).sum().backward()
    assert net.fingerprint.entry[0].weight.grad is not None
    assert all(p.grad is None for part in (net.method, net.content, net.decoder) for p in part.parameters())


def test_pg_fdd_gives_small_groups_larger_margins_and_asks_for_its_group():
    net, some = small("PG-FDD"), batch()
    assert net.margins.tolist() == pytest.approx([0.5 * (2 / 3) ** 0.25, 0.5])
    told = net.loss(some)
    torch.manual_seed(0)
    others = net.loss({**some, "groups": some["groups"].flip(0)})
    assert float(told.detach()) != float(others.detach())
    net.zero_grad()
    net(some["pixels"]).sum().backward()
    assert net.demographic.entry[0].weight.grad.abs().sum() > 0 and net.group.weight.grad is None
    with pytest.raises(AccordError, match="a class has no picture"):
        catalogue.build("PG-FDD", **NARROW, methods=2, groups=[3, 0])


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


def test_views_are_of_one_picture_each_drawn_anew():
    pixels = torch.arange(4.0)[:, None, None, None].expand(4, 3, 16, 16)
    assert torch.allclose(objectives.view(pixels), pixels)
    slope = torch.linspace(-1, 1, 16).expand(8, 3, 16, 16)
    torch.manual_seed(0)
    first, second = objectives.view(slope), objectives.view(slope)
    rises = {float((one[0, 0, 1:] - one[0, 0, :-1]).sign().min()) for one in first}
    assert rises == {-1.0, 1.0} and not torch.equal(first, second)
    assert float(first[0].max() - first[0].min()) == pytest.approx(13 * 2 / 15, abs=1e-5)


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
