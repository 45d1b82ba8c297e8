"""EfficientNet-Lite (Tan and Le 2019; without squeeze and excitation) for prediction, in half of the time."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from accord.models.adapters.nets.folded import Convolution, Normalisation

LARGEST = 6.0
"""Where ReLU6 ends."""


class Stage(NamedTuple):
    """Convolutions, one after the other, and whether their input is added to what they make of it."""

    parts: list[Convolution]
    adds: bool

    def __call__(self, maps: torch.Tensor) -> torch.Tensor:
        made = maps
        for part in self.parts:
            made = part(made)
        return made + maps if self.adds else made


def stages(net: Any) -> list[Stage]:
    """The stages up to the last feature map, of a network of the package efficientnet_lite_pytorch."""
    with torch.no_grad():
        first, last = _folded(net._conv_stem, net._bn0, LARGEST), _folded(net._conv_head, net._bn1, LARGEST)
        return [Stage([first], False), *map(_block, net._blocks), Stage([last], False)]


def _block(block: Any) -> Stage:
    told = block._block_args
    parts = [_folded(block._expand_conv, block._bn0, LARGEST)] if told.expand_ratio != 1 else []
    parts += [_folded(block._depthwise_conv, block._bn1, LARGEST), _folded(block._project_conv, block._bn2, None)]
    adds = block.id_skip and told.stride == 1 and told.input_filters == told.output_filters
    return Stage(parts, bool(adds))


def _folded(net: Any, after: Any, most: float | None) -> Convolution:
    margins = tuple(getattr(net.static_padding, "padding", (0, 0, 0, 0)))
    padding, margins = (margins[0], None) if len(set(margins)) == 1 else (0, margins)
    nothing, stride = torch.zeros(len(net.weight)), net.stride[0]
    made = Convolution(net.weight, nothing, stride, padding, net.groups, margins, most)
    return made.normalised(Normalisation(after.weight, after.bias, after.running_mean, after.running_var, after.eps))
