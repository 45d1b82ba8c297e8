"""What an annotator minimises: vector scaling, and how far the features of each class are from those of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

from accord.train.annotators.network import Annotator
from accord.train.losses import margins, sinkhorn
from accord.train.losses.precision import exactly

Batch = Mapping[str, torch.Tensor]


def objective(spec: Mapping[str, Any], counts: torch.Tensor) -> Callable[[Annotator, Batch], torch.Tensor]:
    """(network, batch) -> a scalar, of a batch: `seen` (n, width), `classes` (n,).

    spec: its `shift`, `power`, `fairness`, `entropy`, `rounds`; counts: training pictures of each class (classes,). The
    weights u of the VS loss are 1.
    """

    def minimised(net: Annotator, batch: Batch) -> torch.Tensor:
        found = net.features(batch["seen"])
        scores = net.top(found).float()
        loss = margins.vector_scaling(scores, batch["classes"], counts, spec["power"], spec["shift"]).mean()
        if not spec["fairness"]:
            return loss
        with exactly(found):
            return loss + spec["fairness"] * apart(found.float(), batch["classes"], spec["entropy"], spec["rounds"])

    return minimised


def apart(features: torch.Tensor, classes: torch.Tensor, entropy: float, rounds: int) -> torch.Tensor:
    """The sum, over the classes of a batch, of Sinkhorn divergences between the features of all and of the class."""
    each = [sinkhorn.divergence(features, features[classes == one], entropy, rounds) for one in classes.unique()]
    return torch.stack(each).sum()
