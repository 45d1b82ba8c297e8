"""Sampling from the embedded model: DDIM, eta 0, with classifier-free guidance that does not over-expose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.privacy.diffusion import GRID, SIDE, SPREAD, Inpainter, cells, condition, encode_text

if TYPE_CHECKING:
    from torch import Tensor

RESCALE = 0.7


def sample(
    model: Inpainter, image: Tensor, hole: Tensor, prompts: tuple[str, str], guidance: float, seed: int, steps: int
) -> Tensor:
    """The image with its hole painted: float (1, 3, SIDE, SIDE) in [-1, 1].

    image likewise; hole: bool (1, 1, SIDE, SIDE); prompts: what is wanted, what is not; the same seed gives the
    same picture.
    """
    import torch
    from torch.nn.functional import interpolate

    with torch.inference_mode():
        text = encode_text(model, list(prompts))
        base, known = condition(image, hole)
        inside = (cells(hole.to(image.dtype)) > 0).to(image.dtype).expand(-1, 3, -1, -1)
        generator = torch.Generator().manual_seed(seed)
        latent = torch.randn(1, 3, GRID, GRID, generator=generator) * inside
        model.scheduler.set_timesteps(steps)
        for step in model.scheduler.timesteps:
            pair = torch.cat([torch.cat([latent, known], 1)] * 2)
            wanted, unwanted = model.unet(pair, step, text).sample.chunk(2)
            clean = guided(wanted, unwanted, guidance, inside)
            latent = model.scheduler.step(clean, step, latent, eta=0.0).prev_sample * inside
        missed = interpolate(SPREAD * latent, size=(SIDE, SIDE), mode="bicubic", align_corners=False)
        return torch.where(hole, (base + missed).clamp(-1, 1), image)


def guided(wanted: Tensor, unwanted: Tensor, guidance: float, inside: Tensor) -> Tensor:
    """Guidance, its spread pulled back towards the unguided one (Lin et al. 2023, section 3.4), inside the hole."""
    pushed = unwanted + guidance * (wanted - unwanted)
    matched = pushed * (deviation(wanted, inside) / deviation(pushed, inside))
    return RESCALE * matched + (1 - RESCALE) * pushed


def deviation(values: Tensor, inside: Tensor) -> Tensor:
    """Root mean square inside the hole; 1 where the hole is empty."""
    power = (values**2 * inside).sum() / inside.sum().clamp(min=1)
    return power.sqrt().clamp(min=1e-6)
