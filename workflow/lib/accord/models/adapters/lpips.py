"""LPIPS, version 0.1: how different two pictures look to a network (Zhang et al. 2018).

Channels of five layers of a classifier are brought to length 1 at each place, their squared differences weighed by
non-negative heads and averaged over places, and the layers added up. Weights are two files: `backbone`, a checkpoint
of AlexNet or VGG-16 in torchvision's names, and `heads`, as the package lpips ships them.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.declaring.shapes import alike
from accord.models.weights import load_state

SHIFT, SCALE = (-0.030, -0.088, -0.188), (0.458, 0.448, 0.450)
TINY = 1e-10
TOGETHER = {"cuda": 16, "cpu": 1}
"""Pairs that are compared at once: on a CPU more would take memory, and no less time."""
TAPS = {"alex": (1, 4, 7, 9, 11), "vgg": (3, 8, 15, 22, 29)}
"""Network -> numbers of the layers (of torchvision's `features`) whose outputs are compared."""
VGG = ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512))


class LPIPS:
    """Distance of pairs of uint8 RGB pictures of one size; on a GPU where there is one."""

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], net: str = "vgg"):
        import torch

        if net not in TAPS:
            raise AccordError(Problem("option net", f"unknown value {net}", f"use {' or '.join(TAPS)}"))
        torch.set_num_threads(1)
        self._torch, self._taps = torch, TAPS[net]
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._layers = layers(net, load_state(weights["backbone"])).to(self._device)
        heads = load_state(weights["heads"])
        names = [f"lin{number}.model.1.weight" for number in range(len(self._taps))]
        self._heads = [heads[name].to(self._device) for name in names]

    def distance(self, pictures: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> list[float]:
        with self._torch.inference_mode():
            found: dict[int, float] = {}
            most = TOGETHER[self._device]
            for same in alike([picture.shape for picture in pictures]):
                for start in range(0, len(same), most):
                    some = same[start : start + most]
                    told = self._together([pictures[number] for number in some], [others[number] for number in some])
                    found |= dict(zip(some, told, strict=True))
            return [found[number] for number in range(len(pictures))]

    def _together(self, first: list[np.ndarray], second: list[np.ndarray]) -> list[float]:
        """The distances of pairs that all have one size."""
        torch, count = self._torch, len(first)
        batch = torch.from_numpy(np.stack([*first, *second]).transpose(0, 3, 1, 2)).to(self._device)
        shift, scale = (torch.tensor(values, device=self._device).view(1, 3, 1, 1) for values in (SHIFT, SCALE))
        features, heads, layers = (batch.float() / 127.5 - 1 - shift) / scale, iter(self._heads), []
        for number, layer in enumerate(self._layers):
            features = layer(features)
            if number in self._taps:
                unit = features / (features.square().sum(dim=1, keepdim=True).sqrt() + TINY)
                apart = torch.nn.functional.conv2d((unit[:count] - unit[count:]).square(), next(heads))
                layers.append(torch.stack([one.mean() for one in apart]))
        return [sum(values) for values in torch.stack(layers, dim=1).tolist()]


def layers(net: str, state: dict):
    """The layers of a network up to the last that is compared, in order, with weights of torchvision's names."""
    from torch import nn

    stack = nn.Sequential(*(_alex() if net == "alex" else _vgg()))[: TAPS[net][-1] + 1]
    wanted = {name: state[f"features.{name}"] for name in stack.state_dict() if f"features.{name}" in state}
    try:
        stack.load_state_dict(wanted)
    except RuntimeError:
        raise AccordError(
            Problem("weights of LPIPS", f"the backbone is not a checkpoint of {net}", "see docs/models.md")
        ) from None
    return stack.eval()


def _alex() -> list:
    from torch import nn

    sizes = [(3, 64, 11, 4, 2), (64, 192, 5, 1, 2), (192, 384, 3, 1, 1), (384, 256, 3, 1, 1), (256, 256, 3, 1, 1)]
    made = []
    for number, (before, after, kernel, stride, padding) in enumerate(sizes):
        made += [nn.Conv2d(before, after, kernel, stride, padding), nn.ReLU()]
        made += [nn.MaxPool2d(3, 2)] if number < 2 else []
    return made


def _vgg() -> list:
    from torch import nn

    made, before = [], 3
    for block in VGG:
        for after in block:
            made += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU()]
            before = after
        made.append(nn.MaxPool2d(2, 2))
    return made
