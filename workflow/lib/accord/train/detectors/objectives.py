"""What detectors minimise: (network, batch) -> a scalar, of a batch: pixels, labels (1 fake), and more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cosine_similarity

from accord.train.losses.tail import dag, daw

Batch = Mapping[str, torch.Tensor]


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

    pixels and `views` (n, 3, side, side): row by row two augmentations of one picture, not two faces.
    """
    first, second = net.features(batch["pixels"]), net.features(batch["views"])
    scores = [net.top(found)[:, 0] for found in (first, second)]
    apart = (cosine_similarity(first, second) - 1).square().mean()
    return sum(_each(found, batch).mean() for found in scores) / 2 + apart


def _each(scores: torch.Tensor, batch: Batch) -> torch.Tensor:
    return binary_cross_entropy_with_logits(scores, batch["labels"].to(scores.dtype), reduction="none")
