"""The models of a run: config/models.yaml, read and checked as a whole. Imported by the workflow, so kept light."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from accord import source
from accord.errors import AccordError, Collector, all_problems

STEP_OF_TASK = {
    "face_localization": "detect",
    "person_localization": "detect",
    "keypoint_estimation": "pose",
    "person_parsing": "parse",
    "face_verification": "embed",
    "image_embedding": "masked",
}
NO_MODEL = r"(?!)"
HINT = "docs/models.md shows an entry"


@dataclass(frozen=True)
class Models:
    """The entries of models.yaml that a run uses, by name, in the order of the run."""

    entries: dict[str, dict]

    def of_task(self, *tasks: str) -> list[str]:
        """The names of the models of these tasks."""
        return [name for name, entry in self.entries.items() if entry["task"] in tasks]

    def pattern(self, step: str) -> str:
        """A regular expression that matches the names of the models that a step runs, and nothing else."""
        names = [name for name, entry in self.entries.items() if STEP_OF_TASK[entry["task"]] == step]
        return "|".join(map(re.escape, names)) or NO_MODEL

    def spec(self, name: str) -> str:
        """What a step is told about a model, as JSON: all that its predictions depend on, its code's digest too.

        Licence and source stay out: a better description of a model reruns nothing.
        """
        entry = self.entries[name]
        told = {key: entry[key] for key in ("task", "adapter", "weights", "batch", "options")}
        return json.dumps({"name": name, "code": self._codes[entry["adapter"]], **told}, sort_keys=True)

    @cached_property
    def _codes(self) -> dict[str, str]:
        return {adapter: adapter_code(adapter) for adapter in {entry["adapter"] for entry in self.entries.values()}}


def read(settings: dict, schema: Path) -> Models:
    """The models that `settings` (`evaluate:` of the config) wants run, from the file that it names.

    schema: the JSON Schema of such files. Raises AccordError with every problem of the file and of the list.
    """
    import yaml

    path = Path(settings["models"])
    try:
        document = yaml.safe_load(path.read_text())
        rules = yaml.safe_load(Path(schema).read_text())
    except (OSError, yaml.YAMLError) as error:
        raise AccordError(f"{path}: can't be read ({type(error).__name__})") from None
    with all_problems() as problems:
        _check_schema(document, rules, str(path), problems)
    with all_problems() as problems:
        _check_names(settings["run"], document, str(path), problems)
    filled = {name: {"batch": 8, "options": {}, **document[name]} for name in settings["run"]}
    return Models(filled)


def adapter_code(adapter: str) -> str:
    """The digest of an adapter's code: `package.module:Class` of this library, or `path/to/file.py:Class`.

    A file outside the library counts as it is, comments too.
    """
    module = adapter.rpartition(":")[0]
    if module.endswith(".py"):
        try:
            return hashlib.blake2b(Path(module).read_bytes(), digest_size=6).hexdigest()
        except OSError:
            raise AccordError(f"{adapter}: there is no file {module}") from None
    package, _, rest = module.partition(".")
    try:
        return source.digest(rest) if package == source.PACKAGE else "installed"
    except ValueError:
        raise AccordError(f"{adapter}: there is no module {module}") from None


def _check_schema(document, rules: dict, where: str, problems: Collector) -> None:
    from jsonschema import Draft202012Validator

    for error in sorted(Draft202012Validator(rules).iter_errors(document), key=lambda e: list(map(str, e.path))):
        place = ".".join(map(str, error.path)) or "the file"
        problems.add(f"{where}: {place}", error.message, HINT)


def _check_names(names: list[str], document: dict, where: str, problems: Collector) -> None:
    for name in names:
        if name not in document:
            known = ", ".join(sorted(document))
            problems.add(f"evaluate.run: {name}", f"{where} has no such model", f"it has {known}")
        if names.count(name) > 1:
            problems.add(f"evaluate.run: {name}", "is listed more than once", "list it once")
