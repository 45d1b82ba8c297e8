"""ViT-B/16 (Dosovitskiy et al. 2021) of the transformers library, with one logit on its class token."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from accord.train.pretrained import fit

SPARE = ("classifier.", "pooler.", "vit.pooler.")


class ViT(nn.Module):
    """Logits (n,) of fake. options: of transformers' ViTConfig, in place of ViT-B/16's at 224 px."""

    def __init__(self, **options: Any):
        super().__init__()
        from transformers import ViTConfig, ViTModel

        config = ViTConfig(**options)
        self.body = ViTModel(config, add_pooling_layer=False)
        self.top = nn.Linear(config.hidden_size, 1)

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.body(pixel_values=pixels).last_hidden_state[:, 0]

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.top(self.features(pixels))[:, 0]

    def begin_with(self, state: fit.State) -> fit.Fit:
        """Copy the tensors of a ViT of transformers, as google/vit-base-patch16-224 is."""
        return fit.by_transformers(self.body, state, SPARE, add_pooling_layer=False)
