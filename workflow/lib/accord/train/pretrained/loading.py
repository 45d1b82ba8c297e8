"""From a checkpoint to a detector that begins with it."""

from __future__ import annotations

from pathlib import Path

import torch

from accord.errors import AccordError, Problem, all_problems
from accord.models.adapters.nets import torch_nets
from accord.models.weights import NOT_PLAIN
from accord.train.pretrained.fit import Fit

METHOD = "begin_with"
SHOWN = 3
HINT = "name the weights that docs/training.md has for this detector, or leave out the options that change its sizes"


def begin(net: torch.nn.Module, path: Path, name: str) -> None:
    """Copy the tensors of a checkpoint into all parts of a network that have a method `begin_with`.

    That method takes the tensors by their published names and returns a `Fit`. name: of the weights, for errors.
    Raises AccordError with all that doesn't fit, or where no part of the network could begin with weights.
    """
    where, state = f"weights {name}", _tensors(path)
    parts = [part for part in net.modules() if hasattr(part, METHOD)]
    if not parts:
        hint = f"leave `weights` out, or give the detector's class a method {METHOD}(tensors)"
        raise AccordError(Problem(where, f"{type(net).__name__} can't begin with weights", hint))
    with all_problems() as problems:
        for fit in dict.fromkeys(_told(part.begin_with(state)) for part in parts):
            if fit:
                problems.add(where, f"{path.name} does not fit {type(net).__name__}: it {fit}", HINT)


def _tensors(path: Path) -> dict[str, torch.Tensor]:
    found = {name: value for name, value in torch_nets.tensors(path).items() if isinstance(value, torch.Tensor)}
    if not found:
        raise AccordError(Problem(path.name, NOT_PLAIN, "name a file of tensors by name"))
    return found


def _told(fit: Fit) -> str:
    """What doesn't fit, in words; nothing where all does."""
    said = {
        "lacks {} of its tensors": fit.missing,
        "has {} in other shapes": fit.other_shapes,
        "has {} that it has no place for": fit.left_over,
    }
    return ", ".join(f"{text.format(len(names))} ({_some(names)})" for text, names in said.items() if names)


def _some(names: list[str]) -> str:
    return ", ".join([*names[:SHOWN], *(["..."] if len(names) > SHOWN else [])])
