"""A VGG-16 of few channels in place of the real one, whose weights can't be had everywhere."""

import math

CHANNELS = ((4, 4), (4, 4), (6, 6, 6), (6, 6, 6), (6, 6, 6))


def backbone() -> dict:
    """Weights by a formula, in torchvision's names: `features.0.weight`."""
    import torch

    state, before, layer = {}, 3, 0
    for block in CHANNELS:
        for channels in block:
            numbers = torch.arange(channels * before * 9, dtype=torch.float64)
            weight = torch.cos(1.7 * numbers + layer) / math.sqrt(before * 2)
            state[f"features.{layer}.weight"] = weight.view(channels, before, 3, 3).float()
            state[f"features.{layer}.bias"] = torch.full((channels,), 0.1)
            before, layer = channels, layer + 2
        layer += 1
    return state


def heads() -> list:
    """The weight of each channel of the five layers that are compared: (1, channels, 1, 1) each."""
    import torch

    return [torch.linspace(0.2, 1.4, block[-1]).view(1, -1, 1, 1) for block in CHANNELS]


def stand_in() -> None:
    """Have piq take this network, and not fetch anything."""
    from types import SimpleNamespace

    import piq.perceptual
    import torch
    from torch import nn

    layers, before = [], 3
    for block in CHANNELS:
        for channels in block:
            layers += [nn.Conv2d(before, channels, 3, padding=1), nn.ReLU(inplace=True)]
            before = channels
        layers.append(nn.MaxPool2d(2, 2))
    features = nn.Sequential(*layers).eval()
    features.load_state_dict({name.removeprefix("features."): weight for name, weight in backbone().items()})
    piq.perceptual.vgg16 = lambda **_: SimpleNamespace(features=features)
    torch.hub.load_state_dict_from_url = lambda *_, **__: heads()
