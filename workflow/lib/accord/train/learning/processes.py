"""Several processes that train one network together, as torchrun starts them: each has a part of every batch.

Batch norms take their statistics of the whole batch, and gradients are averaged, so that a loss that is a mean over
pictures learns the same as in one process. One that looks at a batch as a whole (CVaR, pairs) looks at each part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import distributed, nn

from accord.errors import AccordError, Problem

Loss = Callable[[nn.Module, Any], torch.Tensor]


def number() -> int:
    """Which of the processes this is, from 0; 0 writes the files."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def count() -> int:
    """How many there are; 1 for a training of one."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


def require_parts(batch: int, processes: int) -> None:
    """Raise AccordError where a batch can't be shared out evenly."""
    if batch % processes:
        what = f"{batch} pictures can't be shared by {processes} processes evenly"
        raise AccordError(Problem("training setting batch", what, f"use a multiple of {processes}"))


def part(numbers: np.ndarray) -> np.ndarray:
    """This process's part (n / count,) of the numbers (n,) of a batch."""
    return np.array_split(numbers, count())[number()]


def together(net: nn.Module, loss: Loss) -> Callable[[Any], torch.Tensor]:
    """The loss as a function of this process's part of a batch, whose gradients are averaged over all processes."""
    if count() == 1:
        return lambda batch: loss(net, batch)
    _join_norms(net)
    # Buckets of gradients that are never built anew: sums come out the same after a restart.
    objective = _Objective(net, loss)
    return nn.parallel.DistributedDataParallel(objective, forward_sync_buffers=False, find_unused_parameters=True)


def mean(value: torch.Tensor) -> float:
    """The mean of a scalar over all processes."""
    given = value.detach().double()
    if count() > 1:
        distributed.all_reduce(given)
    return float(given) / count()


def meet() -> None:
    """Wait for all processes."""
    if count() > 1:
        distributed.barrier()


class JointNorm(nn.BatchNorm2d):
    """A batch norm of the batch of all processes, each of which has as many pictures (n, c, h, w).

    torch's own SyncBatchNorm does not run on a CPU.
    """

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return super().forward(input)
        given = input.to(self.weight.dtype)
        mean = _averaged(given.mean((0, 2, 3)))
        apart = given - mean[:, None, None]
        variance = _averaged(apart.square().mean((0, 2, 3)))
        if self.track_running_stats:
            self._note(mean.detach(), variance.detach(), count() * given.numel() // given.shape[1])
        scale = self.weight * (variance + self.eps).rsqrt()
        return (apart * scale[:, None, None] + self.bias[:, None, None]).to(input.dtype)

    @torch.no_grad()
    def _note(self, mean: torch.Tensor, variance: torch.Tensor, values: int) -> None:
        self.num_batches_tracked.add_(1)
        self.running_mean.lerp_(mean, self.momentum)
        self.running_var.lerp_(variance * values / (values - 1), self.momentum)


class _Objective(nn.Module):
    """A loss as a module, as DistributedDataParallel wants it."""

    def __init__(self, net: nn.Module, loss: Loss):
        super().__init__()
        self.net, self.loss = net, loss

    def forward(self, batch: Any) -> torch.Tensor:
        return self.loss(self.net, batch)


def _averaged(given: torch.Tensor) -> torch.Tensor:
    """The mean over all processes, through which gradients pass to each."""
    return _Sum.apply(given) / count()


class _Sum(torch.autograd.Function):
    """The sum over all processes; each gets the sum of all gradients of it."""

    @staticmethod
    def forward(ctx: Any, given: torch.Tensor) -> torch.Tensor:
        total = given.clone()
        distributed.all_reduce(total)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
        total = gradients[0].clone()
        distributed.all_reduce(total)
        return total


def _join_norms(net: nn.Module) -> None:
    """Put JointNorm in the place of each batch norm, with its own parameters and statistics."""
    for parent in list(net.modules()):
        for name, own in list(parent.named_children()):
            if type(own) is nn.BatchNorm2d:
                joint = JointNorm(own.num_features, own.eps, own.momentum)
                joint._parameters, joint._buffers = own._parameters, own._buffers
                setattr(parent, name, joint)
