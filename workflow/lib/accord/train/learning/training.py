"""From pictures and a spec to a trained network: what the loop is given, and what becomes of its checkpoint."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from accord.models.adapters.nets import torch_nets
from accord.release.sources.splits import TRAIN as TRAINING
from accord.train.detectors import catalogue
from accord.train.learning import checkpoint, launching, processes
from accord.train.learning.loop import Task, identity, learn
from accord.train.learning.plan import Plan
from accord.train.models import stored
from accord.train.pictures.reading import Pictures, Place
from accord.train.planning.pretrained import WEIGHTS
from accord.train.pretrained import loading

REAL = "real"
"""The method of pictures that nobody made."""


def train(
    shown: pd.DataFrame, where: list[Place], spec: dict[str, Any], plan: Plan, source: str, model: Path, watched: int,
    first: Path | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Train, write the weights to `model`, drop the checkpoint, and return the history as table Curve has it.

    shown: pictures as table Learnt has them, one row each, at `where`; watched: of those that aren't of the split
    `train` at most so many say how well the network does; first: the checked file of the weights that it begins with,
    None for random ones. In as many processes as the spec says.
    """
    way = in_process if spec["processes"] == 1 else launching.train
    history = way(shown, where, spec, plan, source, model, watched, first)
    checkpoint.of_model(model).unlink(missing_ok=True)
    return history


def in_process(
    shown: pd.DataFrame, where: list[Place], spec: dict[str, Any], plan: Plan, source: str, model: Path, watched: int,
    first: Path | None = None,
) -> pd.DataFrame:  # fmt: skip
    """As `train`, in this process, or with its like (`processes`); the checkpoint of the last step stays."""
    torch_nets.settle()
    device = torch_nets.device()
    pictures, facts = Pictures(where, spec), _facts(shown, device)
    mine = np.flatnonzero(shown["split"] == TRAINING)
    others = _evenly(np.flatnonzero(shown["split"] != TRAINING), watched)
    torch.manual_seed(plan.seed)
    net = catalogue.made(spec["detector"], options(spec, shown.iloc[mine]))
    if first is not None:
        loading.begin(net, first, spec[WEIGHTS]["name"])
    net.to(device)
    optimiser = catalogue.optimiser(net, spec["rate"], spec["momentum"], spec["decay"], spec["sam"])

    def batch(numbers: np.ndarray) -> dict[str, torch.Tensor]:
        chosen = mine[numbers]
        return {"pixels": torch.from_numpy(pictures.of(chosen)).to(device), **{k: v[chosen] for k, v in facts.items()}}

    metric = _auc(pictures, others, shown["label"].to_numpy()) if len(others) else None
    task = Task(net, optimiser, len(mine), batch, catalogue.of_objective(spec["objective"]), source, metric)
    kept = checkpoint.of_model(model)
    if processes.number() == 0:
        checkpoint.drop_other(kept, identity(task, plan))
    processes.meet()
    history = learn(task, plan, kept.parent, kept.name)
    if processes.number() == 0:
        stored.write(model, net, {**spec, "options": options(spec, shown.iloc[mine])}, source)
    processes.meet()
    return history


def options(spec: dict[str, Any], learnt: pd.DataFrame) -> dict[str, Any]:
    """The options of a network; of one that learns methods or groups, also how many there are of each."""
    wanted = spec.get("learns", [])
    counted = {
        "methods": len(_names(learnt, "method")),
        "groups": [int((learnt["group"] == name).sum()) for name in sorted(set(learnt["group"]))],
    }
    return {**spec["options"], **{name: counted[name] for name in wanted}}


def _facts(shown: pd.DataFrame, device: str) -> dict[str, torch.Tensor]:
    """What is known of each picture, as integers: labels, and the numbers of its group and its method (real: 0)."""
    learnt = shown[shown["split"] == TRAINING]
    groups, methods = sorted(set(learnt["group"])), _names(learnt, "method")
    method = shown["method"].where(shown["label"] == 1, REAL)
    numbered = {
        "labels": shown["label"],
        "groups": _numbers(shown["group"], groups),
        "methods": _numbers(method, methods),
    }
    return {name: torch.tensor(np.asarray(values, dtype=np.int64)).to(device) for name, values in numbered.items()}


def _names(learnt: pd.DataFrame, column: str) -> list[str]:
    """The methods of the fakes, in order, after REAL."""
    return [REAL, *sorted(set(learnt.loc[learnt["label"] == 1, column]) - {REAL})]


def _numbers(values: pd.Series, names: list[str]) -> list[int]:
    return [names.index(value) if value in names else -1 for value in values]


def _evenly(numbers: np.ndarray, most: int) -> np.ndarray:
    """At most so many of some numbers, at equal distances."""
    return numbers[np.unique(np.linspace(0, len(numbers) - 1, min(most, len(numbers))).round().astype(int))]


def _auc(pictures: Pictures, numbers: np.ndarray, labels: np.ndarray) -> Callable[[Any], float]:
    def metric(net: Any) -> float:
        device = next(net.parameters()).device
        parts = np.array_split(numbers, max(1, len(numbers) // 32))
        scores = [net(torch.from_numpy(pictures.of(part)).to(device)).cpu().numpy() for part in parts]
        return _area(labels[numbers], np.concatenate(scores))

    return metric


def _area(labels: np.ndarray, scores: np.ndarray) -> float:
    """The area under the ROC curve; NaN where all labels are the same."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels, scores)) if len(set(labels.tolist())) == 2 else math.nan
