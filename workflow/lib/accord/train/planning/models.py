"""The models that are trained: entries of `train.models`, and those that the experiments derive. Kept light: the
workflow imports it."""

import hashlib
import json
from pathlib import Path
from typing import Any

from accord.command_line import meant
from accord.engine import source
from accord.engine.resources import beside
from accord.engine.yaml_text import said
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.models import adapter_files
from accord.release.sources import described
from accord.train.planning import pretrained

DETECTORS = "accord.train.detectors"
SGD = {"rate": 5e-4, "momentum": 0.9, "decay": 5e-3, "epochs": 10}
"""As published, for all detectors."""
DEFAULTS = {
    **SGD, "schedule": "constant", "precision": "float32", "seed": 0, "every": 500, "sam": 0.0, "processes": 1,
    "mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5], "options": {}, "data": {},
}  # fmt: skip
OWN = {"side": 256, "batch": 128, "objective": "plain"}
"""Of a detector in a file of the user's, where the entry doesn't say."""
GROUPED = "worst_groups"
"""The objective that takes groups."""
STATED = ("side", "batch", "epochs", "rate", "momentum", "decay", "schedule", "sam", "objective", "mean", "std")
"""Settings that AI-Face states of each detector."""
BEGUN = "those of ImageNet or CLIP"
"""What AI-Face's trainings begin with."""
TASK, BATCH = "fake_detection", 32
"""Of models that experiments train, as evaluate is told of them."""


def published() -> dict[str, dict[str, Any]]:
    """Name -> entry of the published detectors: class, objective, side, batch, and options of the class."""
    return said((beside(DETECTORS + ".catalogue") / "published.yaml").read_text())


def entry(detector: str) -> dict[str, Any]:
    """What is known of a detector: a published name, or `path/to/file.py:Class`. Raises AccordError for others."""
    if ".py:" in detector:
        return {**OWN, "detector": detector}
    entries = published()
    if detector not in entries:
        hint = f"use one of {', '.join(entries)}, or path/to/file.py:Class"
        raise AccordError(Problem("detector", f"unknown name {detector!r}{meant(detector, entries)}", hint))
    return entries[detector]


def code(where: str) -> str:
    """The digest of a detector's code: `module.Class` below accord.train.detectors, or `path/to/file.py:Class`."""
    if ".py:" in where:
        return hashlib.blake2b(adapter_files.source(Path(where.rpartition(":")[0])), digest_size=6).hexdigest()
    return source.digest(f"train.detectors.{where.partition('.')[0]}")


def specs(settings: dict[str, Any], begun: dict[str, dict[str, Any]] | None = None) -> dict[str, dict[str, Any]]:
    """Name -> all that a training depends on besides its pictures, of each model of `train:` and its experiments.

    begun: the weights that entries name, by name (`pretrained.read`); networks of other entries begin at random. Raises
    AccordError with every entry that isn't right.
    """
    found: dict[str, dict[str, Any]] = {}
    entries = {**settings["models"], **derived(settings)}
    with all_problems() as problems:
        for name, given in entries.items():
            try:
                found[name] = _spec(name, given, begun or {})
            except AccordError as error:
                problems += [Problem(f"train.models.{name}", one.what, one.hint) for one in error.problems]
    return found


def check_trained(listed: dict[str, dict], known: dict[str, dict]) -> None:
    """Raise AccordError where entries of models.yaml are `trained:` by a name that `train.models` lacks."""
    with all_problems() as problems:
        for name, one in listed.items():
            if "trained" in one and one["trained"] not in known:
                what = f"is trained as {one['trained']!r}, which train.models lacks{meant(one['trained'], known)}"
                problems.add(f"model {name}", what, "add it to train.models, or take the model out of evaluate.run")


def check_subsets(drawn: dict[str, dict[str, Any]], archive: Path) -> None:
    """Raise AccordError where `data` of models (name -> data) name a subset that sources.yaml of the archive lacks.

    An archive without the file, or that isn't there, is told by who reads it.
    """
    named = {name: [*data.get("only", []), *data.get("without", [])] for name, data in drawn.items()}
    file = archive / described.FILE
    if not any(named.values()) or not file.is_file():
        return
    known = sorted({one.subset for one in described.read(file).sources})
    with all_problems() as problems:
        for name, subsets in named.items():
            for one in sorted(set(subsets) - set(known)):
                hint = f"there are {', '.join(known)}"
                problems.add(f"training pictures of {name}", f"no subset {one!r}{meant(one, known)}", hint)


def check_groups(known: dict[str, dict], groups: list[str]) -> None:
    """Raise AccordError where detectors learn from groups, and the settings name no attribute that makes them."""
    with all_problems() as problems:
        for name, spec in known.items():
            if not groups and (spec["objective"] == GROUPED or "groups" in spec.get("learns", [])):
                what = f"{spec['trained_as']} learns from groups, and train.groups is empty"
                problems.add(f"train.models.{name}", what, "groups: [gender, skin], as AI-Face has it")


def as_evaluated(name: str) -> dict[str, Any]:
    """What evaluate is told of a trained model that has no entry in models.yaml."""
    return {"name": name, "task": TASK, "trained": name, "batch": BATCH}


def _spec(name: str, given: dict[str, Any], begun: dict[str, dict[str, Any]]) -> dict[str, Any]:
    about = entry(given["detector"])
    told = {**DEFAULTS, **about, **given, "detector": about["detector"]}
    told["options"] = {**about.get("options", {}), **given.get("options", {})}
    if pretrained.WEIGHTS in given:
        told[pretrained.WEIGHTS] = begun[given[pretrained.WEIGHTS]]
    return {"name": name, "code": code(about["detector"]), "trained_as": given["detector"], **told}


def unlike_published(spec: dict[str, Any]) -> dict[str, list[Any]]:
    """Setting -> its value, and the published one (None: none is stated), of a detector that bears a published name
    and is trained otherwise; of other detectors the weights alone that they begin with, if any."""
    entries = published()
    if spec["trained_as"] not in entries:
        return {pretrained.FIRST: [pretrained.described(spec), None]} if pretrained.WEIGHTS in spec else {}
    about: dict[str, Any] = {**DEFAULTS, **entries[spec["trained_as"]]}
    found = {name: [spec[name], about[name]] for name in STATED if spec[name] != about[name]}
    options = {name: [value, about["options"].get(name)] for name, value in spec["options"].items()}
    found |= {name: pair for name, pair in options.items() if pair[0] != pair[1] and name not in STATED}
    return found | {pretrained.FIRST: [pretrained.described(spec), BEGUN]}


def derived(settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The models that experiments train besides: name -> entry, with the `data` of each variant."""
    made: dict[str, dict[str, Any]] = {}
    with all_problems() as problems:
        for one in settings["experiments"]:
            for model in one["models"]:
                if model not in settings["models"]:
                    what = f"no model {model!r}{meant(model, settings['models'])}"
                    problems.add("train.experiments", what, "list models of train.models")
                    continue
                _add(made, model, settings["models"][model], one, problems)
    return made


def _add(made: dict, model: str, given: dict, experiment: dict, problems: Collector) -> None:
    for suffix, data in variants(experiment).items():
        name = f"{model}_{suffix}"
        if name in made:
            problems.add("train.experiments", f"{name} is trained twice", "list each variant once")
        made[name] = {**given, "data": {**given.get("data", {}), **data}}


def variants(experiment: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Suffix of the model's name -> `data` of each training of an experiment.

    `shares`: so much of each subset; `ratios`: real to fake at one total; `without`: a training without each subset,
    for the test of generalisation.
    """
    ratios = experiment.get("ratios", [])
    return {
        **{f"share{round(100 * share)}": {"share": share} for share in experiment.get("shares", [])},
        **{f"ratio{ratio.replace(':', 'to')}": {"ratio": ratio, "among": ratios} for ratio in ratios},
        **{f"without_{_plain(subset)}": {"without": [subset]} for subset in experiment.get("without", [])},
    }


def _plain(subset: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in subset.lower())


def as_json(spec: dict[str, Any]) -> str:
    """A spec as the command of a rule gives it: the same spec, the same text."""
    return json.dumps(spec, sort_keys=True)
