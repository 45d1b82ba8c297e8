"""Which models use a GPU: their adapters say so. Imported by the workflow, so kept light: no adapter's code runs.

An adapter that puts its network on a GPU where there is one has the attribute `GPU`: the package by which it does,
as `GPU = "torch"`. Where that package is not installed, or nothing is said, no GPU is asked for.
"""

import ast
import os
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from accord.engine import source
from accord.errors import AccordError, Collector, Problem
from accord.models import adapter_paths

SAID, VARIABLE = "GPU", "ACCORD_GPUS"
TOLERANCE = 1e-9


def allowed() -> bool:
    """Whether jobs may ask for GPUs: not where the variable ACCORD_GPUS is 0, on a cluster without any.

    Raises AccordError where it is neither 0 nor 1.
    """
    told = os.environ.get(VARIABLE, "1")
    if told not in ("0", "1"):
        hint = "use 0 on a cluster without GPUs; a training asks for as many as its `processes`, all else for one"
        raise AccordError(Problem(VARIABLE, f"must be 0 or 1, not {told!r}", hint))
    return told == "1"


def of(entries: Iterable[dict]) -> int | None:
    """GPUs of a job that runs these models, entries of models.yaml: one, if one of them uses any and jobs may ask.

    None for none: a job without the resource asks for nothing, on whatever cluster.
    """
    return 1 if allowed() and any(uses(entry) for entry in entries) else None


def of_processes(count: int) -> int | None:
    """GPUs of a training by several processes: one each, where any are allowed."""
    return count if allowed() else None


def uses(entry: dict) -> bool:
    """Whether a model would compute on a GPU: what its entry says under `gpu`, or else its adapter."""
    if "gpu" in entry:
        return bool(entry["gpu"])
    if "adapter" not in entry:
        return "trained" in entry
    package = _said(entry["adapter"])
    return package is not None and _is_installed(package)


def check_shares(entries: Mapping[str, dict], alone: Collection[str], where: str, problems: Collector) -> None:
    """Models that share a GPU must fit it together, and be of tasks that are not asked `alone`."""
    sharing = {name: entry for name, entry in entries.items() if "share" in entry}
    for name, entry in sharing.items():
        if (task := entry["task"]) in alone:
            problems.add(f"{where}: {name}.share", f"models of {task} can't share a job", "remove it")
    shares = {name: entry["share"] for name, entry in sharing.items() if uses(entry)}
    if (total := sum(shares.values())) > 1 + TOLERANCE:
        what = f"{', '.join(shares)} need {total:.2f} of a GPU together"
        problems.add(f"{where}: share", what, "remove it from some of them, which then have jobs of their own")


@cache
def _said(adapter: str) -> str | None:
    """The package that a class names as `GPU`; None where it names none, or lies in a package that isn't ours."""
    module, _, name = adapter.rpartition(":")
    try:
        ours = None if module.endswith(".py") else adapter_paths.step_of(adapter)
        file = source.file_of(ours) if ours else Path(module)
        tree = ast.parse(file.read_bytes()) if file.suffix == ".py" else ast.Module([], [])
    except (LookupError, OSError, SyntaxError, ValueError):
        return None  # What is wrong with an adapter is told where it is loaded.
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    return _of_class(name, classes)


def _of_class(name: str, classes: dict[str, ast.ClassDef]) -> str | None:
    """What a class says, or the first of its bases in the same file that does."""
    node = classes.pop(name, None)
    if node is None:
        return None
    for line in node.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Constant):
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            if SAID in [one.id for one in targets if isinstance(one, ast.Name)]:
                return str(line.value.value)
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    return next((said for base in bases if (said := _of_class(base, classes))), None)


@cache
def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False
