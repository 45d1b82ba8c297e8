"""The annotators that are trained: entries of `train.annotators`. Kept light: the workflow imports it."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import Collector, Problem, all_problems
from accord.models import registry, weights

PUBLISHED = {
    "hidden": [768, 768, 768], "batch": 64, "epochs": 32, "rate": 1e-3, "schedule": "cosine",
    "shift": 1.0, "power": 0.2, "fairness": 0.1, "entropy": 1e-4, "rounds": 200, "sam": 0.05, "ball": "euclidean",
    "precision": "float32", "seed": 0, "every": 500, "subsets": [],
}  # fmt: skip
"""As AI-Face trained its annotators; shift, fairness and widths, which it doesn't state, are ours. It says that SAM's
ball is Euclidean and prints the other one, in which 0.05 is more than most weights are, and nothing was learnt here."""
TASKS = ("image_text", "image_embedding")
SETTING = "train.annotators"


class Annotators(NamedTuple):
    """specs: name -> all that a training depends on besides its pictures; encoders: name -> its entry, as steps are
    told it; missing: why some are left out, the weights of their encoders not being on this machine."""

    specs: dict[str, dict[str, Any]]
    encoders: dict[str, dict[str, Any]]
    missing: list[Problem]


def read(config: dict[str, Any], schema: Path, taken: Collection[str]) -> Annotators:
    """The annotators of `train.annotators`, and the encoders of models.yaml that they see pictures by.

    schema: of models.yaml; taken: names of other trained models. Raises AccordError with every entry that isn't right.
    """
    entries = config["train"]["annotators"]
    wanted = sorted({entry["encoder"] for entry in entries.values()})
    listed = registry.read({**config["evaluate"], "run": wanted}, schema, SETTING)
    with all_problems() as problems:
        for name in sorted(entries.keys() & set(taken)):
            problems.add(f"{SETTING}.{name}", "is a model of train.models or its experiments too", "rename it")
        for name, entry in listed.entries.items():
            _check(name, entry, problems)
    folder = Path(config["evaluate"]["weights"])
    gone = {name: weights.missing(name, entry["weights"], folder) for name, entry in listed.entries.items()}
    encoders = {name: json.loads(listed.spec(name)) for name in wanted if not gone[name]}
    specs = {
        name: {"name": name, **PUBLISHED, **entry, "encoder": encoders[entry["encoder"]]}
        for name, entry in entries.items()
        if entry["encoder"] in encoders
    }
    return Annotators(specs, encoders, [problem for problems in gone.values() for problem in problems])


def data_of(spec: dict[str, Any]) -> dict[str, Any]:
    """What `train_split` draws for an annotator: real faces of its subsets (all where it names none) with a label."""
    return {"only": spec["subsets"], "real": True, "labelled": spec["attribute"]}


def _check(name: str, entry: dict[str, Any], problems: Collector) -> None:
    if entry["task"] not in TASKS or registry.OUTPUTS in entry:
        what = f"its encoder {name} is a model of {entry['task']}"
        problems.add(SETTING, what, f"name one whose task is {' or '.join(TASKS)}")
