"""The lock of weights: the sums of files that models.yaml states none of, written once and reviewed by a person."""

import re
from pathlib import Path

from accord.engine import yaml_files
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.models import sums

SUM = re.compile(r"[0-9a-f]{64}")
OPENING = """\
# Checksums of weights that have none in models.yaml: written by `accord weights lock`, to be reviewed and kept with
# the configuration. A file with a different checksum is never loaded.
"""


def source(entry: dict) -> str:
    """Where a file of weights is from, in one word: a repository's file at a revision, an address, or a path."""
    if "hub" in entry:
        return f"{entry['hub']}@{entry.get('revision', 'main')}:{entry['path']}"
    return entry.get("url", entry["path"])


def read(path: Path) -> dict[str, dict[str, dict]]:
    """model -> name of the file -> {sha256, bytes, source}; empty where there is no lock. Raises AccordError."""
    if not path.is_file():
        return {}
    hint = "`accord weights lock` writes one"
    found = yaml_files.keys(path, "lock file of weights", hint)
    try:
        locked = [file for files in found.values() for file in files.values()]
        sound = all(SUM.fullmatch(file["sha256"]) and isinstance(file["source"], str) for file in locked)
    except (AttributeError, TypeError, KeyError):
        sound = False
    if not sound:
        raise AccordError(Problem(str(path), "is not a valid lock file of weights", hint))
    return found


def fill(document: dict[str, dict], locked: dict[str, dict], where: str) -> dict[str, dict]:
    """The entries of models.yaml with the lock's sums where they state none.

    Raises AccordError where a sum was locked for a file from elsewhere, or contradicts the one that is stated.
    """
    with all_problems() as problems:
        return {name: _filled(name, entry, locked.get(name, {}), where, problems) for name, entry in document.items()}


def _filled(model: str, entry: dict, locked: dict, where: str, problems: Collector) -> dict:
    return {
        **entry,
        "weights": {
            name: _with_sum(f"{where}: {model}.{name}", file, locked.get(name), problems)
            for name, file in entry.get("weights", {}).items()
        },
    }


def _with_sum(where: str, file: dict, locked: dict | None, problems: Collector) -> dict:
    if locked is None:
        return file
    hint = "find out which of the two is right, then `accord weights lock --replace`, or correct models.yaml"
    if locked["source"] != source(file):
        problems.add(where, f"was locked for {locked['source']}, but models.yaml names {source(file)}", hint)
    elif file["sha256"] not in (None, locked["sha256"]):
        problems.add(where, "has different checksums in the lock file and in models.yaml", hint)
    return {**file, "sha256": locked["sha256"]}


def lock(path: Path, document: dict[str, dict], models: list[str], folder: Path, *, replace: bool) -> dict[str, dict]:
    """Add the sums of the models' files, as they lie on this machine, to the lock; returns what was added.

    Files that models.yaml states a sum of are left to it. Raises AccordError, and writes nothing, where a file is
    missing, or where the lock has another sum already, unless `replace`.
    """
    held, added = read(path), {}
    with all_problems() as problems:
        for model in models:
            wanted = {name: file for name, file in document[model].get("weights", {}).items() if file["sha256"] is None}
            found = {name: _taken(model, file, folder, problems) for name, file in wanted.items()}
            new = {name: taken for name, taken in found.items() if taken and taken != held.get(model, {}).get(name)}
            if not replace:
                _refuse_changes(model, new, held.get(model, {}), problems)
            added |= {model: new} if new else {}
    if added:
        _write(path, {name: {**held.get(name, {}), **added.get(name, {})} for name in sorted({*held, *added})})
    return added


def _taken(model: str, file: dict, folder: Path, problems: Collector) -> dict | None:
    from accord.models import weights

    path = weights.placed(file, folder)
    if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        fetched = "hub" in file or "url" in file
        hint = f"on a machine with network: accord weights fetch {model}" if fetched else f"put it in {folder.name}"
        problems.add(f"model {model}", f"is missing {file['path']}, which can't be locked", hint)
        return None
    return {"sha256": sums.sha256(path), "bytes": path.stat().st_size, "source": source(file)}


def _refuse_changes(model: str, new: dict, held: dict, problems: Collector) -> None:
    for name in sorted(new.keys() & held.keys()):
        hint = "find out who changed the file, there or here, before you use --replace"
        problems.add(f"model {model}", f"its {name} differs from the locked file", hint)


def _write(path: Path, content: dict) -> None:
    import yaml

    from accord import files

    text = OPENING + yaml.safe_dump(content, sort_keys=True, default_flow_style=False, width=120)
    files.replace(path, text.encode())
