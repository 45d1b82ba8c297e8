"""The weights that detectors begin with: entries of models.yaml that `train.models` names. Kept light: the workflow
imports it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from accord.errors import Collector, all_problems
from accord.models import listed, registry, weights

FILE = "model"
"""What an entry calls the file of tensors."""
TOLD = ("licence", "source")
"""Of an entry, what the card says and nothing depends on."""
WEIGHTS, RANDOM, FIRST = "weights", "random", "first weights"
"""The key of an entry, what a training begins with that has none, and how pages call both."""
UNKNOWN = "it is not known whether people in the release are among those that these weights learnt from"


def read(config: dict[str, Any], schema: Path) -> dict[str, dict[str, Any]]:
    """Name -> file, licence and source of the weights that entries of `train.models` name.

    schema: of models.yaml. Raises AccordError with all that can't be begun with, files that aren't on this machine too.
    """
    wanted = names(config["train"])
    if not wanted:
        return {}
    listed_models = registry.read({**config["evaluate"], "run": wanted}, schema, registry.BEGINNING)
    folder, shown = Path(config["evaluate"]["weights"]), listed.shown(config["evaluate"])
    with all_problems() as problems:
        for name, entry in listed_models.entries.items():
            _check(name, entry, folder, shown, problems)
        return {
            name: {"name": name, "files": {FILE: entry["weights"][FILE]}, **{key: entry[key] for key in TOLD}}
            for name, entry in listed_models.entries.items()
            if FILE in entry["weights"]
        }


def names(settings: dict[str, Any]) -> list[str]:
    """The weights that `train:` names."""
    return sorted({one[WEIGHTS] for one in settings["models"].values() if WEIGHTS in one})


def depended_on(spec: dict[str, Any]) -> dict[str, Any]:
    """A spec as far as a training depends on it: of weights, the tensors alone."""
    return {**spec, WEIGHTS: spec[WEIGHTS]["files"][FILE]["sha256"]} if WEIGHTS in spec else spec


def described(spec: dict[str, Any]) -> str:
    """What a training begins with: a name, a sum, a licence; `random` for nothing."""
    if WEIGHTS not in spec:
        return RANDOM
    one = spec[WEIGHTS]
    return f"{one['name']} (sha256 {one['files'][FILE]['sha256']}; licence: {one['licence']}; {UNKNOWN})"


def _check(name: str, entry: dict[str, Any], folder: Path, shown: str, problems: Collector) -> None:
    if FILE in entry["weights"]:
        problems += weights.missing(name, {FILE: entry["weights"][FILE]}, folder)
    else:
        what = f"{shown} has no file called {FILE} for it"
        problems.add(f"{registry.BEGINNING}: {name}", what, "name an entry whose weights are one file of tensors")
