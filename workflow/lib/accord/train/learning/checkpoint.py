"""Checkpoints: weights, the optimiser's state and the history in one safetensors file, written whole or not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from safetensors import safe_open
from safetensors.torch import save

from accord import files
from accord.errors import AccordError, Problem

NET, OPTIMISER, HISTORY = "net.", "optimiser.", "history."
STATE = "state"
"""The one entry of the file's metadata, a JSON text: safetensors writes several in no certain order."""
COLUMNS = ("loss", "rate", "metric")


@dataclass
class History:
    """What each step told: its loss, its learning rate, and the metric after it (NaN where none was measured)."""

    loss: list[float] = field(default_factory=list)
    rate: list[float] = field(default_factory=list)
    metric: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.loss)

    def table(self) -> pd.DataFrame:
        """step (1, ...), loss, rate, metric."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        return pd.DataFrame({"step": np.arange(1, len(self) + 1), **columns})


def write(path: Path, net: torch.nn.Module, optimiser: Any, history: History, identity: dict) -> None:
    """Write the state after `len(history)` steps. identity: plain values that tell this training from others."""
    told = optimiser.state_dict()
    tensors = {NET + name: value for name, value in net.state_dict().items()}
    for number, parts in told["state"].items():
        tensors |= {f"{OPTIMISER}{number}.{name}": value for name, value in parts.items() if value is not None}
    tensors |= {HISTORY + name: torch.tensor(getattr(history, name), dtype=torch.float64) for name in COLUMNS}
    state = json.dumps({"identity": identity, "groups": told["param_groups"]}, sort_keys=True)
    files.replace(path, save({name: _own(value) for name, value in tensors.items()}, metadata={STATE: state}))


def read(path: Path, net: torch.nn.Module, optimiser: Any, identity: dict) -> History:
    """Put a checkpoint's state into a network and its optimiser; the history up to then, empty without a file.

    Raises AccordError where the file is damaged, or was written by a training of another identity.
    """
    if not path.is_file():
        return History()
    tensors, state = _opened(path)
    if state["identity"] != json.loads(json.dumps(identity)):
        raise _unfit(path, "was written by a training with other settings, pictures or code")
    try:
        net.load_state_dict(_below(tensors, NET))
        optimiser.load_state_dict({"state": _nested(_below(tensors, OPTIMISER)), "param_groups": state["groups"]})
    except (RuntimeError, ValueError, KeyError) as error:
        raise _unfit(path, f"doesn't fit the network or its optimiser ({type(error).__name__})") from None
    return _told(tensors)


def history(path: Path) -> History:
    """The history of a checkpoint alone. Raises AccordError where the file is damaged."""
    return _told(_opened(path)[0])


def of_model(model: Path) -> Path:
    """Where the checkpoint of a model's training lies: beside its file, as unfinished as that."""
    return model.with_name(f"checkpoint.safetensors{files.PARTIAL}")


def drop_other(path: Path, identity: dict) -> None:
    """Delete a checkpoint that is damaged, or of a training of another identity: what it learnt from may be gone."""
    if path.is_file():
        try:
            _, state = _opened(path)
            same = state["identity"] == json.loads(json.dumps(identity))
        except (AccordError, KeyError):
            same = False
        if not same:
            path.unlink()


def save_weights(path: Path, net: torch.nn.Module, header: dict[str, str] | None = None) -> None:
    """Write a network's weights alone, below a header of at most one entry. The same weights give the same bytes."""
    files.replace(path, save({name: _own(value) for name, value in net.state_dict().items()}, metadata=header))


def _told(tensors: dict[str, torch.Tensor]) -> History:
    return History(**{name: tensors[HISTORY + name].tolist() for name in COLUMNS})


def _own(value: torch.Tensor) -> torch.Tensor:
    return value.detach().cpu().contiguous().clone()


def _opened(path: Path) -> tuple[dict[str, torch.Tensor], dict]:
    try:
        with safe_open(path, framework="pt") as file:
            state = json.loads((file.metadata() or {})[STATE])
            return {name: file.get_tensor(name) for name in file.keys()}, state  # noqa: SIM118
    except Exception as error:  # a damaged file makes the library raise anything
        raise _unfit(path, f"not a readable checkpoint ({type(error).__name__})") from None


def _unfit(path: Path, what: str) -> AccordError:
    return AccordError(Problem(path.name, what, "delete it, and the training begins anew"))


def _below(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _nested(flat: dict[str, torch.Tensor]) -> dict[int, dict[str, torch.Tensor]]:
    """The optimiser's state by number of the parameter."""
    made: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in flat.items():
        number, _, part = name.partition(".")
        made.setdefault(int(number), {})[part] = value
    return made
