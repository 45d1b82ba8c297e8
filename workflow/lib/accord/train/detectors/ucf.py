"""UCF (Yan et al. 2023): content and fingerprint apart, and of the fingerprint what all forgeries have in common.

The fingerprint's features are halved: one half tells the method, the other, which alone gives the score, whether a
picture is fake. Fingerprint and content together must make the picture again, with another picture's content too.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, interpolate, relu

from accord.train.detectors.xception import Xception

METHOD, RECONSTRUCTION, CONTRAST = 0.1, 0.3, 0.05
MARGIN = 3.0
SPREAD = 1e-5


def adain(content: torch.Tensor, style: torch.Tensor) -> torch.Tensor:
    """Content (n, c, h, w) with each channel's mean and deviation those of style (n, c, h, w).

    Huang and Belongie 2017, equation 8.
    """
    mean, deviation = _statistics(content)
    wanted, spread = _statistics(style)
    return spread * (content - mean) / deviation + wanted


def contrastive(features: torch.Tensor, labels: torch.Tensor, margin: float = MARGIN) -> torch.Tensor:
    """The mean over triples in a batch (n, width) of max(0, margin + distance to one's own label - to the other).

    Distances are Euclidean. 0 where no label has two pictures and the other one.
    """
    apart = torch.cdist(features, features, compute_mode="donot_use_mm_for_euclid_dist")
    same = labels[:, None] == labels
    own = same & ~torch.eye(len(labels), dtype=torch.bool, device=labels.device)
    triples = own[:, :, None] & ~same[:, None, :]
    losses = relu(margin + apart[:, :, None] - apart[:, None, :])
    return (losses * triples).sum() / triples.sum().clamp_min(1)


class Decoder(nn.Module):
    """Pictures (n, 3, side, side) from content, dressed by AdaIN in a fingerprint, both (n, c, h, w)."""

    def __init__(self, channels: int):
        super().__init__()
        inner = max(4, channels // 4)
        self.first, self.second = nn.Conv2d(channels, inner, 3, padding=1), nn.Conv2d(inner, inner, 3, padding=1)
        self.last = nn.Conv2d(inner, 3, 3, padding=1)

    def forward(self, fingerprint: torch.Tensor, content: torch.Tensor, side: int) -> torch.Tensor:
        made = relu(self.first(adain(content, fingerprint)))
        made = relu(self.second(interpolate(made, scale_factor=4, mode="nearest")))
        return torch.tanh(self.last(interpolate(made, size=(side, side), mode="nearest")))


class Head(nn.Module):
    """A 1 x 1 convolution of half a fingerprint, the mean over places, and a linear layer: features, scores."""

    def __init__(self, channels: int, classes: int):
        super().__init__()
        self.body, self.top = nn.Conv2d(channels, channels, 1), nn.Linear(channels, classes)

    def forward(self, half: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = relu(self.body(half)).mean((2, 3))
        return features, self.top(features)


class UCF(nn.Module):
    """Logits (n,) of fake. methods: how many there are, real pictures counted as one; options: of Xception."""

    def __init__(self, methods: int, **options: Any):
        super().__init__()
        self.content, self.fingerprint = Trunk(**options), Trunk(**options)
        self.half = self.fingerprint.channels // 2
        self.common, self.method = Head(self.half, 1), Head(self.fingerprint.channels - self.half, methods)
        self.decoder = Decoder(self.fingerprint.channels)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.common(self.fingerprint(pixels)[:, : self.half])[1][:, 0]

    def loss(self, batch: Any) -> torch.Tensor:
        """Common + 0.1 method + 0.3 reconstructions + 0.05 contrast, over a batch of pixels, labels and methods."""
        pixels, labels = batch["pixels"], batch["labels"]
        content, fingerprint = self.content(pixels), self.fingerprint(pixels)
        features, scores = self.common(fingerprint[:, : self.half])
        marks, methods = self.method(fingerprint[:, self.half :])
        told = binary_cross_entropy_with_logits(scores[:, 0].float(), labels.float())
        contrast = contrastive(features.float(), labels) + contrastive(marks.float(), labels)
        made = self.reconstructions(pixels, labels, content, fingerprint)
        return (
            told
            + METHOD * cross_entropy(methods.float(), batch["methods"])
            + RECONSTRUCTION * made
            + CONTRAST * contrast
        )

    def reconstructions(
        self, pixels: torch.Tensor, labels: torch.Tensor, content: torch.Tensor, fingerprint: torch.Tensor
    ) -> torch.Tensor:
        """The sum of four mean absolute differences: each of a pair of real and fake, made again from its fingerprint
        and its own content, and from its fingerprint and the other's content.

        The n-th real picture of the batch goes with the n-th fake; 0 where one of them is missing.
        """
        real, fake = (labels == 0).nonzero()[:, 0], (labels == 1).nonzero()[:, 0]
        count, side, total = min(len(real), len(fake)), pixels.shape[-1], pixels.new_zeros(())
        if not count:
            return total
        for own, other in ((real[:count], fake[:count]), (fake[:count], real[:count])):
            itself = self.decoder(fingerprint[own], content[own], side)
            crossed = self.decoder(fingerprint[own], content[other], side)
            total = total + (itself - pixels[own]).abs().mean() + (crossed - pixels[own]).abs().mean()
        return total


class Trunk(Xception):
    """Features (n, channels, h, w) of Xception's entry and middle flow."""

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.channels = self.between
        del self.exit, self.top

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.middle(self.entry(pixels))

    def spare(self) -> tuple[str, ...]:
        """As Xception's, and the exit flow."""
        return (*super().spare(), f"block{4 + len(self.middle)}.", "conv3.", "bn3.", "conv4.", "bn4.")


def _statistics(features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and deviation (n, c, 1, 1) over places."""
    variance = features.var((2, 3), keepdim=True, unbiased=False)
    return features.mean((2, 3), keepdim=True), (variance + SPREAD).sqrt()
