"""The models of a run: config/models.yaml, read and checked as a whole. Imported by the workflow, so kept light."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from accord.command_line import meant
from accord.engine import source
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.models import adapter_files, adapter_paths, gpus, listed, lock, weights
from accord.models.tasks import BACKBONE, BY_THEMSELVES, READS, STEP_OF_TASK

TOLD = ("task", "adapter", "weights", "batch", "options", "reads", "compares")
"""The keys of an entry on which predictions depend."""
OUTPUTS = "outputs"
"""The step of models that were run elsewhere, and the key of their entries."""
TRAINED = "trained"
"""The key of entries of models that the run trains: their name in `train.models`."""
NO_MODEL = r"(?!)"
BEGINNING = "train.models"
"""The setting that may name weights that no adapter asks."""
FILES = "weights"
"""Who asks for files alone: `accord weights`."""


@dataclass(frozen=True)
class Models:
    """The entries of models.yaml that a run uses, by name, in the order of the run; those left out, and why."""

    entries: dict[str, dict]
    left_out: dict[str, dict] = field(default_factory=dict)
    missing: dict[str, list[Problem]] = field(default_factory=dict)

    def of_task(self, *tasks: str) -> list[str]:
        """The names of the models of these tasks."""
        return [name for name, entry in self.entries.items() if entry["task"] in tasks]

    @property
    def small(self) -> list[str]:
        """The names of the models that are asked together, in one job for a shard."""
        return [name for name, entry in self.entries.items() if is_small(entry)]

    @property
    def shared(self) -> list[str]:
        """The names of the models that are asked together by one job for a shard, which share its GPU."""
        return [name for name, entry in self.entries.items() if "share" in entry]

    def pattern(self, step: str) -> str:
        """A regular expression that matches the names of the models that a step runs by itself, and nothing else."""
        alone = {*self.entries} - {*self.small, *self.shared}
        names = [name for name, entry in self.entries.items() if _step(entry) == step and name in alone]
        return any_of(names)

    def spec(self, name: str) -> str:
        """What a step is told about a model, as JSON: all that its predictions depend on, its code's digest too.

        Licence and source stay out: a better description of a model reruns nothing.
        """
        entry = self.entries[name]
        if OUTPUTS in entry:
            return json.dumps({"name": name, "task": entry["task"], OUTPUTS: entry[OUTPUTS]}, sort_keys=True)
        if TRAINED in entry:
            told = {key: entry[key] for key in ("task", TRAINED, "batch")}
            return json.dumps({"name": name, **told}, sort_keys=True)
        told = {key: entry[key] for key in TOLD if key in entry}
        return json.dumps({"name": name, "code": self._codes[entry["adapter"]], **told}, sort_keys=True)

    @property
    def told(self) -> dict[str, dict]:
        """What a report is told: all entries; those that were left out say under `missing` what is not there."""
        return {
            **self.entries,
            **{name: {**self.left_out[name], "missing": [p.what for p in why]} for name, why in self.missing.items()},
        }

    @cached_property
    def _codes(self) -> dict[str, str]:
        run_here = [entry for entry in self.entries.values() if "adapter" in entry]
        return {adapter: adapter_code(adapter) for adapter in {entry["adapter"] for entry in run_here}}


def read(settings: dict, schema: Path, asked_by: str = "evaluate.run") -> Models:
    """The models that `settings` (`evaluate:` of the config) wants run, from the files that it names.

    schema: the JSON Schema of such files; asked_by: the setting that names the models. Raises AccordError with every
    problem of the files and of the list.
    """
    document, where = listed.entries(settings, schema), listed.shown(settings)
    with all_problems() as problems:
        _check_names(settings["run"], asked_by, document, where, problems)
        _check_reads(document, where, problems)
        chosen = {name: document[name] for name in settings["run"] if name in document}
        gpus.check_shares(chosen, BY_THEMSELVES, where, problems)
    where = settings.get("lock", "")
    filled = {name: _filled(document[name]) for name in settings["run"]}
    return Models(lock.fill(filled, lock.read(Path(where)), where) if where else filled)


def available(models: Models, folder: Path) -> Models:
    """The models whose weights, or outputs, are on this machine, each with a stated sum; of the others, what is gone.

    No file is read: whether a sum is right is looked at when the model is loaded. Raises AccordError where some are
    wanted and none is left.
    """
    why = {name: _missing(name, entry, folder) for name, entry in models.entries.items()}
    absent = {name: problems for name, problems in why.items() if problems}
    if absent and len(absent) == len(models.entries):
        raise AccordError(problem for problems in absent.values() for problem in problems)
    kept = {name: entry for name, entry in models.entries.items() if name not in absent}
    return replace(models, entries=kept, left_out={name: models.entries[name] for name in absent}, missing=absent)


def spec_or_none(models: Models, name: str | None, folder: Path) -> str:
    """What a step is told about a model that it can do without: as `Models.spec`, or `null` where none is named, or
    its weights are not on this machine."""
    if name is None or weights.missing(name, models.entries[name]["weights"], folder):
        return "null"
    return models.spec(name)


def any_of(names: Iterable[str]) -> str:
    """A regular expression that matches these names, and nothing else."""
    return "|".join(map(re.escape, names)) or NO_MODEL


def is_small(entry: dict) -> bool:
    """Whether a model is asked together with others, on a processor: its adapter is Accord's own, packages ship its
    weights, its task allows it, and its entry doesn't say `alone`, or which share of a GPU it needs."""
    if OUTPUTS in entry or "share" in entry or entry.get("alone", False) or entry["task"] in BY_THEMSELVES:
        return False
    shipped = all("package" in file for file in entry["weights"].values())
    return shipped and entry["adapter"].startswith(adapter_paths.SHIPPED)


def _filled(entry: dict) -> dict:
    adapter = {"adapter": adapter_paths.recorded(entry["adapter"])} if "adapter" in entry else {}
    return {"batch": 8, "options": {}, "weights": {}, **entry, **adapter}


def adapter_code(adapter: str) -> str:
    """The digest of an adapter's code: `module:Class` of this library, or `path/to/file.py:Class`.

    A file outside the library counts as it is, comments too. Raises AccordError where there is none, or not of Python.
    """
    module = adapter.rpartition(":")[0]
    if module.endswith(".py"):
        return hashlib.blake2b(adapter_files.source(Path(module)), digest_size=6).hexdigest()
    try:
        ours = adapter_paths.step_of(adapter)
        return source.digest(ours) if ours else "installed"
    except LookupError as error:
        hint = "`opencv:YuNet` is the class YuNet of models/adapters/opencv.py; see docs/models.md for a list"
        raise AccordError(Problem(f"adapter {adapter_paths.shown(adapter)}", str(error), hint)) from None


def _missing(name: str, entry: dict, folder: Path) -> list[Problem]:
    if OUTPUTS not in entry:
        return weights.missing(name, entry["weights"], folder)
    path = entry[OUTPUTS]["path"]
    what = f"its outputs are missing: looked for {path}"
    return [] if Path(path).is_file() else [Problem(f"model {name}", what, "put the file there; see docs/exchange.md")]


def _step(entry: dict) -> str:
    return OUTPUTS if OUTPUTS in entry else STEP_OF_TASK[entry["task"]]


def _check_names(names: list[str], asked_by: str, document: dict, where: str, problems: Collector) -> None:
    for name in names:
        if name not in document:
            known = ", ".join(sorted(document))
            what = f"{where} has no such model{meant(name, document)}"
            problems.add(f"{asked_by}: {name}", what, f"it lists {known}")
        elif document[name]["task"] == BACKBONE and asked_by not in (BEGINNING, FILES):
            what = "is a backbone: weights that a detector begins with, not a model that can be asked"
            problems.add(f"{asked_by}: {name}", what, "name it as `weights` of a detector in train.models")
        if names.count(name) > 1:
            problems.add(f"{asked_by}: {name}", "is listed more than once", "list it once")


def _check_reads(document: dict, where: str, problems: Collector) -> None:
    for name, entry in document.items():
        allowed = READS[entry["task"]]
        if entry.get("reads", allowed[0]) not in allowed:
            what = f"{entry['task']} can't read {entry['reads']} pictures"
            problems.add(f"{where}: {name}.reads", what, f"use {' or '.join(allowed)}")
