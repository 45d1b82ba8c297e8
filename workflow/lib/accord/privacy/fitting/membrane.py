"""The smoothest continuation of an image into a hole: Laplace's equation, solved coarse to fine.

Its solution is the starting point of the diffusion model, the last resort when a model paints a person, and the
correction that takes the seam away (a membrane clamped along the hole's border: Perez, Gangnet and Blake, "Poisson
image editing", 2003). The solver is cascadic: a fill at half the size starts each level, Jacobi sweeps smooth it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def membrane(image: Tensor, known: Tensor, sweeps: int = 10) -> Tensor:
    """Fill what is not known.

    image: float (B, C, H, W); known: bool (B, 1, H, W). Known pixels come back unchanged; an image with no known
    pixel becomes zero. The image's own border insulates (Neumann condition).
    """
    from torch import where
    from torch.nn.functional import avg_pool2d, interpolate, pad

    weight = known.to(image.dtype)
    if max(image.shape[-2:]) <= 2:
        total = weight.sum((-2, -1), keepdim=True)
        mean = (image * weight).sum((-2, -1), keepdim=True) / total.clamp(min=1)
        return where(known, image, mean)
    share = avg_pool2d(weight, 2, ceil_mode=True, count_include_pad=False)
    coarse = avg_pool2d(image * weight, 2, ceil_mode=True, count_include_pad=False) / share.clamp(min=1e-6)
    coarse = membrane(coarse, share > 0, sweeps)
    filled = interpolate(coarse, size=image.shape[-2:], mode="bilinear", align_corners=False)
    for _ in range(sweeps):
        filled = where(known, image, filled)
        around = pad(filled, (1, 1, 1, 1), mode="replicate")
        filled = (around[..., :-2, 1:-1] + around[..., 2:, 1:-1] + around[..., 1:-1, :-2] + around[..., 1:-1, 2:]) / 4
    return where(known, image, filled)
