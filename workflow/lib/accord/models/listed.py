"""The entries of models.yaml: of one file, or of several, so that one's own models stand in a file of one's own."""

from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from accord.engine import config_mistakes, yaml_files, yaml_text
from accord.errors import Collector, Problem, all_problems

HINT = "see the example in docs/models.md"
WHAT = "list of models"


def files(settings: dict[str, Any]) -> list[Path]:
    """The files that `evaluate.models` names, in its order. settings: `evaluate` of the config."""
    named = settings["models"]
    return [Path(one) for one in ([named] if isinstance(named, (str, Path)) else named)]


def shown(settings: dict[str, Any]) -> str:
    """The files, for messages."""
    return ", ".join(map(str, files(settings)))


def entries(settings: dict[str, Any], schema: Path | None = None) -> dict[str, dict]:
    """Name -> entry, of all files. schema: the JSON Schema of such files; None where they are only looked up.

    Raises AccordError with every problem of every file, and every name that two of them have.
    """
    rules = schema.read_text() if schema else ""
    found: dict[str, dict] = {}
    with all_problems() as problems:
        for file in files(settings):
            document, mistakes = _read(file, file.read_bytes() if file.is_file() else b"", rules)
            for one in mistakes:
                problems.add(f"{file}: {one.where}", one.what, one.hint)
            _check_names(document, found, file, problems)
            found |= deepcopy(document)
    return found


@lru_cache(maxsize=16)
def _read(file: Path, content: bytes, rules: str) -> tuple[dict[str, dict], list[Problem]]:
    """A file's entries and its mistakes by the rules, if any; kept while it has this content.

    Each job of a cluster starts with it, and asks for entries half a dozen times.
    """
    document = yaml_files.keys(file, WHAT, HINT)
    return document, config_mistakes.against(document, yaml_text.said(rules), WHAT, HINT) if rules else []


def _check_names(document: dict[str, dict], earlier: dict[str, dict], file: Path, problems: Collector) -> None:
    for name in document:
        if name in earlier:
            problems.add(f"{file}: {name}", "an earlier file of evaluate.models has a model of this name", "rename it")
