"""A training in several processes of this machine, which torchrun starts and which end with whoever started them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from accord import files
from accord.engine import usage
from accord.errors import AccordError, Problem
from accord.train.learning import checkpoint, processes
from accord.train.learning.plan import Plan
from accord.train.pictures.reading import Place

WORKER = "accord.train.learning.worker"
KNOWN, LIES = ("label", "split", "group", "method"), ("member", "offset", "size", "sha256")
"""What a process is told of a picture, and of where it lies: nobody's id."""


def train(
    shown: pd.DataFrame, where: list[Place], spec: dict[str, Any], plan: Plan, source: str, model: Path, watched: int,
    first: Path | None = None,
) -> pd.DataFrame:  # fmt: skip
    """As `training.train`, by `spec["processes"]` processes.

    Raises AccordError where there are fewer GPUs (but any) than processes, where a batch can't be shared out, or a
    process fails; what it says is in the log.
    """
    count = spec["processes"]
    _check(count, plan)
    given = model.with_name(f"processes.json{files.PARTIAL}")
    told = {
        "shown": {name: shown[name].tolist() for name in KNOWN},
        "where": [[str(place.files), *(getattr(place.row, name) for name in LIES)] for place in where],
        "spec": spec, "plan": asdict(plan), "source": source, "model": str(model), "watched": watched,
        "first": None if first is None else str(first),
    }  # fmt: skip
    try:
        files.replace(given, json.dumps(told, default=_plain).encode())
        _started(count, given)
        return checkpoint.history(checkpoint.of_model(model)).table()
    finally:
        given.unlink(missing_ok=True)


def read(given: Path) -> dict[str, Any]:
    """What `train` was given, by the names of its arguments."""
    told = json.loads(given.read_text())
    where = [Place(Path(path), SimpleNamespace(**dict(zip(LIES, row, strict=True)))) for path, *row in told["where"]]
    shown, plan = pd.DataFrame(told["shown"]), Plan(**told["plan"])
    return {
        **told,
        "shown": shown,
        "where": where,
        "plan": plan,
        "model": Path(told["model"]),
        "first": told["first"] and Path(told["first"]),
    }


def _check(count: int, plan: Plan) -> None:
    import torch

    processes.require_parts(plan.batch, count)
    if not torch.cuda.is_available():
        return
    if torch.cuda.device_count() < count:
        what = f"{count} processes for {torch.cuda.device_count()} GPUs"
        raise AccordError(Problem("training setting processes", what, "use as many as the job has GPUs"))
    usage.note_gpus(count)


def _started(count: int, given: Path) -> None:
    """Run the processes. They end when the other end of their input is closed: when this process is no more."""
    here = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
    environment = {"OMP_NUM_THREADS": "1", **os.environ}
    with subprocess.Popen([*here, "-m", WORKER, str(given)], stdin=subprocess.PIPE, env=environment) as running:
        try:
            code = running.wait()
        except BaseException:
            running.terminate()
            raise
    if code:
        what = f"one of {count} processes failed"
        raise AccordError(Problem("training", what, "read what it says above; started again it goes on"))


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} can't be handed over")
