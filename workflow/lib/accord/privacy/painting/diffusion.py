"""The embedded inpainting model: a small text-conditioned diffusion model, kept as diffusers keeps one.

It decides what goes where, and leaves sharpness to exemplar.py: on a grid of GRID x GRID cells (PATCH x PATCH pixels of
a crop of SIDE x SIDE) it diffuses the mean colours that a membrane stretched over the hole misses,
x0 = cells(image - membrane) / SPREAD inside the hole, zero outside. The U-Net sees the noisy x0 and, rearranged into
cells, every pixel of the membrane-filled crop and of the hole.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from accord.models.weights import load_state
from accord.privacy.fitting.membrane import membrane

if TYPE_CHECKING:
    from torch import Tensor

    from accord.privacy.painting.prompt_encoder import PromptEncoder
    from accord.privacy.painting.unet import UNet

SIDE = 128
PATCH = 4
GRID = SIDE // PATCH
SPREAD = 0.12
FILES = ("unet/diffusion_pytorch_model.safetensors", "text_encoder/model.safetensors")


class Inpainter(NamedTuple):
    """The networks of the model, for prediction."""

    unet: UNet
    encode_text: PromptEncoder


def load(folder: Path) -> Inpainter:
    """Read both from the files that diffusers and transformers write, in single precision."""
    from accord.privacy.painting.prompt_encoder import PromptEncoder
    from accord.privacy.painting.unet import UNet

    unet, text = (_tensors(folder / file) for file in FILES)
    return Inpainter(UNet(unet), PromptEncoder(folder / "tokenizer/tokenizer.json", text))


def _tensors(path: Path) -> dict[str, Tensor]:
    return {name: values.float() for name, values in load_state(path).items()}


def cells(values: Tensor) -> Tensor:
    """Means of PATCH x PATCH pixels: (B, C, SIDE, SIDE) -> (B, C, GRID, GRID)."""
    from torch.nn.functional import avg_pool2d

    return avg_pool2d(values, PATCH)


def condition(image: Tensor, hole: Tensor) -> tuple[Tensor, Tensor]:
    """The membrane-filled image (B, 3, SIDE, SIDE) and the channels that tell the U-Net about it.

    image: float in [-1, 1], (B, 3, SIDE, SIDE); hole: bool (B, 1, SIDE, SIDE).
    """
    from torch import cat
    from torch.nn.functional import pixel_unshuffle

    base = membrane(image, ~hole)
    return base, cat([pixel_unshuffle(base, PATCH), pixel_unshuffle(hole.to(image.dtype), PATCH)], 1)
