"""Residual networks of face recognisers, made to the measure of a checkpoint: its tensors tell depth and widths.

Two namings are in use for one idea (Deng et al. 2019; "improved residual unit" of Han et al. 2017): `layer1.0.conv1`
(InsightFace) and `body.0.res_layer.1` (face.evoLVe, CurricularFace, InsightFace_Pytorch; with or without squeeze and
excitation). The nets below are shaped so that both fit by name.
"""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

REDUCTIONS = 16
"""A face's side over that of the last feature map."""


class Unit(nn.Module):
    """InsightFace's unit: a shortcut beside normalisation, convolution, normalisation, PReLU, convolution, ..."""

    def __init__(self, before: int, after: int, stride: int):
        super().__init__()
        self.bn1, self.conv1 = nn.BatchNorm2d(before), nn.Conv2d(before, after, 3, 1, 1, bias=False)
        self.bn2, self.prelu = nn.BatchNorm2d(after), nn.PReLU(after)
        self.conv2, self.bn3 = nn.Conv2d(after, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)
        self.downsample: Any = None
        if stride != 1 or before != after:
            shortcut = nn.Conv2d(before, after, 1, stride, bias=False)
            self.downsample = nn.Sequential(shortcut, nn.BatchNorm2d(after))

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        found = self.bn3(self.conv2(self.prelu(self.bn2(self.conv1(self.bn1(maps))))))
        return found + (maps if self.downsample is None else self.downsample(maps))


class Layered(nn.Module):
    """InsightFace's network: four layers of units, a dense layer, a normalisation. state: what it is made for."""

    def __init__(self, state: Mapping[str, torch.Tensor]):
        super().__init__()
        width = state["conv1.weight"].shape[0]
        self.conv1, self.bn1 = nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        self.prelu = nn.PReLU(width)
        for layer in ("layer1", "layer2", "layer3", "layer4"):
            units = []
            for number in range(count(state, rf"{layer}\.(\d+)\.conv1\.weight")):
                after = state[f"{layer}.{number}.conv1.weight"].shape[0]
                units.append(Unit(width, after, 1 if number else 2))
                width = after
            setattr(self, layer, nn.Sequential(*units))
        self.bn2 = nn.BatchNorm2d(width)
        self.fc = nn.Linear(state["fc.weight"].shape[1], state["fc.weight"].shape[0])
        self.features = nn.BatchNorm1d(self.fc.out_features)
        self.side = side_of(self.fc.in_features, width)

    def forward(self, faces: torch.Tensor) -> torch.Tensor:
        maps = self.prelu(self.bn1(self.conv1(faces)))
        maps = self.layer4(self.layer3(self.layer2(self.layer1(maps))))
        return self.features(self.fc(self.bn2(maps).flatten(1)))


class Excitation(nn.Module):
    """Each map weighed by what all maps say on average (Hu et al. 2018)."""

    def __init__(self, maps: int, inner: int):
        super().__init__()
        self.fc1, self.fc2 = nn.Conv2d(maps, inner, 1, bias=False), nn.Conv2d(inner, maps, 1, bias=False)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return maps * self.fc2(self.fc1(maps.mean(dim=(2, 3), keepdim=True)).relu()).sigmoid()


class Residual(nn.Module):
    """The other naming's unit, with the parts that the checkpoint has of it."""

    def __init__(self, state: Mapping[str, torch.Tensor], name: str, first: bool):
        super().__init__()
        after, before = state[f"{name}.res_layer.1.weight"].shape[:2]
        stride = 2 if first or before != after else 1
        parts = [nn.BatchNorm2d(before), nn.Conv2d(before, after, 3, 1, 1, bias=False)]
        if state[f"{name}.res_layer.3.weight"].ndim == 1:
            parts.append(nn.BatchNorm2d(after))
        parts += [nn.PReLU(after), nn.Conv2d(after, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)]
        squeezed = state.get(f"{name}.res_layer.{len(parts)}.fc1.weight")
        if squeezed is not None:
            parts.append(Excitation(after, squeezed.shape[0]))
        self.res_layer = nn.Sequential(*parts)
        self.shortcut_layer = nn.MaxPool2d(1, stride)
        if before != after:
            shortcut = nn.Conv2d(before, after, 1, stride, bias=False)
            self.shortcut_layer = nn.Sequential(shortcut, nn.BatchNorm2d(after))

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return self.res_layer(maps) + self.shortcut_layer(maps)


class Stacked(nn.Module):
    """The other naming's network. state: the tensors it is made for."""

    def __init__(self, state: Mapping[str, torch.Tensor]):
        super().__init__()
        width = state["input_layer.0.weight"].shape[0]
        first = nn.Conv2d(3, width, 3, 1, 1, bias=False)
        self.input_layer = nn.Sequential(first, nn.BatchNorm2d(width), nn.PReLU(width))
        units = range(count(state, r"body\.(\d+)\.res_layer\.1\.weight"))
        self.body = nn.Sequential(*(Residual(state, f"body.{number}", number == 0) for number in units))
        numbers, held = state["output_layer.3.weight"].shape
        last = state["output_layer.0.weight"].shape[0]
        normal = nn.BatchNorm1d(numbers, affine="output_layer.4.weight" in state)
        self.output_layer = nn.Sequential(
            nn.BatchNorm2d(last), nn.Dropout(), nn.Flatten(), nn.Linear(held, numbers), normal
        )
        self.side = side_of(held, last)

    def forward(self, faces: torch.Tensor) -> torch.Tensor:
        return self.output_layer(self.body(self.input_layer(faces)))


def count(state: Mapping[str, torch.Tensor], pattern: str) -> int:
    """How many units a checkpoint has of a kind."""
    return len([name for name in state if re.fullmatch(pattern, name)])


def side_of(held: int, maps: int) -> int:
    """The side, px, of the faces that a network of so many last features was made for."""
    return round((held / maps) ** 0.5) * REDUCTIONS


def made_for(state: Mapping[str, torch.Tensor]) -> nn.Module:
    """The network that a checkpoint is of. Raises KeyError, IndexError or ValueError where it is of another kind."""
    return Layered(state) if "layer1.0.conv1.weight" in state else Stacked(state)
