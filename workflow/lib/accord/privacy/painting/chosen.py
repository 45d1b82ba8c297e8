"""The model that paints, as the config names it. Imported by the workflow, so kept light: no weights are read."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine import yaml_text
from accord.errors import AccordError, Problem
from accord.models import listed as files_of_models
from accord.models import registry, weights

EMBEDDED = "embedded"
"""The model that ships with this package: made from renders alone (docs/inpainting.md)."""
FILL = "fill"
"""No model: regions are filled with the colours around them, which looks like a strong blur."""
WITHOUT_FILES = (EMBEDDED, FILL)
TASK = "inpainting"
INDEX = "model_index.json"
PHOTOGRAPHS = "sd2_inpainting"
"""The entry of models.yaml that hints name: the default of config.yaml."""
FETCH = (
    f"set a model for photographs in privacy.model, and download it: accord weights fetch {PHOTOGRAPHS}; or `{FILL}`, "
    "which needs none"
)


class Chosen(NamedTuple):
    """The model that paints. `called`: what decisions of people know it by; `spec`: what steps are told of its entry in
    models.yaml, JSON, `null` for the embedded one and for a folder; `absent`: what of it is not on this machine;
    `listed`: its name -> its entry, empty likewise."""

    called: str
    spec: str
    absent: list[Problem]
    listed: dict[str, dict]

    @property
    def entries(self) -> list[dict]:
        """What `models.gpus` asks: the entry. Of the others, those without files run on a processor."""
        return list(self.listed.values()) or [{"gpu": self.called not in WITHOUT_FILES}]


def read(config: dict[str, Any], schema: Path) -> Chosen:
    """The model that `privacy.model` names: `embedded`, `fill`, an entry of models.yaml, or a folder.

    schema: the JSON Schema of models.yaml. Raises AccordError where the name is of a model with another task.
    """
    name, settings = config["privacy"]["model"], config["evaluate"]
    if name in WITHOUT_FILES:
        return Chosen(name, "null", [], {})
    if not _is_listed(name, settings):
        return Chosen(name, "null", missing(name, None, Path()), {})
    listed = registry.read({**settings, "run": [name]}, schema, "privacy.model")
    entry = listed.entries[name]
    if entry["task"] != TASK:
        what = f"{files_of_models.shown(settings)} has it for {entry['task']}, not for {TASK}"
        raise AccordError(Problem(f"privacy.model: {name}", what, FETCH))
    absent = missing(name, entry, Path(settings["weights"]))
    return Chosen(called(name, entry["weights"]), listed.spec(name), absent, listed.entries)


def missing(model: str, entry: dict | None, folder: Path) -> list[Problem]:
    """What keeps a model from painting: files that are not here, or that no sum is stated of. Reads no file.

    model: `embedded`, `fill`, a folder, or the name of `entry`; folder: where weights lie that no package ships.
    """
    if model in WITHOUT_FILES:
        return []
    if entry is not None:
        return weights.missing(entry.get("name", model), entry["weights"], folder)
    if Path(model, INDEX).is_file():
        return []
    named = f"{FILL!r}, {EMBEDDED!r}, an entry of models.yaml, or a folder written by save_pretrained"
    hint = f"privacy.model is {named}; {FETCH}"
    return [Problem(f"inpainting model {Path(model).name!r}", f"it has no {INDEX}", hint)]


def called(name: str, files: dict[str, dict]) -> str:
    """The name of an entry with a digest of its sums: of other weights, people are asked anew."""
    sums = json.dumps({key: file["sha256"] for key, file in files.items()}, sort_keys=True)
    return f"{name}@{hashlib.sha256(sums.encode()).hexdigest()[:12]}"


def name_of(called: str) -> str:
    """The name that the config has, of what `called` gives; all else as it is."""
    return re.sub(r"@[0-9a-f]{12}$", "", called)


def _is_listed(name: str, settings: dict[str, Any]) -> bool:
    return any(name in _said(file) for file in files_of_models.files(settings))


def _said(file: Path) -> dict:
    import yaml

    try:
        return dict(yaml_text.said(file.read_text("utf-8-sig")) or {})
    except (OSError, yaml.YAMLError, TypeError, ValueError):
        return {}
