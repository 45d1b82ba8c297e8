"""Xception (Chollet 2017, figure 5), with a width of one's own, and one logit on top."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import nn

from accord.train.pretrained import fit

MIDDLE = 8
HEADS = ("fc.", "last_linear.")
"""The classes of ImageNet in Cadene's Xception, which timm calls legacy_xception."""


class Separable(nn.Sequential):
    """A depthwise and a pointwise convolution, and a batch norm."""

    def __init__(self, before: int, after: int):
        super().__init__(
            nn.Conv2d(before, before, 3, padding=1, groups=before, bias=False),
            nn.Conv2d(before, after, 1, bias=False),
            nn.BatchNorm2d(after),
        )


class Block(nn.Module):
    """Separable convolutions of widths `widths`, each after a ReLU but the first if not `rise`, and a shortcut."""

    def __init__(self, widths: tuple[int, ...], stride: int, rise: bool = True):
        super().__init__()
        parts: list[nn.Module] = []
        for number, (before, after) in enumerate(pairwise(widths)):
            parts += [*([nn.ReLU()] if number or rise else []), Separable(before, after)]
        self.body = nn.Sequential(*parts, *([nn.MaxPool2d(3, stride, 1)] if stride > 1 else []))
        first, last = widths[0], widths[-1]
        plain = first == last and stride == 1
        shortcut = nn.Sequential(nn.Conv2d(first, last, 1, stride, bias=False), nn.BatchNorm2d(last))
        self.shortcut = nn.Identity() if plain else shortcut

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x) + self.shortcut(x)


class Xception(nn.Module):
    """Features (n, 2048 `width`) of pictures (n, channels, side, side); logits (n,) of fake when called.

    width: 1 is the published network; middle: blocks of the middle flow, 8 there. `between` is the number of channels
    from the entry flow to the exit flow.
    """

    def __init__(self, width: float = 1.0, middle: int = MIDDLE, channels: int = 3):
        super().__init__()
        a, b, c, d, e, f, g, h = (max(1, round(n * width)) for n in (32, 64, 128, 256, 728, 1024, 1536, 2048))
        self.entry = nn.Sequential(
            *(nn.Conv2d(channels, a, 3, 2, bias=False), nn.BatchNorm2d(a), nn.ReLU()),
            *(nn.Conv2d(a, b, 3, bias=False), nn.BatchNorm2d(b), nn.ReLU()),
            *(Block((b, c, c), 2, rise=False), Block((c, d, d), 2), Block((d, e, e), 2)),
        )
        self.between = e
        self.middle = nn.Sequential(*(Block((e, e, e, e), 1) for _ in range(middle)))
        self.exit = nn.Sequential(Block((e, e, f), 2), Separable(f, g), nn.ReLU(), Separable(g, h), nn.ReLU())
        self.top = nn.Linear(h, 1)

    def features(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.exit(self.middle(self.entry(pixels))).mean((2, 3))

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.top(self.features(pixels))[:, 0]

    def begin_with(self, state: fit.State) -> fit.Fit:
        """Copy the tensors of a published Xception, under Cadene's and timm's names."""
        return fit.by_names(self, state, self._published_names(), self.spare(), self._shaped)

    def spare(self) -> tuple[str, ...]:
        """How the names of published tensors begin that this network has no use for."""
        return HEADS

    def first_filters(self, filters: torch.Tensor) -> torch.Tensor:
        """The filters (n, channels, 3, 3) of the first convolution, of those (n, 3, 3, 3) for red, green and blue."""
        return filters

    def _shaped(self, name: str, tensor: torch.Tensor) -> torch.Tensor:
        if name == "entry.0.weight" and tensor.ndim == 4:
            return self.first_filters(tensor)
        # Cadene's first file has pointwise convolutions as matrices.
        return tensor[..., None, None] if name.endswith(".1.weight") and tensor.ndim == 2 else tensor

    def _published_names(self) -> dict[str, str]:
        """The network's name of each tensor that Cadene's has too -> the name there."""
        parts = {"entry.0": "conv1", "entry.1": "bn1", "entry.3": "conv2", "entry.4": "bn2"}
        after = {"exit.1": ("conv3", "bn3"), "exit.3": ("conv4", "bn4")}
        blocks = [(name, part) for name, part in self.named_modules() if isinstance(part, Block)]
        for number, (name, block) in enumerate(blocks, 1):
            parts |= {f"{name}.shortcut.0": f"block{number}.skip", f"{name}.shortcut.1": f"block{number}.skipbn"}
            separables = [place for place, part in enumerate(block.body) if isinstance(part, Separable)]
            # There, a separable convolution and its batch norm are two places of a block.
            after |= {
                f"{name}.body.{place}": (f"block{number}.rep.{place + n}", f"block{number}.rep.{place + n + 1}")
                for n, place in enumerate(separables)
            }
        for name, (convolution, norm) in after.items():
            parts |= {f"{name}.0": f"{convolution}.conv1", f"{name}.1": f"{convolution}.pointwise", f"{name}.2": norm}
        split = {name: name.rpartition(".") for name in self.state_dict() if not name.endswith(fit.COUNTED)}
        return {name: f"{parts[part]}.{leaf}" for name, (part, _, leaf) in split.items() if part in parts}
