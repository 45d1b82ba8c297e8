"""Sharpness-aware minimisation: the gradient is taken where the loss nearby is highest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from accord.errors import AccordError, Problem

EUCLIDEAN, SIGN = "euclidean", "sign"
RADIUS = 0.05


class SAM(torch.optim.Optimizer):
    """An optimiser that hands another one the gradient at w + e(w) instead of w: Foret et al. 2021, algorithm 1.

    net: the network, whose batch norms learn their statistics at w alone; base: an optimiser of its parameters.
    ball: `euclidean`, e = radius g / |g| over all parameters (equation 2), or `sign`, e = radius sign(g), the ball of
    the largest coordinate, which AI-Face prints. Its state is that of `base`.
    """

    def __init__(self, net: nn.Module, base: torch.optim.Optimizer, radius: float = RADIUS, ball: str = EUCLIDEAN):
        if ball not in (EUCLIDEAN, SIGN):
            raise AccordError(Problem("SAM", f"unknown ball {ball!r}", f"use one of {EUCLIDEAN}, {SIGN}"))
        super().__init__([p for group in base.param_groups for p in group["params"]], {"lr": radius})
        self.net, self.base, self.radius, self.ball = net, base, radius, ball
        self.param_groups = base.param_groups

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One update. closure: sets the gradients to those of the loss at the weights as they are, and returns it."""
        if closure is None:
            raise AccordError(
                Problem("SAM", "has no closure", "give a function that computes the loss and its gradients")
            )
        with torch.enable_grad():
            loss = closure()
        with self._moved(), _still(self.net), torch.enable_grad():
            closure()
        self.base.step()
        return loss

    def state_dict(self) -> dict:
        return self.base.state_dict()

    def load_state_dict(self, state_dict: dict) -> None:
        self.base.load_state_dict(state_dict)
        self.param_groups = self.base.param_groups

    @contextmanager
    def _moved(self) -> Iterator[None]:
        """The weights at w + e(w), and then bit by bit those that they were."""
        with_gradient = [p for group in self.param_groups for p in group["params"] if p.grad is not None]
        before = [p.detach().clone() for p in with_gradient]
        try:
            with torch.no_grad():
                for p, e in zip(with_gradient, self._ascent([p.grad for p in with_gradient]), strict=True):
                    p.add_(e)
            yield
        finally:
            with torch.no_grad():
                for p, old in zip(with_gradient, before, strict=True):
                    p.copy_(old)

    def _ascent(self, gradients: list[torch.Tensor]) -> list[torch.Tensor]:
        if self.ball == SIGN:
            return [self.radius * g.sign() for g in gradients]
        norm = torch.stack([g.norm() for g in gradients]).norm()
        return [self.radius * g / norm.clamp_min(1e-12) for g in gradients]


@contextmanager
def _still(net: nn.Module) -> Iterator[None]:
    """Batch norms that normalise by their batch and learn nothing from it."""
    norms = [part for part in net.modules() if isinstance(part, nn.modules.batchnorm._BatchNorm)]
    tracked = [part.track_running_stats for part in norms]
    for part in norms:
        part.track_running_stats = False
    try:
        yield
    finally:
        for part, was in zip(norms, tracked, strict=True):
            part.track_running_stats = was
