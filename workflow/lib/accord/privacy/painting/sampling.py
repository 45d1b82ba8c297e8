"""Sampling from the embedded model: DDIM, eta 0, with classifier-free guidance that does not over-expose."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from accord.privacy.painting.diffusion import GRID, SIDE, SPREAD, Inpainter, cells, condition

if TYPE_CHECKING:
    from torch import Tensor

    from accord.privacy.painting.request import Request

RESCALE = 0.7
LEARNT = 1000
"""Steps that the model has learnt."""
MOST_NOISE = 0.999
"""That a step adds at most."""


def sample(model: Inpainter, images: Tensor, holes: Tensor, requests: Sequence[Request]) -> Tensor:
    """The images with their holes painted: float (B, 3, SIDE, SIDE) in [-1, 1].

    images likewise; holes: bool (B, 1, SIDE, SIDE); one request for each, all with the same number of steps; the same
    seed gives the same picture.
    """
    import torch
    from torch.nn.functional import interpolate

    with torch.inference_mode():
        text = model.encode_text([r.prompt for r in requests] + [r.negative for r in requests])
        base, known = condition(images, holes)
        inside = (cells(holes.to(images.dtype)) > 0).to(images.dtype).expand(-1, 3, -1, -1)
        guidance = torch.tensor([r.guidance for r in requests]).view(-1, 1, 1, 1)
        latent = _noise(requests) * inside
        for step, signal, next_signal in schedule(requests[0].steps):
            pair = torch.cat([torch.cat([latent, known], 1)] * 2)
            wanted, unwanted = model.unet(pair, step, text).chunk(2)
            clean = guided(wanted, unwanted, guidance, inside)
            latent = moved(latent, clean, signal, next_signal) * inside
        missed = interpolate(SPREAD * latent, size=(SIDE, SIDE), mode="bicubic", align_corners=False)
        return torch.where(holes, (base + missed).clamp(-1, 1), images)


def moved(latent: Tensor, clean: Tensor, signal: Tensor, next_signal: Tensor) -> Tensor:
    """What is left of the noise after a step of DDIM (Song et al. 2021, formula 12 with eta 0)."""
    noise = (latent - signal**0.5 * clean) / (1 - signal) ** 0.5
    return next_signal**0.5 * clean + (1 - next_signal) ** 0.5 * noise


def schedule(steps: int) -> Iterator[tuple[int, Tensor, Tensor]]:
    """The number of each step, last first, the share of its variance that is signal, and that after it."""
    import torch

    signal = signals()
    for part in range(steps):
        step = round(LEARNT * (1 - part / steps)) - 1
        after = step - LEARNT // steps
        yield step, signal[step], signal[after] if after >= 0 else torch.tensor(1.0)


@cache
def signals() -> Tensor:
    """The share of variance that is signal at each of the steps that were learnt: a squared cosine (Nichol and Dhariwal
    2021), bent so that nothing is left in the last one (Lin et al. 2023, algorithm 1). In the order of diffusers'
    operations, whose last bits count."""
    import torch

    cosines = [math.cos((step / LEARNT + 0.008) / 1.008 * math.pi / 2) ** 2 for step in range(LEARNT + 1)]
    betas = [min(1 - after / before, MOST_NOISE) for before, after in pairwise(cosines)]
    roots = (1 - torch.tensor(betas)).cumprod(0).sqrt()
    bent = ((roots - roots[-1]) * (roots[0] / (roots[0] - roots[-1]))) ** 2
    return (1 - (1 - torch.cat([bent[:1], bent[1:] / bent[:-1]]))).cumprod(0)


def guided(wanted: Tensor, unwanted: Tensor, guidance: float | Tensor, inside: Tensor) -> Tensor:
    """Guidance, its spread pulled back towards the unguided one (Lin et al. 2023, section 3.4), inside the hole."""
    pushed = unwanted + guidance * (wanted - unwanted)
    matched = pushed * (deviation(wanted, inside) / deviation(pushed, inside))
    return RESCALE * matched + (1 - RESCALE) * pushed


def deviation(values: Tensor, inside: Tensor) -> Tensor:
    """Root mean square inside the hole of each picture, (B, 1, 1, 1); 1 where the hole is empty."""
    power = (values**2 * inside).sum((1, 2, 3), keepdim=True) / inside.sum((1, 2, 3), keepdim=True).clamp(min=1)
    return power.sqrt().clamp(min=1e-6)


def _noise(requests: Sequence[Request]) -> Tensor:
    """Of each request's own seed."""
    import torch

    shape = (1, 3, GRID, GRID)
    return torch.cat([torch.randn(shape, generator=torch.Generator().manual_seed(r.seed)) for r in requests])
