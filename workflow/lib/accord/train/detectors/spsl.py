"""SPSL (Liu et al. 2021): Xception that sees, as a fourth channel, what the phase of the spectrum alone shows."""

from __future__ import annotations

from typing import Any

import torch

from accord.train.detectors.xception import Xception

GREY = (0.299, 0.587, 0.114)
"""Weights of red, green and blue (ITU-R BT.601)."""


def phase_picture(pixels: torch.Tensor) -> torch.Tensor:
    """The inverse Fourier transform of exp(i phase) of grey (n, 1, side, side), of pictures (n, 3, side, side).

    Over height and width alone: over the batch as well, a picture's score would depend on its neighbours.
    """
    grey = (pixels * pixels.new_tensor(GREY)[:, None, None]).sum(1, keepdim=True)
    phase = torch.fft.fft2(grey, dim=(-2, -1)).angle()
    return torch.fft.ifft2(torch.polar(torch.ones_like(phase), phase), dim=(-2, -1)).real


class SPSL(Xception):
    """Logits (n,) of fake. options: of Xception."""

    def __init__(self, **options: Any):
        super().__init__(channels=4, **options)

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        return super().features(torch.cat([pixels, phase_picture(pixels)], dim=1))

    def first_filters(self, filters: torch.Tensor) -> torch.Tensor:
        """The mean of the filters' colours for each of the four channels, as in the public code."""
        return filters.mean(1, keepdim=True).repeat(1, 4, 1, 1)
