"""PG-FDD (Lin et al. 2024): UCF with a demographic encoder; the score is of what forgeries have in common, dressed in
demographic features, and learnt from the worst groups."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, relu

from accord.train.detectors.ucf import UCF, Head, Trunk, adain
from accord.train.losses.margins import Cosines, ldam, ldam_margins
from accord.train.losses.tail import daw

DEMOGRAPHIC = 0.1


class PGFDD(UCF):
    """Logits (n,) of fake. methods: as UCF's; groups: how many pictures each demographic group has in the training.

    SAM, with which it is published, is the optimiser's (`sam`).
    """

    def __init__(self, methods: int, groups: list[int], **options: Any):
        super().__init__(methods, **options)
        self.demographic = Trunk(**options)
        self.dressed = nn.Conv2d(self.demographic.channels, self.half, 1)
        self.group = Cosines(self.half, len(groups))
        self.fair = Head(self.half, 1)
        self.register_buffer("margins", ldam_margins(torch.tensor(groups)), persistent=False)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self._fair(self._dressed(pixels), self.fingerprint(pixels)[:, : self.half])

    def loss(self, batch: Any) -> torch.Tensor:
        """UCF's loss + 0.1 LDAM of the groups + DAW-FDD of the score, over a batch that has `groups` too."""
        pixels, labels = batch["pixels"], batch["labels"]
        dressed = self._dressed(pixels)
        cosines = self.group(relu(dressed).mean((2, 3)))
        scores = self._fair(dressed, self.fingerprint(pixels)[:, : self.half])
        each = binary_cross_entropy_with_logits(scores.float(), labels.float(), reduction="none")
        groups = ldam(cosines, batch["groups"], self.margins).mean()
        return super().loss(batch) + DEMOGRAPHIC * groups + daw(each, batch["groups"])

    def _dressed(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.dressed(self.demographic(pixels))

    def _fair(self, dressed: torch.Tensor, common: torch.Tensor) -> torch.Tensor:
        return self.fair(adain(dressed, common))[1][:, 0]
