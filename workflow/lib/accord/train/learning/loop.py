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
from accord.train.learning import checkpoint, processes, stopping
from accord.train.learning.checkpoint import History
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
    bit, on a CPU and on one kind of GPU. Of several processes (`processes`) the first one measures and writes. SIGTERM
    ends it with a checkpoint, by SystemExit. Raises AccordError where there are fewer pictures than a batch has, a
    batch can't be shared out, or the loss isn't finite.
    """
    _check(task, plan)
    told, file = identity(task, plan), folder / name
    with _deterministic(), stopping.asked() as asked:
        history = checkpoint.read(file, task.net, task.optimiser, told)
        processes.meet()
        loss = processes.together(task.net, task.loss)
        for step in range(len(history), plan.steps):
            _note(history, plan.rate_at(step), _update(task, plan, step, loss))
            due = (step + 1) % plan.every == 0 or step + 1 == plan.steps
            if due:
                history.metric[-1] = _measured(task)
            if (due or asked.is_set()) and processes.number() == 0:
                checkpoint.write(file, task.net, task.optimiser, history, told)
            if asked.is_set():
                raise SystemExit(stopping.EXIT)
    return history.table()


def identity(task: Task, plan: Plan) -> dict[str, Any]:
    """What tells a training from others: a checkpoint of another one isn't gone on from."""
    return {"plan": asdict(plan), "count": task.count, "source": task.source, "processes": processes.count()}


def _check(task: Task, plan: Plan) -> None:
    if task.count < plan.batch:
        what = f"{task.count} pictures are fewer than a batch has ({plan.batch})"
        raise AccordError(Problem("training", what, "lower the batch, or give more pictures"))
    processes.require_parts(plan.batch, processes.count())


def _device(net: torch.nn.Module) -> torch.device:
    return next(net.parameters()).device


def _update(task: Task, plan: Plan, step: int, loss_of: Callable[[Batch], torch.Tensor]) -> float:
    """Change the weights by one step, and return the loss before it: the mean over all processes."""
    task.net.train()
    for group in task.optimiser.param_groups:
        group["lr"] = plan.rate_at(step)
    batch, found = task.batch(processes.part(plan.pictures_at(step, task.count))), []

    def closure() -> torch.Tensor:
        torch.manual_seed(plan.seed_at(step, processes.number()))
        task.optimiser.zero_grad()
        with torch.autocast(_device(task.net).type, torch.bfloat16, enabled=plan.precision == BRAIN):
            loss = loss_of(batch)
        found.append(processes.mean(loss))
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
    if task.metric is None or processes.number():
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
