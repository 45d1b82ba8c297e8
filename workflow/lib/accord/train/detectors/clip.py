"""A frozen CLIP vision encoder and a small head: UnivFD (Ojha et al. 2023), linear, and CLIP+MLP, of three layers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import nn

from accord.train.pretrained import fit

SPARE = ("text_model.", "text_projection.", "logit_scale", "vision_model.embeddings.position_ids")
"""Tensors of a whole CLIP that its vision encoder lacks; the last was counted among the weights by older versions."""
LARGE_14 = {
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "image_size": 224,
    "patch_size": 14,
    "projection_dim": 768,
}


class FrozenCLIP(nn.Module):
    """Logits (n,) of fake. hidden: widths of the head's hidden layers, none for a linear one.

    options: of transformers' CLIPVisionConfig, in place of ViT-L/14's.
    The encoder never learns and has no dropout.
    """

    def __init__(self, hidden: tuple[int, ...] = (), **options: Any):
        super().__init__()
        from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

        config = CLIPVisionConfig(**(LARGE_14 | options))
        self.body = CLIPVisionModelWithProjection(config).requires_grad_(False).eval()
        widths, layers = [config.projection_dim, *hidden], []
        for before, after in pairwise(widths):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.top = nn.Sequential(*layers, nn.Linear(widths[-1], 1))

    def train(self, mode: bool = True) -> FrozenCLIP:
        super().train(mode)
        self.body.eval()
        return self

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return self.body(pixel_values=pixels).image_embeds

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.top(self.features(pixels))[:, 0]

    def begin_with(self, state: fit.State) -> fit.Fit:
        """Copy the vision encoder of a CLIP of transformers, as openai/clip-vit-large-patch14 is."""
        return fit.by_transformers(self.body, state, SPARE)
