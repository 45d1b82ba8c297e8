"""The face recognition services of a run, from `evaluate.rapid` and models.yaml. Imported by the workflow, so light.

An entry of task face_service has an adapter of its own (`protocols.FaceService`), or is made of a detector and a
recogniser of models.yaml: `service: {detector: yunet, embedder: sface}`. `compares` says what it is shown.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord.errors import AccordError, Collector, Problem, all_problems
from accord.models import registry, tasks, weights
from accord.models.protocols import Boxes, Detector, Embedder

TASK, SETTING, EARLIER = "face_service", "evaluate.rapid.services", "evaluate.rapid.earlier"
REPLAYED = "replayed"
"""What steps are told of an earlier version: a paid one is never asked again."""
PARTS = {"detector": "face_localization", "embedder": "face_verification"}
"""Of a service that is made of two entries: their tasks."""
TEMPLATES, FACES, PICTURES = "templates", "faces", "pictures"
"""What a service compares (`compares` of its entry): its own vectors, two faces that it found, two whole pictures."""


ANSWERING = ("adapter", "options", "service", "weights")
"""What of an entry its answers depend on."""


class Services(NamedTuple):
    """specs: name -> what steps are told of it, as JSON; entries: name -> entry of models.yaml, those of parts too;
    missing: name of a service that is left out -> why, its weights not being on this machine."""

    specs: dict[str, str]
    entries: dict[str, dict]
    missing: dict[str, list[Problem]]

    def that_compare(self, *what: str) -> list[str]:
        """The names of the services that compare templates, faces or pictures."""
        return [name for name in self.specs if compares(self.entries[name]) in what]

    def parts(self, name: str) -> list[dict]:
        """The entries of the models that a service asks: its own, or those of the two that it is made of."""
        made = self.entries[name].get("service", {})
        return [self.entries[made[part]] for part in PARTS if part in made] or [self.entries[name]]


def compares(model: dict) -> str:
    """What a service compares. model: its entry, or what `read` tells of it."""
    return str(model.get("compares", TEMPLATES))


def asked(rapid: dict, settings: dict, schema: Path) -> Services:
    """The services of a test, and the earlier versions of some. rapid: `evaluate.rapid` of the config.

    Raises AccordError as `read` does, and for an earlier version of a service that isn't tested, or that is tested now.
    """
    services, earlier = rapid["services"], rapid["earlier"]
    with all_problems() as problems:
        for name, before in earlier.items():
            if name not in services:
                problems.add(f"{EARLIER}: {name}", "isn't tested", f"name it under {SETTING}, too")
            if before in services:
                hint = "take it out there: what a service said before has no vote on whom a face shows"
                problems.add(f"{EARLIER}: {name}", f"{before} is one of {SETTING}, too", hint)
        for before in sorted({one for one in earlier.values() if list(earlier.values()).count(one) > 1}):
            problems.add(EARLIER, f"{before} is the earlier version of several services", "name it once")
    found = read([*services, *earlier.values()], settings, schema, set(earlier.values()))
    with all_problems() as problems:
        for name, before in earlier.items():
            if all(found.entries[name].get(key) == found.entries[before].get(key) for key in ANSWERING):
                hint = "give each the `version` under options that it answers as"
                problems.add(f"{EARLIER}: {name}", f"{before} is the same version of it", hint)
    return found


def read(names: Sequence[str], settings: dict, schema: Path, earlier: Collection[str] = ()) -> Services:
    """The services `names`. settings: `evaluate:` of the config; schema: of models.yaml; earlier: those that are
    replayed alone, where their answers are kept.

    Raises AccordError with every name that models.yaml doesn't have, or has for another task.
    """
    listed = registry.read({**settings, "run": list(names)}, schema, SETTING)
    with all_problems() as problems:
        _check(listed.entries, dict.fromkeys(names, TASK), problems)
    wanted = {name: entry["service"] for name, entry in listed.entries.items() if "service" in entry}
    several = chain.from_iterable([one[part] for part in PARTS] for one in wanted.values())
    parts = registry.read({**settings, "run": sorted(set(several))}, schema, f"{SETTING}, the models of a service")
    with all_problems() as problems:
        for one in wanted.values():
            _check(parts.entries, {one[part]: task for part, task in PARTS.items()}, problems)
    specs = {name: _spec(name, listed, parts, name in earlier) for name in names}
    every = listed.entries | parts.entries
    gone = {name: _missing(name, every, Path(settings["weights"])) for name in names}
    here = {name: spec for name, spec in specs.items() if not gone[name]}
    return Services(here, every, {name: why for name, why in gone.items() if why})


def load(model: dict, folder: Path) -> Any:
    """A service that is ready to answer: a FaceService; a TemplateService where it is made of two entries.

    model: what `read` tells of it; folder: where weights lie that no package ships. Raises as `loading.load` does, and
    AccordError where its entry promises templates that it doesn't hand out.
    """
    from accord.models import loading

    if "service" not in model:
        return _as_promised(model, loading.load(model, folder, "compare"))
    made = model["service"]
    parts = (loading.load(made[part], folder, tasks.method_of(task)) for part, task in PARTS.items())
    return PairedService(*parts, side=made.get("side"))


def _as_promised(model: dict, service: Any) -> Any:
    if compares(model) == TEMPLATES and not hasattr(service, "embed"):
        what = "compares pictures without handing out templates (`embed`)"
        hint = "write `compares: faces` in its entry, or `compares: pictures` where it finds no faces for itself"
        raise AccordError(Problem(f"model {model['name']}", what, hint))
    return service


class PairedService:
    """A TemplateService made of a detector and an embedder. side: px that faces are shrunk to first, and enlarged
    again: what a recogniser makes of worse pictures; None for none."""

    def __init__(self, detector: Detector, embedder: Embedder, side: int | None = None):
        self._detector, self._embedder, self._side = detector, embedder, side

    def detect(self, pictures: Sequence[np.ndarray]) -> Sequence[Boxes]:
        return self._detector.detect(pictures)

    def embed(self, pictures: Sequence[np.ndarray]) -> Sequence[np.ndarray | None]:
        return self._embedder.embed([self._worn(picture) for picture in pictures])

    def compare(self, left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> list[float | None]:
        return [cosine(one, other) for one, other in zip(self.embed(left), self.embed(right), strict=True)]

    def _worn(self, picture: np.ndarray) -> np.ndarray:
        import cv2

        if self._side is None or self._side >= min(picture.shape[:2]):
            return picture
        small = cv2.resize(picture, (self._side, self._side), interpolation=cv2.INTER_AREA)
        return cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC)


def cosine(one: np.ndarray | None, other: np.ndarray | None) -> float | None:
    """The cosine of two vectors; None where one is missing or all zeros."""
    if one is None or other is None:
        return None
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.dot(np.ravel(one), np.ravel(other))) / length if length else None


def _spec(name: str, listed: registry.Models, parts: registry.Models, is_earlier: bool) -> str:
    entry = listed.entries[name]
    if "service" not in entry:
        told = listed.spec(name)
        return json.dumps(json.loads(told) | {REPLAYED: True}, sort_keys=True) if is_earlier else told
    made = entry["service"] | {part: json.loads(parts.spec(entry["service"][part])) for part in PARTS}
    return json.dumps({"name": name, "task": TASK, "batch": entry["batch"], "service": made}, sort_keys=True)


def _missing(name: str, entries: dict[str, dict], folder: Path) -> list[Problem]:
    made = entries[name].get("service", {})
    several: Iterable[str] = [name, *(made[part] for part in PARTS if part in made)]
    return [problem for one in several for problem in weights.missing(one, entries[one]["weights"], folder)]


def _check(entries: dict[str, dict], wanted: dict[str, str], problems: Collector) -> None:
    for name, task in wanted.items():
        found = entries[name]["task"]
        if found != task or registry.OUTPUTS in entries[name]:
            problems.add(f"{SETTING}: {name}", f"is a model of {found}", f"name one whose task is {task}")
