"""Which open-vocabulary detector looks for logos: a model of models.yaml, or a folder. Imported by the workflow."""

import json
from pathlib import Path

from accord.errors import AccordError, Problem
from accord.models import registry, weights

TASK = "logo_localization"
FOLDER = "folder"
NONE = "null"


def spec(name: str | None, settings: dict, schema: Path) -> str:
    """What the step is told about the detector, as JSON: all that its boxes depend on; {"folder": ...} of a folder.

    name: `checks.logo_model`; settings: `evaluate` of the config, whose `models`, `lock` and `weights` say where models
    are; schema: the JSON Schema of models.yaml. Raises AccordError where it is neither a folder nor a model that looks
    for logos, or where its weights are not on this machine: without them logos would be published.
    """
    if name is None:
        return NONE
    if Path(name).is_dir():
        return json.dumps({FOLDER: name})
    listed = registry.read({**settings, "run": [name]}, schema, "checks.logo_model")
    entry = listed.entries[name]
    if entry["task"] != TASK or registry.OUTPUTS in entry:
        hint = f"give one whose task is {TASK}, such as owlv2_logos, or a folder"
        raise AccordError(
            Problem("checks.logo_model", f"{name} is a model for {entry['task']}, which does not detect logos", hint)
        )
    absent = weights.missing(name, entry["weights"], Path(settings["weights"]))
    if absent:
        raise AccordError(absent)
    return listed.spec(name)
