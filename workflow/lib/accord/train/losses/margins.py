"""Softmax losses with margins: AM-softmax, LDAM, and vector scaling (VS)."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import cross_entropy, linear, normalize

from accord.errors import AccordError, Problem
from accord.train.losses.precision import exactly

AM_MARGIN, AM_SCALE = 0.45, 30.0
LDAM_MARGIN, LDAM_SCALE = 0.5, 30.0
VS_POWER, VS_SHIFT = 0.2, 1.0


class Cosines(nn.Module):
    """The last layer of AM-softmax and LDAM: cosines (n, classes) of features (n, width) and each class's direction."""

    def __init__(self, width: int, classes: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(classes, width))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        with exactly(features):
            return linear(normalize(features.float()), normalize(self.weight))


def am_softmax(
    cosines: torch.Tensor, labels: torch.Tensor, margin: float = AM_MARGIN, scale: float = AM_SCALE
) -> torch.Tensor:
    """AM-softmax (n,) of cosines (n, classes) and labels (n,): Wang et al. 2018, equation 6."""
    return _with_margins(cosines, labels, torch.full_like(cosines[0], margin), scale)


def ldam_margins(counts: torch.Tensor, most: float = LDAM_MARGIN) -> torch.Tensor:
    """The margins (classes,) of LDAM for classes of so many pictures: n^-1/4, scaled so that the largest is `most`.

    Cao et al. 2019, equation 13; the scale is that of the authors' code.
    """
    margins = _counted(counts).double().pow(-0.25)
    return (margins * (most / margins.max())).float()


def ldam(cosines: torch.Tensor, labels: torch.Tensor, margins: torch.Tensor, scale: float = LDAM_SCALE) -> torch.Tensor:
    """LDAM (n,) of cosines (n, classes), labels (n,) and the margins of `ldam_margins` (Cao et al. 2019)."""
    return _with_margins(cosines, labels, margins, scale)


def _with_margins(cosines: torch.Tensor, labels: torch.Tensor, margins: torch.Tensor, scale: float) -> torch.Tensor:
    own = nn.functional.one_hot(labels, cosines.shape[1]).to(cosines.dtype)
    return cross_entropy(scale * (cosines - own * margins), labels, reduction="none")


def vector_scaling(
    scores: torch.Tensor,
    labels: torch.Tensor,
    counts: torch.Tensor,
    power: float = VS_POWER,
    shift: float = VS_SHIFT,
) -> torch.Tensor:
    """VS loss (n,) of scores (n, classes) and labels (n,): softmax of zeta h + Delta, Kini et al. 2021, equation 2.

    counts: pictures of each class (classes,) in training; zeta = (N / N_max)^power, Delta = shift log(N / sum).
    """
    of = _counted(counts).to(scores.dtype)
    return cross_entropy((of / of.max()) ** power * scores + shift * (of / of.sum()).log(), labels, reduction="none")


def _counted(counts: torch.Tensor) -> torch.Tensor:
    if not len(counts) or bool((counts < 1).any()):
        raise AccordError(Problem("training", "a class has no picture", "leave the class out, or give pictures of it"))
    return counts
