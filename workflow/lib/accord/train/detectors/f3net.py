"""F3Net's frequency-aware decomposition (Qian et al. 2020, section 3.1) before Xception; without its branch LFS."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from accord.train.detectors.xception import Xception
from accord.train.losses.precision import exactly

LOW, MIDDLE = 1 / 2.82, 1 / 2
"""Ends of the low and the middle band, as shares of the side."""


def cosines(side: int) -> torch.Tensor:
    """The orthonormal matrix (side, side) of the discrete cosine transform (type II)."""
    k, n = torch.arange(side, dtype=torch.float64)[:, None], torch.arange(side, dtype=torch.float64)
    made = math.sqrt(2 / side) * torch.cos(math.pi * k * (2 * n + 1) / (2 * side))
    made[0] /= math.sqrt(2)
    return made.float()


def bands(side: int) -> torch.Tensor:
    """Masks (4, side, side) of low, middle and high frequencies, which share none, and of all."""
    place = torch.arange(side)[:, None] + torch.arange(side)
    low, middle = place <= side * LOW, place <= side * MIDDLE
    return torch.stack([low, middle & ~low, ~middle, torch.ones_like(low)]).float()


class Decomposition(nn.Module):
    """Pictures (n, 3, side, side) -> (n, 12, side, side): each band, reweighted by what is learnt, as a picture.

    The weights begin at 0, so bands begin pure. Random ones let low frequencies, which are far stronger, into the
    picture of the high ones, and small trainings never got rid of them.
    """

    def __init__(self, side: int):
        super().__init__()
        self.register_buffer("cosines", cosines(side), persistent=False)
        self.register_buffer("bands", bands(side), persistent=False)
        self.weight = nn.Parameter(torch.zeros(4, side, side))

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        with exactly(pixels):
            spectrum = self.cosines @ pixels @ self.cosines.T
            kept = spectrum[:, None] * (self.bands + 2 * torch.sigmoid(self.weight) - 1)[:, None]
            return (self.cosines.T @ kept @ self.cosines).flatten(1, 2)


class F3Net(Xception):
    """Logits (n,) of fake, of pictures of one `side`. options: of Xception."""

    def __init__(self, side: int = 256, **options: Any):
        super().__init__(channels=12, **options)
        self.decomposition = Decomposition(side)

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        return super().features(self.decomposition(pixels))

    def first_filters(self, filters: torch.Tensor) -> torch.Tensor:
        """A quarter of the filters for each band, as in the public code."""
        return filters.repeat(1, 4, 1, 1) / 4
