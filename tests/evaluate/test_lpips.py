"""LPIPS against its authors' package, on the same random backbones; torchvision, which it imports, is stood in for."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from accord.errors import AccordError
from accord.models.adapters import lpips as adapter
from accord.models.adapters.lpips import LPIPS

# Channels of each convolution with its kernel, stride and padding; "m" is a maximum over (kernel, stride).
ALEX = [(64, 11, 4, 2), ("m", 3, 2), (192, 5, 1, 2), ("m", 3, 2), (384, 3, 1, 1), (256, 3, 1, 1), (256, 3, 1, 1)]
VGG = [part for count, channels in ((2, 64), (2, 128), (3, 256), (3, 512), (3, 512)) for part in
       [*[(channels, 3, 1, 1)] * count, ("m", 2, 2)]]  # fmt: skip


def features(plan) -> nn.Sequential:
    """The `features` of torchvision's network, with random weights."""
    torch.manual_seed(7)
    parts, before = [], 3
    for after, *shape in plan:
        if after == "m":
            parts.append(nn.MaxPool2d(*shape))
        else:
            parts += [nn.Conv2d(before, after, *shape), nn.ReLU(inplace=True)]
            before = after
    return nn.Sequential(*parts)


@pytest.fixture(scope="module")
def package(request):
    """The package lpips, imported with a stand-in for torchvision."""
    patch = pytest.MonkeyPatch()
    request.addfinalizer(patch.undo)
    stand_in, nets = ModuleType("torchvision"), ModuleType("torchvision.models")
    nets.alexnet = lambda pretrained: SimpleNamespace(features=features(ALEX))
    nets.vgg16 = lambda pretrained: SimpleNamespace(features=features(VGG))
    stand_in.models = nets
    patch.setitem(sys.modules, "torchvision", stand_in)
    patch.setitem(sys.modules, "torchvision.models", nets)
    import lpips

    return lpips


def pictures(count: int, side: int = 64) -> list[np.ndarray]:
    rng = np.random.default_rng(11)
    return [rng.integers(0, 256, (side, side + 8, 3), np.uint8) for _ in range(count)]


@pytest.fixture(scope="module")
def files(package, tmp_path_factory):
    """A function of a network: the weights as models.yaml would name them."""
    folder = tmp_path_factory.mktemp("weights")

    def made(net: str) -> dict[str, Path]:
        state = features(ALEX if net == "alex" else VGG).state_dict()
        torch.save({f"features.{name}": values for name, values in state.items()}, folder / f"{net}.pth")
        return {"backbone": folder / f"{net}.pth", "heads": Path(package.__file__).parent / f"weights/v0.1/{net}.pth"}

    return made


@pytest.mark.parametrize("net", ["alex", "vgg"])
def test_the_distance_is_that_of_the_package(package, files, net):
    theirs = package.LPIPS(net=net, pnet_rand=True, verbose=False)
    ours = LPIPS(files(net), net=net)
    first, second = pictures(4)[:2], pictures(4)[2:]
    found = ours.distance(first, second)
    for a, b, distance in zip(first, second, found, strict=True):
        tensors = [torch.from_numpy(p.transpose(2, 0, 1)[np.newaxis]).float() / 127.5 - 1 for p in (a, b)]
        with torch.inference_mode():
            assert distance == pytest.approx(theirs(*tensors).item(), rel=1e-4)
    assert min(found) > 0
    assert ours.distance(first[:1], first[:1]) == [0]


def test_pairs_of_one_size_are_compared_together_as_if_alone(files, monkeypatch):
    monkeypatch.setattr(adapter, "TOGETHER", dict.fromkeys(("cuda", "cpu"), 3))
    ours = LPIPS(files("alex"), net="alex")
    first, second = [*pictures(5), *pictures(2, 80)], [*pictures(6)[1:], *pictures(3, 80)[1:]]
    order = [0, 5, 1, 2, 6, 3, 4]
    counts = []
    ours._layers[0].register_forward_hook(lambda layer, given, made: counts.append(len(made)))
    found = ours.distance([first[n] for n in order], [second[n] for n in order])
    assert counts == [6, 4, 4]
    alone = [ours.distance([first[n]], [second[n]])[0] for n in order]
    assert min(alone) > 0
    np.testing.assert_allclose(found, alone, rtol=1e-5)


def test_a_backbone_of_another_network_is_refused(files):
    mixed = {**files("alex"), "heads": files("vgg")["heads"]}
    with pytest.raises(AccordError, match="the backbone is not a checkpoint of vgg"):
        LPIPS(mixed, net="vgg")


def test_an_unknown_network_is_refused(files):
    with pytest.raises(AccordError, match="option net: unknown value squeeze\n    hint: use alex or vgg"):
        LPIPS(files("alex"), net="squeeze")
