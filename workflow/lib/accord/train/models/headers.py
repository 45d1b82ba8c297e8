"""Files of trained networks: weights, and above them a header that tells how the network is built."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from safetensors import safe_open

from accord.engine import table
from accord.engine.parameter_types import Former
from accord.errors import AccordError, Problem
from accord.train.learning.checkpoint import save_weights
from accord.train.tables import Curve

ABOUT = "accord"
"""The one entry of the file's metadata, a JSON text: safetensors writes several in no certain order."""


def write(path: Path, net: torch.nn.Module, told: dict[str, Any]) -> None:
    """Write a network's weights below what is told of it. Nothing is pickled."""
    save_weights(path, net, {ABOUT: json.dumps(told, sort_keys=True)})


def read(path: Path, keys: Collection[str], kind: str) -> dict[str, Any]:
    """What a header tells. Raises AccordError where the file is none of a trained `kind`, or lacks one of the keys."""
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads((file.metadata() or {})[ABOUT])
        if set(keys) <= told.keys():
            return told
        problem = "a header without all its keys"
    except Exception as error:  # a damaged file makes the library raise anything
        problem = type(error).__name__
    raise AccordError(
        Problem(f"{path.parent.name}/{path.name}", f"not a trained {kind} ({problem})", "delete it and train again")
    )


def taken_over(former: Former, source: str, keys: Collection[str], kind: str, model: Path) -> pd.DataFrame | None:
    """The history of a training that was done before, its weights copied to `model`; None where it has to be done.

    former: its outputs, whose header must tell of a trained `kind` and the same `source`: pictures, settings and code.
    """
    if not is_of(former, source, keys, kind):
        return None
    shutil.copyfile(former["model"], model)
    return table.read(former["history"], Curve)


def is_of(former: Former, source: str, keys: Collection[str], kind: str) -> bool:
    """Whether a training's former outputs are there, and were made from the same `source`."""
    weights, history = former.get("model"), former.get("history")
    return bool(weights and _same(weights, source, keys, kind) and history and history.is_file())


def _same(path: Path, source: str, keys: Collection[str], kind: str) -> bool:
    try:
        return path.is_file() and read(path, keys, kind)["source"] == source
    except AccordError:
        return False
