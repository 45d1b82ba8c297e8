"""From features and classes to a trained annotator: what the loop is given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch

from accord.models.adapters.nets import torch_nets
from accord.train.annotators import stored
from accord.train.annotators.network import Annotator
from accord.train.annotators.objective import objective
from accord.train.learning import checkpoint
from accord.train.learning.loop import Task, identity, learn
from accord.train.learning.plan import Plan
from accord.train.losses.sam import SAM


class Seen(NamedTuple):
    """n pictures. features: (n, width) float32; classes: (n,) numbers of their classes, -1 for one that nobody of the
    training has; learnt: (n,) bool, the others watch."""

    features: np.ndarray
    classes: np.ndarray
    learnt: np.ndarray


def train(seen: Seen, names: list[str], spec: dict[str, Any], plan: Plan, source: str, model: Path) -> pd.DataFrame:
    """Train, write the weights to `model`, drop the checkpoint, and return the history as table Curve has it.

    names: of the classes, by number; source: a digest of pictures, settings and code.
    """
    torch_nets.settle()
    device = torch_nets.device()
    features, classes = torch.tensor(seen.features, device=device), torch.tensor(seen.classes, device=device)
    mine, others = np.flatnonzero(seen.learnt), np.flatnonzero(~seen.learnt & (seen.classes >= 0))
    torch.manual_seed(plan.seed)
    net = Annotator(seen.features.shape[1], spec["hidden"], len(names)).to(device)
    optimiser: torch.optim.Optimizer = torch.optim.Adam(net.parameters(), lr=plan.rate)
    if spec["sam"]:
        optimiser = SAM(net, optimiser, spec["sam"], spec["ball"])

    def batch(numbers: np.ndarray) -> dict[str, torch.Tensor]:
        return {"seen": features[mine[numbers]], "classes": classes[mine[numbers]]}

    counts = torch.bincount(classes[mine], minlength=len(names))
    metric = _recall(features[others], classes[others]) if len(others) else None
    task = Task(net, optimiser, len(mine), batch, objective(spec, counts), source, metric)
    kept = checkpoint.of_model(model)
    checkpoint.drop_other(kept, identity(task, plan))
    history = learn(task, plan, kept.parent, kept.name)
    stored.write(model, net, {**spec, "classes": names, "width": seen.features.shape[1]}, source)
    kept.unlink(missing_ok=True)
    return history


def _recall(features: torch.Tensor, classes: torch.Tensor) -> Callable[[Any], float]:
    """The mean, over the classes that there are, of the share of each that is told right."""

    def metric(net: Annotator) -> float:
        right = (net(features).argmax(1) == classes).double()
        return float(torch.stack([right[classes == one].mean() for one in classes.unique()]).mean())

    return metric
