"""The file of a trained detector: its weights, and in its header all that is needed to build the network again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from accord.errors import AccordError, Problem
from accord.models.adapters.nets import torch_nets
from accord.train.detectors import catalogue
from accord.train.learning.checkpoint import save_weights
from accord.train.planning.models import code

ABOUT = "accord"
"""The one entry of the file's metadata, a JSON text: safetensors writes several in no certain order."""
KEYS = ("name", "detector", "code", "options", "side", "mean", "std", "source")


def write(path: Path, net: torch.nn.Module, spec: dict[str, Any], source: str) -> None:
    """Write a network's weights. spec: as `planning.models.specs`; source: what was learnt from. Nothing is pickled."""
    about = json.dumps({**{key: spec[key] for key in KEYS if key in spec}, "source": source}, sort_keys=True)
    save_weights(path, net, {ABOUT: about})


def about(path: Path) -> dict[str, Any]:
    """What the header of a trained detector tells. Raises AccordError where the file is none."""
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads((file.metadata() or {})[ABOUT])
        if set(KEYS) <= told.keys():
            return told
        problem = "a header without all its keys"
    except (SafetensorError, OSError, KeyError, ValueError, TypeError) as error:
        problem = type(error).__name__
    raise AccordError(Problem(path.name, f"not a trained detector ({problem})", "delete it and train again"))


def load(path: Path) -> tuple[torch.nn.Module, dict[str, Any]]:
    """A trained detector, ready to predict, and its header.

    Raises AccordError where the file is none, or its detector's code isn't that of the training any more.
    """
    told = about(path)
    _check_code(path, told)
    net = catalogue.made(told["detector"], told["options"])
    return torch_nets.fit(net, torch_nets.load_state(path), path.name).to(torch_nets.device()), told


def _check_code(path: Path, told: dict[str, Any]) -> None:
    if code(told["detector"]) != told["code"]:
        what = f"was trained with another version of {told['detector']}"
        raise AccordError(Problem(path.name, what, "train it again"))


def former(path: Path | None, source: str) -> bool:
    """Whether a file is a trained detector that learnt from the same, with the same settings and code."""
    try:
        return path is not None and path.is_file() and about(path)["source"] == source
    except AccordError:
        return False
