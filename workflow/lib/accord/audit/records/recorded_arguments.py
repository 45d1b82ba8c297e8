"""The arguments of a recorded run of a step: what a provenance record tells of them, and where the rest lies."""

from pathlib import Path
from typing import Any

from accord.audit.targets.places import Places
from accord.engine import configuration, step, table
from accord.engine.parameter_types import Folder, Former, Private, Sink
from accord.errors import AccordError

PLAIN = (str, int, float, bool, dict, list, list[str], list[float], list[int], list[dict])
"""Kinds of parameters that a provenance record tells whole."""
ONE_BY_ONE = "evaluate.small"
"""The step that evaluates models and can be done again: it gives them one picture at a time, so that an answer depends
on nothing else."""
BUNDLES = frozenset({"intake.shard", "privacy.paint", "release.derive"})
"""The steps that write a bundle and can be done again; to train a model or to open an archive takes too long."""

Provenance = dict[str, Any]


def arguments(kinds: dict[str, Any], record: Provenance, places: Places) -> dict[str, Any] | None:
    """The arguments of a step but its sinks; None where the record doesn't tell them all, or where it writes
    elsewhere."""
    params, files, given = dict(record["params"]), _files(record), tables(record)
    known = record["step"] == ONE_BY_ONE or not record["step"].startswith("evaluate.")
    bundles = (Sink,) if record["step"] in BUNDLES else ()
    for key, kind in kinds.items():
        if kind is Former:
            params[key] = Former()
        elif kind is Private and key in params:
            params[key] = places.vault
        elif kind is Folder and key == "weights" and known:
            params[key] = places.weights
        elif key == "deliveries" and (found := _deliveries(params.get(key, []), places)):
            params[key] = found
        elif kind == list[Path]:
            params[key] = files.get(key, [])
        elif kind is Path and files.get(key):
            params[key] = files[key][0]
        elif key not in given and kind not in (*PLAIN, Path, *bundles):
            return None
    if {path for paths in files.values() for path in paths} != set(map(Path, record["inputs"])):
        return None
    try:
        return params | {key: table.read(mine, step.table_of(kinds[key])) for key, mine in given.items()}
    except AccordError:
        return None


def _deliveries(names: list[str], places: Places) -> list[Path]:
    """The configured deliveries of these names, in their order; none where one isn't there."""
    told = configuration.section(places.config or {}, "intake").get("deliveries") or []
    known = {folder.resolve().name: folder for folder in map(Path, told) if folder.is_dir()}
    return [known[name] for name in names] if known.keys() >= set(names) and len(known) == len(told) else []


def _files(record: Provenance) -> dict[str, list[Path]]:
    return {key: [Path(name) for name in names] for key, names in record.get("arguments", {}).items()}


def tables(record: Provenance) -> dict[str, list[Path]]:
    """Which of the inputs that a provenance record names were which table of its step."""
    kinds, _ = step.signature(step.load(record["step"]))
    given = record.get("arguments", {})
    return {key: [Path(name) for name in given.get(key, [])] for key, kind in kinds.items() if step.table_of(kind)}
