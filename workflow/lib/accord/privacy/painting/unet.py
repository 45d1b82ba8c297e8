"""The U-Net of the embedded model for prediction: to the last bit what diffusers' UNet2DConditionModel says, in less
time, and without its imports, which take longer than a painted picture."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.functional import gelu, interpolate, silu

from accord.privacy.painting.layers import Attention, Layers

SLOWEST = 10_000
"""The longest of the waves that tell the number of a step (Vaswani et al. 2017)."""
EPSILON_BEFORE_ATTENTION = 1e-6
ATTENTION = Attention("to_q", "to_k", "to_v", "to_out.0")


class UNet:
    """Maps (B, C, H, W), the number of a step, and text (B, tokens, width) -> what is guessed to be there, clean."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self._of = Layers(tensors)

    def __call__(self, maps: Tensor, step: int, text: Tensor) -> Tensor:
        of, time = self._of, self._time(step, len(maps))
        maps = of.convolved("conv_in", maps)
        seen = [maps]
        for block in of.numbered("down_blocks", "resnets.0.conv1"):
            for number, _ in enumerate(of.numbered(f"{block}.resnets", "conv1")):
                maps = self._layer(block, number, maps, time, text)
                seen.append(maps)
            if of.has(f"{block}.downsamplers.0.conv"):
                maps = of.convolved(f"{block}.downsamplers.0.conv", maps, stride=2)
                seen.append(maps)
        maps = self._layer("mid_block", 0, maps, time, text)
        maps = self._layer("mid_block", 1, maps, time, text)
        for block in of.numbered("up_blocks", "resnets.0.conv1"):
            for number, _ in enumerate(of.numbered(f"{block}.resnets", "conv1")):
                maps = self._layer(block, number, torch.cat([maps, seen.pop()], 1), time, text)
            if of.has(f"{block}.upsamplers.0.conv"):
                maps = of.convolved(f"{block}.upsamplers.0.conv", interpolate(maps, scale_factor=2.0))
        return of.convolved("conv_out", silu(of.grouped("conv_norm_out", maps)))

    def _time(self, step: int, count: int) -> Tensor:
        """(B, 4 C): cosines and sines of the step's number, through two layers."""
        half = len(self._of.own("conv_in")[0]) // 2
        waves = torch.exp(-math.log(SLOWEST) * torch.arange(half, dtype=torch.float32) / half)
        angles = torch.full((count, 1), float(step)) * waves[None]
        told = self._of.linear("time_embedding.linear_1", torch.cat([angles.cos(), angles.sin()], 1))
        return self._of.linear("time_embedding.linear_2", silu(told))

    def _layer(self, block: str, number: int, maps: Tensor, time: Tensor, text: Tensor) -> Tensor:
        """A residual block, and attention where there is one."""
        maps = self._residual(f"{block}.resnets.{number}", maps, time)
        name = f"{block}.attentions.{number}"
        return self._attentive(name, maps, text) if self._of.has(f"{name}.norm") else maps

    def _residual(self, name: str, maps: Tensor, time: Tensor) -> Tensor:
        of = self._of
        made = of.convolved(f"{name}.conv1", silu(of.grouped(f"{name}.norm1", maps)))
        made = made + of.linear(f"{name}.time_emb_proj", silu(time))[:, :, None, None]
        made = of.convolved(f"{name}.conv2", silu(of.grouped(f"{name}.norm2", made)))
        short = f"{name}.conv_shortcut"
        return (of.convolved(short, maps) if of.has(short) else maps) + made

    def _attentive(self, name: str, maps: Tensor, text: Tensor) -> Tensor:
        """Each place looks at all places, then at the text."""
        of, block = self._of, f"{name}.transformer_blocks.0"
        made = of.convolved(f"{name}.proj_in", of.grouped(f"{name}.norm", maps, EPSILON_BEFORE_ATTENTION))
        places = made.permute(0, 2, 3, 1).flatten(1, 2)
        normal = of.normal(f"{block}.norm1", places)
        places = of.attended(ATTENTION.of(f"{block}.attn1"), normal, normal) + places
        places = of.attended(ATTENTION.of(f"{block}.attn2"), of.normal(f"{block}.norm2", places), text) + places
        values, gates = of.linear(f"{block}.ff.net.0.proj", of.normal(f"{block}.norm3", places)).chunk(2, dim=-1)
        places = of.linear(f"{block}.ff.net.2", values * gelu(gates)) + places
        made = places.unflatten(1, maps.shape[2:]).permute(0, 3, 1, 2).contiguous()
        return of.convolved(f"{name}.proj_out", made) + maps
