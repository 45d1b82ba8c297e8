"""Convolutions for prediction: the normalisation after one is part of it, it clips its own output, channels lie last.

A network of small convolutions takes half of the time so; the last digits of its numbers differ.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch.nn.functional import pad

ONES = [1, 1]


class Normalisation(NamedTuple):
    """What a batch normalisation has learnt, a number for each channel."""

    weight: torch.Tensor
    bias: torch.Tensor
    mean: torch.Tensor
    variance: torch.Tensor
    epsilon: float

    def linear(self) -> tuple[torch.Tensor, torch.Tensor]:
        """What it multiplies by, and what it adds then."""
        share = self.weight / torch.sqrt(self.variance + self.epsilon)
        return share, self.bias - self.mean * share


class Convolution(NamedTuple):
    """A convolution and what follows it. margins: px left, right, top, bottom of zeros around its input, where these
    differ, else None, and `padding` has them; most: its output is clipped to 0 ... most, None: it isn't."""

    weight: torch.Tensor
    bias: torch.Tensor
    stride: int
    padding: int
    groups: int
    margins: tuple[int, ...] | None = None
    most: float | None = None

    def __call__(self, maps: torch.Tensor) -> torch.Tensor:
        given = maps if self.margins is None else pad(maps, self.margins)
        stride, padding = [self.stride] * 2, [self.padding] * 2
        if torch.backends.mkldnn.is_available():
            what, limits = ("none", []) if self.most is None else ("hardtanh", [0.0, self.most])
            return torch.ops.mkldnn._convolution_pointwise(
                given, self.weight, self.bias, padding, stride, ONES, self.groups, what, limits, ""
            )
        made = torch.conv2d(given, self.weight, self.bias, stride, padding, ONES, self.groups)
        return made if self.most is None else made.clamp_(0, self.most)

    def normalised(self, by: Normalisation) -> Convolution:
        """This convolution with a normalisation of its output, before it is clipped."""
        share, more = by.linear()
        weight = (self.weight * share.view(-1, 1, 1, 1)).contiguous(memory_format=torch.channels_last)
        return self._replace(weight=weight, bias=self.bias * share + more)
