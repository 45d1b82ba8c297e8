"""The published detectors by name: their networks and what they minimise."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

from accord.engine.resources import beside
from accord.engine.yaml_text import said
from accord.errors import AccordError, Problem
from accord.train.detectors import objectives

RATE, MOMENTUM, DECAY, EPOCHS = 5e-4, 0.9, 5e-3, 10
"""Of SGD, for all detectors."""


def published() -> dict[str, dict[str, Any]]:
    """Name -> entry: detector, objective, side, batch, and options of the detector."""
    return said((beside(__name__) / "published.yaml").read_text())


def build(name: str, **options: Any) -> torch.nn.Module:
    """A detector with random weights. options: in place of the entry's, to make it smaller, say."""
    entry = _entry(name)
    module, _, kind = entry["detector"].partition(".")
    return getattr(import_module(f"accord.train.detectors.{module}"), kind)(**(entry.get("options", {}) | options))


def objective(name: str) -> Any:
    """What a detector minimises: (network, batch) -> a scalar."""
    return getattr(objectives, _entry(name)["objective"])


def optimiser(net: torch.nn.Module) -> torch.optim.Optimizer:
    """SGD as published, of the parameters that learn."""
    learning = [p for p in net.parameters() if p.requires_grad]
    return torch.optim.SGD(learning, lr=RATE, momentum=MOMENTUM, weight_decay=DECAY)


def _entry(name: str) -> dict[str, Any]:
    entries = published()
    if name not in entries:
        raise AccordError(Problem("detector", f"unknown name {name!r}", f"use one of {', '.join(entries)}"))
    return entries[name]
