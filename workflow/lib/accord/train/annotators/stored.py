"""The file of a trained annotator: its weights, and in its header all that is needed to build the network again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from accord.engine.parameter_types import Former
from accord.models.adapters.nets import torch_nets
from accord.train.annotators.network import Annotator
from accord.train.models import headers

KEYS = ("name", "attribute", "encoder", "classes", "hidden", "width", "source")


def write(path: Path, net: torch.nn.Module, spec: dict[str, Any], source: str) -> None:
    """Write a network's weights. spec: that of the training, with `classes` and `width`; source: what was learnt
    from."""
    headers.write(path, net, {**{key: spec[key] for key in KEYS if key in spec}, "source": source})


def about(path: Path) -> dict[str, Any]:
    """What the header of a trained annotator tells. Raises AccordError where the file is none."""
    return headers.read(path, KEYS, "annotator")


def taken_over(former: Former, source: str, model: Path) -> pd.DataFrame | None:
    """The history of an annotator that learnt from the same before, with the same settings and code; None for none.

    Its weights are copied to `model`.
    """
    return headers.taken_over(former, source, KEYS, "annotator", model)


def is_of(former: Former, source: str) -> bool:
    """Whether the annotator that is there learnt from the same, with the same settings and code."""
    return headers.is_of(former, source, KEYS, "annotator")


def load(path: Path) -> tuple[Annotator, dict[str, Any]]:
    """A trained annotator, ready to say, and its header. Raises AccordError where the file is none."""
    told = about(path)
    net = Annotator(told["width"], told["hidden"], len(told["classes"]))
    return torch_nets.fit(net, torch_nets.load_state(path), path.name), told


def chances(net: Annotator, features: np.ndarray) -> np.ndarray:
    """How probable each class is of features (n, width): (n, classes), on a processor, a picture at a time."""
    with torch.no_grad():
        rows = [net(row[None]).softmax(1)[0] for row in torch.from_numpy(features)]
    return torch.stack(rows).numpy() if rows else np.zeros((0, net.top.out_features), np.float32)
