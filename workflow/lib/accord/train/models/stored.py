"""The file of a trained detector: its weights, and in its header all that is needed to build the network again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import torch

from accord.engine.parameter_types import Former
from accord.errors import AccordError, Problem
from accord.models.adapters.nets import torch_nets
from accord.train.detectors import catalogue
from accord.train.models import headers
from accord.train.planning.models import code

KEYS = ("name", "detector", "code", "options", "side", "mean", "std", "source")


def write(path: Path, net: torch.nn.Module, spec: dict[str, Any], source: str) -> None:
    """Write a network's weights. spec: as `planning.models.specs`; source: what was learnt from. Nothing is pickled."""
    headers.write(path, net, {**{key: spec[key] for key in KEYS if key in spec}, "source": source})


def about(path: Path) -> dict[str, Any]:
    """What the header of a trained detector tells. Raises AccordError where the file is none."""
    return headers.read(path, KEYS, "detector")


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


def taken_over(former: Former, source: str, model: Path) -> pd.DataFrame | None:
    """The history of a detector that learnt from the same before, with the same settings and code; None for none.

    Its weights are copied to `model`.
    """
    return headers.taken_over(former, source, KEYS, "detector", model)


def is_of(former: Former, source: str) -> bool:
    """Whether the detector that is there learnt from the same, with the same settings and code."""
    return headers.is_of(former, source, KEYS, "detector")
