"""SRM (Luo et al. 2021): a second Xception that sees high-pass noise, joined with the first by attention.

From the paper: the three kernels, attention of noise on pixels in the entry flow, cross attention of both streams
before the features are joined, AM-softmax. Theirs has several of each, in places that differ between its versions.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from accord.train.detectors.xception import Xception
from accord.train.losses.margins import AM_SCALE, Cosines, am_softmax
from accord.train.losses.precision import exactly

CUT = 3.0
"""Noise is cut off here, on the scale of 0 to 255 (Fridrich and Kodovsky 2012 truncate their residuals)."""
HALF_RANGE = 127.5
KB = ((-1, 2, -1), (2, -4, 2), (-1, 2, -1))
KV = ((-1, 2, -2, 2, -1), (2, -6, 8, -6, 2), (-2, 8, -12, 8, -2), (2, -6, 8, -6, 2), (-1, 2, -2, 2, -1))
LINE = (1, -2, 1)


def kernels() -> torch.Tensor:
    """KB / 4, KV / 12 and the line (1, -2, 1) / 2, each in the middle of 5 x 5: (3, 1, 5, 5)."""
    made = torch.zeros(3, 1, 5, 5)
    made[0, 0, 1:4, 1:4] = torch.tensor(KB) / 4
    made[1, 0] = torch.tensor(KV) / 12
    made[2, 0, 2, 1:4] = torch.tensor(LINE) / 2
    return made


class Noise(nn.Module):
    """Pictures (n, 3, side, side) in -1 to 1 -> the noise of each kernel, of red, green and blue together, cut at +-3:
    (n, 3, side, side)."""

    def __init__(self):
        super().__init__()
        self.register_buffer("kernels", kernels(), persistent=False)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        grey = nn.functional.pad(HALF_RANGE * pixels.mean(1, keepdim=True), (2, 2, 2, 2), mode="reflect")
        with exactly(pixels):
            return nn.functional.conv2d(grey, self.kernels).clamp(-CUT, CUT)


class PixelAttention(nn.Module):
    """Weights (n, 1, h, w) in 0 to 1 for each pixel: where the noise (n, c, h, w) says that it is worth looking."""

    def __init__(self, channels: int):
        super().__init__()
        self.body = nn.Conv2d(channels, 1, 1)

    def forward(self, noise: torch.Tensor) -> torch.Tensor:
        return self.body(noise).sigmoid()


class CrossAttention(nn.Module):
    """What one stream (n, c, h, w) finds in the other, and the other in it, each added to what was there."""

    def __init__(self, channels: int, inner: int | None = None):
        super().__init__()
        inner = inner or max(1, channels // 8)
        self.queries = nn.ModuleList([nn.Conv2d(channels, inner, 1) for _ in range(2)])
        self.keys = nn.ModuleList([nn.Conv2d(channels, inner, 1) for _ in range(2)])
        self.values = nn.ModuleList([nn.Conv2d(channels, channels, 1) for _ in range(2)])

    def forward(self, first: torch.Tensor, second: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return first + self._found(first, second, 0), second + self._found(second, first, 1)

    def weights(self, asking: torch.Tensor, asked: torch.Tensor, number: int) -> torch.Tensor:
        """(n, places of the asking, places of the asked); each row adds up to 1."""
        queries, keys = self.queries[number](asking).flatten(2), self.keys[number](asked).flatten(2)
        return torch.softmax(queries.transpose(1, 2) @ keys / queries.shape[1] ** 0.5, dim=2)

    def _found(self, asking: torch.Tensor, asked: torch.Tensor, number: int) -> torch.Tensor:
        values = self.values[number](asked).flatten(2)
        return (values @ self.weights(asking, asked, number).transpose(1, 2)).reshape(asking.shape)


class SRM(nn.Module):
    """Logits (n,) of fake: 30 times the difference of the cosines to both classes. options: of Xception."""

    def __init__(self, **options: Any):
        super().__init__()
        self.noise = Noise()
        self.pixel_stream, self.noise_stream = Xception(**options), Xception(**options)
        width, between = self.pixel_stream.top.in_features, self.pixel_stream.between
        self.pixel_stream.top, self.noise_stream.top = nn.Identity(), nn.Identity()
        self.attention, self.crossing = PixelAttention(between), CrossAttention(between)
        self.top = Cosines(2 * width, 2)

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        """(n, 2 widths) of both streams, side by side."""
        seen, heard = self.pixel_stream.entry(pixels), self.noise_stream.entry(self.noise(pixels))
        seen, heard = self.crossing(seen * (1 + self.attention(heard)), heard)
        streams = ((self.pixel_stream, seen), (self.noise_stream, heard))
        return torch.cat([net.exit(net.middle(found)).mean((2, 3)) for net, found in streams], dim=1)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        cosines = self.top(self.features(pixels))
        return AM_SCALE * (cosines[:, 1] - cosines[:, 0])

    def loss(self, batch: Any) -> torch.Tensor:
        """AM-softmax of the cosines, margin 0.45, scale 30."""
        return am_softmax(self.top(self.features(batch["pixels"])), batch["labels"]).mean()
