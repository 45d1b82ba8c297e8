"""A training loop in plain PyTorch: each step depends on its number and the state before it, on nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from accord.errors import AccordError, Problem
from accord.train.learning import checkpoint
from accord.train.learning.checkpoint import COLUMNS, History
from accord.train.learning.plan import BRAIN, Plan

CHECKPOINT = "checkpoint.safetensors"
Batch = Any
"""What a loss reads: a dict of tensors, say."""


@dataclass(frozen=True)
class Task:
    """What is learnt: a network, its optimiser, pictures and a loss.

    count: pictures there are; batch: the numbers of some (n,) -> what the loss reads, on the network's device; loss:
    (network, that) -> a scalar tensor; metric: network -> a figure of its quality, measured at each checkpoint;
    source: a digest of pictures, network and code: whoever resumes must have the same.
    """

    net: torch.nn.Module
    optimiser: torch.optim.Optimizer
    count: int
    batch: Callable[[np.ndarray], Batch]
    loss: Callable[[torch.nn.Module, Batch], torch.Tensor]
    source: str
    metric: Callable[[torch.nn.Module], float] | None = None


def learn(task: Task, plan: Plan, folder: Path, name: str = CHECKPOINT) -> pd.DataFrame:
    """Train the network in place and return its history: step (1, ...), loss, rate, metric.

    A checkpoint called `name` in `folder` is gone on from: after a kill, the weights come out as without it, bit by
    bit, on a CPU and on one kind of GPU. Raises AccordError where there are fewer pictures than a batch has, the loss
    isn't finite, or the precision isn't one of the device.
    """
    _check(task, plan)
    told, file = identity(task, plan), folder / name
    with _deterministic():
        history = checkpoint.read(file, task.net, task.optimiser, told)
        for step in range(len(history), plan.steps):
            _note(history, plan.rate_at(step), _update(task, plan, step))
            if (step + 1) % plan.every == 0 or step + 1 == plan.steps:
                history.metric[-1] = _measured(task)
                checkpoint.write(file, task.net, task.optimiser, history, told)
    columns = {name: getattr(history, name) for name in COLUMNS}
    return pd.DataFrame({"step": np.arange(1, len(history) + 1), **columns})


def identity(task: Task, plan: Plan) -> dict[str, Any]:
    """What tells a training from others: a checkpoint of another one isn't gone on from."""
    return {"plan": asdict(plan), "count": task.count, "source": task.source}


def _check(task: Task, plan: Plan) -> None:
    if task.count < plan.batch:
        what = f"{task.count} pictures are fewer than a batch has ({plan.batch})"
        raise AccordError(Problem("training", what, "lower the batch, or give more pictures"))
    if plan.precision == BRAIN and _device(task.net).type != "cuda":
        hint = "use float32, or train on a GPU"
        raise AccordError(Problem("training setting precision", f"{BRAIN} is for GPUs, and there is none", hint))


def _device(net: torch.nn.Module) -> torch.device:
    return next(net.parameters()).device


def _update(task: Task, plan: Plan, step: int) -> float:
    """Change the weights by one step, and return the loss before it."""
    task.net.train()
    for group in task.optimiser.param_groups:
        group["lr"] = plan.rate_at(step)
    batch, found = task.batch(plan.pictures_at(step, task.count)), []

    def closure() -> torch.Tensor:
        torch.manual_seed(plan.seed_at(step))
        task.optimiser.zero_grad()
        with torch.autocast("cuda", torch.bfloat16, enabled=plan.precision == BRAIN):
            loss = task.loss(task.net, batch)
        found.append(float(loss.detach()))
        if not math.isfinite(found[-1]):
            what = f"the loss of step {step + 1} is {found[-1]}"
            raise AccordError(Problem("training", what, "lower the learning rate, and look at the labels"))
        loss.backward()
        return loss

    task.optimiser.step(closure)
    return found[0]


def _note(history: History, rate: float, loss: float) -> None:
    history.loss.append(loss)
    history.rate.append(rate)
    history.metric.append(math.nan)


def _measured(task: Task) -> float:
    if task.metric is None:
        return math.nan
    task.net.eval()
    with torch.no_grad():
        return float(task.metric(task.net))


@contextmanager
def _deterministic() -> Iterator[None]:
    """Deterministic algorithms alone, and the generator of others left as it was."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        with torch.random.fork_rng():
            yield
    finally:
        torch.use_deterministic_algorithms(before)
