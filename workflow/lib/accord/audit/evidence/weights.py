"""Weights: whether models were what config/models.yaml states, then and now, and the files are still those."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from accord.audit.telling.checks import About, Check
from accord.engine import configuration, resources
from accord.errors import AccordError, Problem
from accord.models import listed as lists

WEIGHTS = About("weights")
MODELS, LOCK = "config/models.yaml", Path("config/weights.lock.yaml")
SWAPPED = "weights were replaced: keep the file as evidence, reinstall the packages in weights.txt, and rerun"


def checks(records: Iterable[dict[str, Any]], config: dict[str, Any] | None) -> list[Check]:
    """Of each model that the records name: recorded sha256 against models.yaml, and against the file that is here."""
    used: dict[str, list[dict]] = {}
    painters = set()
    for record in records:
        for model in _models(record["params"]):
            told = used.setdefault(str(model.get("name")), [])
            told += [] if model in told else [model]
        if record["step"] == "privacy.paint" and not isinstance(record["params"].get("entry"), dict):
            painters.add(str(record["params"].get("model")))
    if not used and not painters:
        return [WEIGHTS.none("weights", "no model was used")]
    settings = configuration.section(config or {}, "evaluate")
    named = settings.get("models", resources.own_or_shipped(MODELS))
    listed = _listed({"models": named}, Path(str(settings.get("lock", LOCK))))
    folder = Path(str(settings.get("weights", "weights")))
    return [
        *(check for name in sorted(used) for check in _of_model(name, used[name], listed.get(name), folder)),
        *(check for model in sorted(painters) for check in _of_painter(model)),
    ]


def _models(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of models.yaml among parameters: one by itself, or several by what they are for,
    those of a service among them."""
    for value in params.values():
        if isinstance(value, dict) and "name" in value and isinstance(value.get("weights"), dict):
            yield value
        elif isinstance(value, dict):
            yield from _models(value)


def _listed(settings: dict[str, Any], locked: Path) -> dict[str, dict]:
    """The entries of the lists of models with the lock's sums; what can't be read states nothing."""
    import yaml

    from accord.models import lock

    try:
        return lock.fill(lists.entries(settings), lock.read(locked), str(locked))
    except (OSError, yaml.YAMLError, AccordError, AttributeError, KeyError, TypeError):
        return {}


def _of_model(name: str, recorded: list[dict], listed: dict | None, folder: Path) -> list[Check]:
    from accord.models import weights

    where = f"model {name}"
    if len(recorded) > 1:
        hint = "its predictions come from different weights: rerun the workflow"
        return [WEIGHTS.failed("recorded", "is recorded differently in different files", where, hint)]
    wanted = recorded[0]["weights"]
    if listed is None:
        return [WEIGHTS.warned("recorded", "is no longer in models.yaml", where)]
    if _digests(listed.get("weights")) != _digests(wanted):
        return [WEIGHTS.failed("recorded", "was run with weights other than those in models.yaml", where, SWAPPED)]
    try:
        weights.find(name, wanted, folder)
    except AccordError as error:
        changed = any("have sha256" in problem.what for problem in error.problems)
        make = WEIGHTS.failed if changed else WEIGHTS.warned
        return [make("files", problem.what, where, SWAPPED if changed else problem.hint) for problem in error.problems]
    except (KeyError, TypeError):
        return [WEIGHTS.failed("recorded", "the record of its weights can't be read", where, SWAPPED)]
    return [WEIGHTS.passed("files", f"{len(wanted)} file(s), as recorded and as in models.yaml", where)]


def _digests(told: Any) -> dict[str, str]:
    found = told if isinstance(told, dict) else {}
    return {name: str(entry.get("sha256")) if isinstance(entry, dict) else "" for name, entry in found.items()}


def _of_painter(model: str) -> list[Check]:
    """The model that paints: the one that ships with the package, or a folder."""
    from accord.privacy.painting import painters

    if model == painters.FILL:
        return [WEIGHTS.none("files", "there are none: regions are filled without a model", "inpainting")]
    if model != painters.EMBEDDED:
        return [
            WEIGHTS.none("files", "only the names of its files are checked", f"inpainting model {Path(model).name}")
        ]
    found = painters.digest(painters.EMBEDDED_FOLDER)
    if found != painters.EMBEDDED_SHA256:
        return [WEIGHTS.failed("files", "differ from the packaged weights", "the embedded inpainting model", SWAPPED)]
    return [WEIGHTS.passed("files", f"match the packaged weights ({found[:12]})", "the embedded inpainting model")]


def edits(painted: Iterable[str], records: Iterable[dict[str, Any]]) -> list[Check]:
    """The inpainting models that tables of edits name by sha256, held against those that the records tell of."""
    known = _painters(records)
    others = sorted(set(painted) - known)
    what = "name a model that is neither packaged nor recorded by a step"
    problems = [Problem(f"edits by {one[:12]}", what, SWAPPED) for one in others]
    return WEIGHTS.held("edits", problems, "all edits name a known inpainting model")


def _painters(records: Iterable[dict[str, Any]]) -> set[str]:
    """The sha256 of the models that painted, by what models.yaml stated of them, or by their files."""
    from accord.privacy.painting import painters

    params = [record["params"] for record in records if record["step"] == "privacy.paint"]
    entries = [one["entry"]["weights"] for one in params if isinstance(one.get("entry"), dict)]
    folders = {Path(str(one.get("model"))) for one in params if not isinstance(one.get("entry"), dict)}
    here = {painters.digest(folder) for folder in folders if folder.is_dir()}
    return {painters.EMBEDDED_SHA256, painters.FILL_SHA256, *here, *map(painters.stated, entries)}
