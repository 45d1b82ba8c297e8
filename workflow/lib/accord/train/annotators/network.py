"""The part of an annotator that learns: layers upon an encoder's features, and a head with a score for each class."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import nn


class Annotator(nn.Module):
    """Scores (n, classes) of features (n, width). hidden: widths of the layers before the head."""

    def __init__(self, width: int, hidden: Sequence[int], classes: int):
        super().__init__()
        layers: list[nn.Module] = []
        for before, after in pairwise([width, *hidden]):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.top = nn.Linear(hidden[-1], classes)

    def features(self, seen: torch.Tensor) -> torch.Tensor:
        """What the head reads (n, width of the last layer)."""
        return self.body(seen)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return self.top(self.features(seen))
