"""The text encoders of a run, from `evaluate.encoders` and models.yaml. Imported by the workflow, so kept light."""

import json
from pathlib import Path
from typing import NamedTuple

from accord.errors import Collector, Problem, all_problems
from accord.models import registry, weights

TASK = "text_embedding"
SETTING = "evaluate.encoders"


class Encoders(NamedTuple):
    """told: what the step is told of each, in order; entries: name -> entry of models.yaml; missing: why some are left
    out, their weights not being on this machine."""

    told: list[dict]
    entries: dict[str, dict]
    missing: list[Problem]


def read(settings: dict, schema: Path) -> Encoders:
    """The encoders that `settings` (`evaluate:` of the config) name. schema: of models.yaml.

    Raises AccordError with every one that models.yaml doesn't have, that is of another task, or that is named
    twice.
    """
    wanted = settings["encoders"]
    listed = registry.read({**settings, "run": [one["model"] for one in wanted]}, schema, SETTING)
    with all_problems() as problems:
        _check(listed.entries, problems)
    folder = Path(settings["weights"])
    gone = {name: weights.missing(name, entry["weights"], folder) for name, entry in listed.entries.items()}
    told = [
        {"entry": json.loads(listed.spec(one["model"])), "template": one["template"], "words": one["words"]}
        for one in wanted
        if not gone[one["model"]]
    ]
    return Encoders(told, listed.entries, [problem for problems in gone.values() for problem in problems])


def _check(entries: dict[str, dict], problems: Collector) -> None:
    for name, entry in entries.items():
        if entry["task"] != TASK or registry.OUTPUTS in entry:
            problems.add(f"{SETTING}: {name}", f"is a model of {entry['task']}", f"name one whose task is {TASK}")
