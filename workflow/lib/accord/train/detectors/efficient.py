"""EfficientNet-B4 (Tan and Le 2019) of the transformers library, with one logit on top."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from accord.train.pretrained import fit

B4 = {"width_coefficient": 1.4, "depth_coefficient": 1.8, "dropout_rate": 0.4, "hidden_dim": 1792}
BATCH_NORM_MOMENTUM = 0.01
"""The library's 0.99 is TensorFlow's convention: in PyTorch the statistics would be those of the last batch."""


class Efficient(nn.Module):
    """Logits (n,) of fake. options: of transformers' EfficientNetConfig, in place of B4's."""

    def __init__(self, **options: Any):
        super().__init__()
        from transformers import EfficientNetConfig, EfficientNetModel

        config = EfficientNetConfig(**(B4 | {"batch_norm_momentum": BATCH_NORM_MOMENTUM} | options))
        self.body = EfficientNetModel(config)
        for part in self.body.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.reset_parameters()  # the library draws their weights around 0, which lets next to nothing through
            elif isinstance(part, nn.Conv2d):
                _draw(part)
        self.top = nn.Sequential(nn.Dropout(config.dropout_rate), nn.Linear(config.hidden_dim, 1))

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.body(pixel_values=pixels).last_hidden_state.mean((2, 3))

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.top(self.features(pixels))[:, 0]

    def begin_with(self, state: fit.State) -> fit.Fit:
        """Copy the tensors of an EfficientNet of transformers, as google/efficientnet-b4 is."""
        return fit.by_transformers(self.body, state, ("classifier.",))


def _draw(filters: nn.Conv2d) -> None:
    """Weights as EfficientNet's authors draw them (He et al. 2015, by outputs): the library's one scale is so small for
    depthwise filters that the first steps of SGD are larger than they are."""
    height, width = filters.kernel_size
    nn.init.normal_(filters.weight, std=math.sqrt(2 * filters.groups / (height * width * filters.out_channels)))
