"""Sampling from the embedded model: DDIM, eta 0, with classifier-free guidance that does not over-expose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from accord.privacy.painting.diffusion import GRID, SIDE, SPREAD, Inpainter, cells, condition, encode_text

if TYPE_CHECKING:
    from torch import Tensor

    from accord.privacy.painting.request import Request

RESCALE = 0.7


def sample(model: Inpainter, images: Tensor, holes: Tensor, requests: Sequence[Request]) -> Tensor:
    """The images with their holes painted: float (B, 3, SIDE, SIDE) in [-1, 1].

    images likewise; holes: bool (B, 1, SIDE, SIDE); one request for each, all with the same number of steps; the same
    seed gives the same picture.
    """
    import torch
    from torch.nn.functional import interpolate

    with torch.inference_mode():
        text = encode_text(model, [r.prompt for r in requests] + [r.negative for r in requests])
        base, known = condition(images, holes)
        inside = (cells(holes.to(images.dtype)) > 0).to(images.dtype).expand(-1, 3, -1, -1)
        guidance = torch.tensor([r.guidance for r in requests]).view(-1, 1, 1, 1)
        latent = _noise(requests) * inside
        model.scheduler.set_timesteps(requests[0].steps)
        for step in model.scheduler.timesteps:
            pair = torch.cat([torch.cat([latent, known], 1)] * 2)
            wanted, unwanted = model.unet(pair, step, text).sample.chunk(2)
            clean = guided(wanted, unwanted, guidance, inside)
            latent = model.scheduler.step(clean, step, latent, eta=0.0).prev_sample * inside
        missed = interpolate(SPREAD * latent, size=(SIDE, SIDE), mode="bicubic", align_corners=False)
        return torch.where(holes, (base + missed).clamp(-1, 1), images)


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
