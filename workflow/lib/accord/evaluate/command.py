"""`accord weights ...`: which weights are here; fetch those that are not; lock sums that models.yaml doesn't state."""

import argparse
import sys
from pathlib import Path
from typing import Any

from accord import command_line, commands
from accord.engine import configuration, resources
from accord.engine.parameter_types import Folder
from accord.errors import AccordError, Problem
from accord.models import listed, lock, registry, weights

HELP = {
    "list": "list models and whether they can run; exit code 1 if a requested one can't",
    "fetch": "download missing weights, on a machine with network access",
    "lock": "record checksums of fetched files that have none in models.yaml, for review",
}
SCHEMA = resources.schema("models.schema.yaml")
DEFAULTS = {"weights": "weights", "lock": "config/weights.lock.yaml"}
HUB = "https://huggingface.co"


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(argv)
    said = configuration.read(configuration.used(flags.config))
    settings: dict[str, Any] = {"hub": HUB, "run": [], **settings_of(said)}
    asked = flags.model or [*settings["run"], *_painter(said, settings), *_begun(said, settings)]
    names = asked or _all(flags.do, settings)
    folder, locked = Path(settings["weights"]), Path(settings["lock"])
    if flags.do == "lock":
        document = registry.read({**settings, "run": names, "lock": ""}, SCHEMA, registry.FILES).entries
        return _told_locked(lock.lock(locked, document, names, folder, replace=flags.replace), locked)
    found = registry.read({**settings, "run": names}, SCHEMA, registry.FILES).entries
    if flags.do == "fetch":
        return _fetch(found, folder, settings["hub"])
    told = _list(found, folder, flags)
    return told if asked else command_line.DONE


def settings_of(said: dict) -> dict:
    """What a configuration says of evaluating; where it says nothing, the usual files, models.yaml as it ships."""
    models_file = str(resources.own_or_shipped("config/models.yaml"))
    return {"models": models_file, **DEFAULTS, **configuration.section(said, "evaluate")}


def _all(do: str, settings: dict[str, Any]) -> list[str]:
    """All models that are described, to be listed where none is asked for."""
    what = "no model is given, and the configuration lists none"
    if do != "list":
        hint = "give models from `accord weights list`, or a configuration with --config"
        raise AccordError(Problem(f"accord weights {do}", what, hint))
    print(f"accord weights: {what}; {listed.shown(settings)} describes these", file=sys.stderr)
    return list(listed.entries(settings))


def _painter(said: dict, settings: dict[str, Any]) -> list[str]:
    """The name of the model that paints, where models.yaml has it."""
    name = configuration.section(said, "privacy").get("model", "")
    there = all(file.is_file() for file in listed.files(settings))
    return [name] if there and name in listed.entries(settings) else []


def _begun(said: dict, settings: dict[str, Any]) -> list[str]:
    """The names of the weights that detectors begin with, where they aren't evaluated too, as CLIP may be."""
    models = configuration.section(said, "train").get("models", {})
    return sorted({one["weights"] for one in models.values() if "weights" in one} - set(settings["run"]))


def _list(found: dict[str, dict], folder: Path, flags: argparse.Namespace) -> int:
    absent = {name: weights.missing(name, entry["weights"], folder) for name, entry in found.items()}
    told = {
        name: {
            "task": found[name]["task"],
            "licence": found[name]["licence"],
            "missing": [one.what for one in problems],
        }
        for name, problems in absent.items()
    }
    lines = [f"{n:24} {o['task']:22} {o['licence']:16} {'; '.join(o['missing']) or 'ready'}" for n, o in told.items()]
    command_line.say(told, "\n".join(lines), flags)
    return command_line.FAILED if any(absent.values()) else command_line.DONE


def _fetch(found: dict[str, dict], folder: Path, hub: str) -> int:
    from accord.evaluate import fetch

    by_hand = [name for name, entry in found.items() if not list(fetch.fetched_files(entry["weights"], folder))]
    table = fetch.run(entries=found, weights=Folder(folder), hub=hub)
    for row in table.itertuples():
        note = "" if row.stated else "  not locked yet: accord weights lock " + row.model
        print(f"{row.model:24} {row.file:12} {row.sha256[:12]}  {row.bytes:>12,} bytes  {row.source}{note}")
    for name in by_hand:
        for problem in weights.missing(name, found[name]["weights"], folder):
            print(f"{name:24} has no address: {problem.what}")
    return 0


def _told_locked(added: dict[str, dict], path: Path) -> int:
    for model, files in sorted(added.items()):
        for name, file in sorted(files.items()):
            print(f"{model:24} {name:12} {file['sha256'][:12]}  {file['bytes']:>12,} bytes  {file['source']}")
    print(f"review {path}, and keep it with your configuration" if added else "nothing to lock")
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("weights")
    of = command_line.actions(parser, HELP)
    for action in of.values():
        action.add_argument("model", nargs="*", help="names in models.yaml (default: those in the configuration)")
        command_line.config_flag(action)
    command_line.json_flag(of["list"])
    of["lock"].add_argument(
        "--replace", action="store_true", help="accept the local files and replace their locked checksums"
    )
    return parser
