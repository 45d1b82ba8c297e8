"""What detectors minimise: (network, batch) -> a scalar, of a batch: pixels, labels (1 fake), and more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cosine_similarity, interpolate

from accord.train.losses.tail import dag, daw

Batch = Mapping[str, torch.Tensor]
VIEWED = 7 / 8
"""Of the side of a picture, in one view of CORE: what AI-Face's crop of 224 of 256 px leaves."""


def plain(net: Any, batch: Batch) -> torch.Tensor:
    """The mean cross-entropy."""
    return _each(net(batch["pixels"]), batch).mean()


def worst(net: Any, batch: Batch) -> torch.Tensor:
    """DAG-FDD: the tail of the batch."""
    return dag(_each(net(batch["pixels"]), batch))


def worst_groups(net: Any, batch: Batch) -> torch.Tensor:
    """DAW-FDD: the tail over `groups` (n,), integers, of the tail within each."""
    return daw(_each(net(batch["pixels"]), batch), batch["groups"])


def consistent(net: Any, batch: Batch) -> torch.Tensor:
    """CORE (Ni et al. 2022): cross-entropy of two views of each picture, and their features' distance from parallel.

    pixels and `views` (n, 3, side, side): row by row two augmentations of one picture, not two faces. Without `views`
    both are drawn here.
    """
    pixels = batch["pixels"]
    pair = (pixels, batch["views"]) if "views" in batch else (view(pixels), view(pixels))
    first, second = map(net.features, pair)
    scores = [net.top(found)[:, 0] for found in (first, second)]
    apart = (cosine_similarity(first.float(), second.float()) - 1).square().mean()
    return sum(_each(found, batch).mean() for found in scores) / 2 + apart


def view(pixels: torch.Tensor) -> torch.Tensor:
    """Each picture (n, 3, side, side) mirrored or not, and a part of VIEWED of its side, enlarged to the whole.

    Drawn by torch's own generator, on the processor: the same on each device.
    """
    side = pixels.shape[-1]
    part = max(1, round(VIEWED * side))
    mirrored, places = torch.rand(len(pixels)) < 0.5, torch.randint(0, side - part + 1, (len(pixels), 2)).tolist()
    turned = torch.where(mirrored.to(pixels.device)[:, None, None, None], pixels.flip(-1), pixels)
    parts = [one[None, :, y : y + part, x : x + part] for one, (y, x) in zip(turned, places, strict=True)]
    return torch.cat([interpolate(one, size=(side, side), mode="bilinear", align_corners=False) for one in parts])


def _each(scores: torch.Tensor, batch: Batch) -> torch.Tensor:
    """The cross-entropy (n,) in float32: of tails in bfloat16 most would be equal."""
    return binary_cross_entropy_with_logits(scores.float(), batch["labels"].float(), reduction="none")
