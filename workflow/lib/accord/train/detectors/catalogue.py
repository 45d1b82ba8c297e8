"""Detectors by their specs: networks, what they minimise, and their optimisers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from accord.errors import AccordError, Problem
from accord.models import adapter_files
from accord.train.detectors import objectives
from accord.train.losses.sam import SAM
from accord.train.planning import models

OWN = "own"
"""The objective of a network that has a method `loss(batch)`."""


def build(name: str, **options: Any) -> torch.nn.Module:
    """A detector with random weights, by its published name or `path/to/file.py:Class`.

    options: in place of the entry's, to make it smaller, say.
    """
    entry = models.entry(name)
    return made(entry["detector"], entry.get("options", {}) | options)


def made(where: str, options: dict[str, Any]) -> torch.nn.Module:
    """A network of a class: `module.Class` below accord.train.detectors, or `path/to/file.py:Class`.

    Raises AccordError where there is no such class, or the options aren't its arguments.
    """
    kind = _class(where)
    try:
        return kind(**options)
    except TypeError as error:
        what = f"its options don't fit: {error}"
        raise AccordError(Problem(f"detector {where}", what, "use arguments of its __init__")) from None


def objective(name: str) -> Any:
    """What a published detector minimises: (network, batch) -> a scalar."""
    return of_objective(models.entry(name)["objective"])


def of_objective(name: str) -> Any:
    """What is minimised under a name of published.yaml; a network's own `loss` comes first wherever it has one."""
    other = None if name == OWN else getattr(objectives, name)

    def minimised(net: Any, batch: objectives.Batch) -> torch.Tensor:
        return net.loss(batch) if other is None or hasattr(net, "loss") else other(net, batch)

    return minimised


def optimiser(
    net: torch.nn.Module,
    rate: float = models.SGD["rate"],
    momentum: float = models.SGD["momentum"],
    decay: float = models.SGD["decay"],
    sam: float = 0.0,
) -> torch.optim.Optimizer:
    """SGD as published, of the parameters that learn; within SAM of a radius `sam` above 0."""
    learning = [p for p in net.parameters() if p.requires_grad]
    base = torch.optim.SGD(learning, lr=rate, momentum=momentum, weight_decay=decay)
    return SAM(net, base, radius=sam) if sam else base


def _class(where: str) -> Any:
    if ".py:" not in where:
        module, _, kind = where.partition(".")
        return getattr(import_module(f"{models.DETECTORS}.{module}"), kind)
    path, _, kind = where.rpartition(":")
    try:
        found = getattr(adapter_files.module(Path(path)), kind, None)
    except Exception as error:  # whatever the user's code raises
        raise AccordError(adapter_files.fault(error, Path(path))) from None
    if not (isinstance(found, type) and issubclass(found, torch.nn.Module)):
        hint = "write path/to/file.py:Class, of a class that is a torch.nn.Module"
        raise AccordError(Problem(f"detector {where}", f"there is no network {kind} in the file", hint))
    return found
