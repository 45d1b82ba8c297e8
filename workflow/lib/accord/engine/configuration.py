"""The configuration of a project, as the workflow reads it: later files lie over earlier ones, key by key."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from accord.engine import config_mistakes, yaml_files
from accord.errors import AccordError, Problem, all_problems

DEFAULT = Path("config/config.yaml")
PATHVARS = ("results", "logs")
HINT = "give the run's files: --config config/config.yaml config/my.yaml"


def used(named: Iterable[Path]) -> list[Path]:
    """The files that are named; without any, config/config.yaml where there is one."""
    return list(named) or [DEFAULT] * DEFAULT.is_file()


def read(files: Iterable[Path]) -> dict[str, Any]:
    """What configuration files say, whole or in part. Raises AccordError with every mistake that is in them."""
    found = said(files)
    config_mistakes.refuse(found, partial=True, own=True)
    return found


def filled(config: dict[str, Any], shipped: Path) -> dict[str, Any]:
    """A configuration laid over the one that is shipped with the workflow, whose files are found from anywhere.

    shipped: the folder that `config/` lies in.
    """
    return _over(_found_from_here(said([shipped / DEFAULT]), shipped), config)


def _found_from_here(value: Any, shipped: Path) -> Any:
    if isinstance(value, dict):
        return {name: _found_from_here(one, shipped) for name, one in value.items()}
    if isinstance(value, list):
        return [_found_from_here(one, shipped) for one in value]
    is_shipped = isinstance(value, str) and value.startswith(f"{DEFAULT.parent}/")
    return os.path.relpath(shipped / value) if is_shipped else value


def said(files: Iterable[Path]) -> dict[str, Any]:
    """What configuration files say, right or wrong. Raises AccordError with all files that can't be read or are no map
    of keys, and all keys that a file gives twice."""
    found: dict[str, Any] = {}
    with all_problems() as problems:
        for file in files:
            try:
                found = _over(found, yaml_files.keys(file, "configuration", HINT))
            except AccordError as error:
                problems += error.problems
    return found


def section(config: dict[str, Any], name: str) -> dict[str, Any]:
    """The keys under a name; empty where it isn't there. Raises AccordError where it holds something else."""
    found = config.get(name, {})
    if not isinstance(found, dict):
        raise AccordError(Problem(name, "is not a valid section of a configuration", "see config/README.md"))
    return found


def folder(config: dict[str, Any], name: str, named: Path | None = None) -> Path:
    """The folder `vault`, `releases`, `results` or `logs` of a project: as named, else as configured, else as usual."""
    told = section(config, "pathvars") if name in PATHVARS else config
    return named or Path(str(told.get(name) or name))


def require(setting: str, named: Iterable[str]) -> None:
    """Raise AccordError where files that a setting names are missing: Snakemake would go on with what an earlier run
    made of others."""
    with all_problems() as problems:
        for file in named:
            if not Path(file).is_file():
                problems.add(setting, f"names {file}, which is missing", "give paths from the run's folder")


def _over(below: dict, above: dict) -> dict:
    both = {name: _over(below[name], value) for name, value in above.items() if _are_maps(below.get(name), value)}
    return {**below, **above, **both}


def _are_maps(left: Any, right: Any) -> bool:
    return isinstance(left, dict) and isinstance(right, dict)
