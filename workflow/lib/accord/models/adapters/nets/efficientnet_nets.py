"""EfficientNet-Lite (Tan and Le 2019; without squeeze and excitation) for prediction, in half of the time.

Normalisations are folded into the convolutions before them, which clip their own output; channels lie last.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.nn.functional import pad

LARGEST = 6.0
"""Where ReLU6 ends."""


class Convolution(NamedTuple):
    """A convolution and what follows it. margins: px left, right, top, bottom of zeros around its input, where these
    differ, else None, and `padding` has them; clips: whether its output is clipped to 0 ... LARGEST."""

    weight: torch.Tensor
    bias: torch.Tensor
    stride: list[int]
    padding: list[int]
    groups: int
    margins: tuple[int, ...] | None
    clips: bool

    def __call__(self, maps: torch.Tensor) -> torch.Tensor:
        given = maps if self.margins is None else pad(maps, self.margins)
        ones = [1, 1]
        if torch.backends.mkldnn.is_available():
            what, limits = ("hardtanh", [0.0, LARGEST]) if self.clips else ("none", [])
            return torch.ops.mkldnn._convolution_pointwise(
                given, self.weight, self.bias, self.padding, self.stride, ones, self.groups, what, limits, ""
            )
        made = torch.conv2d(given, self.weight, self.bias, self.stride, self.padding, ones, self.groups)
        return made.clamp_(0, LARGEST) if self.clips else made


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
    first, last = _folded(net._conv_stem, net._bn0, True), _folded(net._conv_head, net._bn1, True)
    return [Stage([first], False), *map(_block, net._blocks), Stage([last], False)]


def _block(block: Any) -> Stage:
    told = block._block_args
    parts = [_folded(block._expand_conv, block._bn0, True)] if told.expand_ratio != 1 else []
    parts += [_folded(block._depthwise_conv, block._bn1, True), _folded(block._project_conv, block._bn2, False)]
    adds = block.id_skip and told.stride == 1 and told.input_filters == told.output_filters
    return Stage(parts, bool(adds))


def _folded(convolution: Any, normalisation: Any, clips: bool) -> Convolution:
    share = normalisation.weight / torch.sqrt(normalisation.running_var + normalisation.eps)
    weight = convolution.weight * share.view(-1, 1, 1, 1)
    bias = normalisation.bias - normalisation.running_mean * share
    margins = tuple(getattr(convolution.static_padding, "padding", (0, 0, 0, 0)))
    is_even = len(set(margins)) == 1
    return Convolution(
        weight.detach().contiguous(memory_format=torch.channels_last),
        bias.detach(),
        list(convolution.stride),
        [margins[0]] * 2 if is_even else [0, 0],
        convolution.groups,
        None if is_even else margins,
        clips,
    )
