"""Small vision transformers that know how pictures vary, and nothing else: weights to begin with where none can be had.

Whitened (principal components of one size) are patches and, of a CLIP, what it says of pictures, both of other rendered
people; places are told as loudly as patches; all else is random. At the library's own scales a random encoder says
brightness and colour, little of detail and nearly nothing of where it is missing. No forgery is shown to it.
After Coates, Ng and Lee 2011, "An analysis of single-layer networks in unsupervised feature learning".
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from accord.imaging import decode
from accord.train.pictures.reading import normalised

PEOPLE = Path("tests/data/foundation/facet/imgs_1")
"""Pictures of rendered people who are in no archive of faces."""
CROPS = 1500
LEAST = 1e-4
"""Of the largest variance: components of less aren't made large."""


def clip(path: Path, options: dict[str, Any], mean: Sequence[float], std: Sequence[float]) -> None:
    """Write a CLIP vision encoder, a safetensors file. options: of transformers' CLIPVisionConfig."""
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    torch.manual_seed(0)
    net = CLIPVisionModelWithProjection(CLIPVisionConfig(**options)).eval()
    seen = torch.from_numpy(normalised(crops(net.config.image_size), mean, std))
    _begin(net, seen)
    with torch.no_grad():
        said = torch.cat([net.vision_model(pixel_values=part).pooler_output for part in seen.split(64)])
        net.visual_projection.weight.copy_(_whitening(said.T @ said / len(said), net.config.projection_dim))
    _save(path, net)


def vit(path: Path, options: dict[str, Any], mean: Sequence[float], std: Sequence[float]) -> None:
    """Write a ViT, a safetensors file. options: of transformers' ViTConfig."""
    from transformers import ViTConfig, ViTModel

    torch.manual_seed(0)
    net = ViTModel(ViTConfig(**options), add_pooling_layer=False)
    _begin(net, torch.from_numpy(normalised(crops(net.config.image_size), mean, std)))
    _save(path, net)


def _begin(net: nn.Module, seen: torch.Tensor) -> None:
    """Whiten the patches of pictures (n, 3, side, side), and draw all else so that no layer says less than the last."""
    for part in net.modules():
        if isinstance(part, nn.Linear):
            nn.init.normal_(part.weight, std=part.in_features**-0.5)
            if part.out_features > part.in_features:
                nn.init.normal_(part.bias)  # units bend at different places
    for name, tensor in net.named_parameters():
        if "position_embedding" in name:
            nn.init.normal_(tensor)
    filters = next(part for part in net.modules() if isinstance(part, nn.Conv2d))
    patches = nn.functional.unfold(seen, filters.kernel_size, stride=filters.stride).transpose(1, 2).flatten(0, 1)
    with torch.no_grad():
        whitening = _whitening(torch.cov(patches.T), filters.out_channels)
        filters.weight.copy_(whitening.reshape(filters.weight.shape))


def _whitening(moments: torch.Tensor, most: int) -> torch.Tensor:
    """Rows (most, n): the principal components of second moments (n, n), the largest first, each divided by its size;
    zeros where there are fewer."""
    sizes, components = torch.linalg.eigh(moments.double())
    rows = (components / torch.sqrt(sizes + LEAST * sizes.max())).T.flip(0)[:most]
    return nn.functional.pad(rows, (0, 0, 0, most - len(rows))).float()


def _save(path: Path, net: nn.Module) -> None:
    save_file({name: tensor.contiguous() for name, tensor in net.state_dict().items()}, path)


def crops(side: int) -> np.ndarray:
    """Parts of the pictures of PEOPLE, uint8 (CROPS, side, side, 3)."""
    rng = np.random.default_rng(0)
    pictures = [decode.decode(path.read_bytes()) for path in sorted(PEOPLE.glob("*.jpg"))]
    return np.stack([_crop(pictures[rng.integers(len(pictures))], side, rng) for _ in range(CROPS)])


def _crop(picture: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
    whole = min(picture.shape[:2])
    part = int(rng.integers(min(side, whole), whole + 1))
    y, x = (int(rng.integers(length - part + 1)) for length in picture.shape[:2])
    return cv2.resize(picture[y : y + part, x : x + part], (side, side), interpolation=cv2.INTER_AREA)
