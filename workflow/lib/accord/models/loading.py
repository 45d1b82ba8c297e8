"""From a model's entry in models.yaml to an adapter that is ready to predict."""

import importlib
import inspect
import json
import os
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from accord.command_line import meant
from accord.errors import AccordError, Problem
from accord.models import adapter_files, adapter_paths, extras, weights

MOST_SAID = 200
PATH_HINT = "write module:Class of models/adapters/, package.module:Class, or path/to/file.py:Class; see docs/models.md"


def load(model: dict, folder: Path, method: str) -> Any:
    """The adapter of a model, on one thread, with checked weights and its options.

    model: what `Models.spec` tells; folder: where weights lie that no package ships; method: what the task calls.
    Raises AccordError where the weights, the adapter, a package of its, or an option is wrong or missing.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    files = weights.find(model["name"], model["weights"], folder)
    where = f"model {model['name']}"
    adapter, shown = _class(where, model["adapter"]), adapter_paths.shown(model["adapter"])
    if not callable(getattr(adapter, method, None)):
        raise AccordError(Problem(where, f"{shown} has no method {method}()", f"{model['task']} requires it"))
    _check_options(where, adapter, files, model["options"])
    try:
        return adapter(_Files(files, where, shown), **model["options"])
    except AccordError:
        raise
    except ModuleNotFoundError as error:
        raise _lacking(where, error) from None
    except Exception as error:
        raise AccordError(_fault(where, error, model["adapter"], files)) from None


class _Files(dict[str, Path]):
    """The files of a model's weights by name; asked for another name, it says which the adapter needs."""

    def __init__(self, files: dict[str, Path], where: str, adapter: str) -> None:
        super().__init__(files)
        self._where, self._adapter = where, adapter

    def __missing__(self, name: str) -> Path:
        hint = "the names under `weights:` must be those that the adapter uses"
        raise AccordError(Problem(self._where, f"{self._adapter} needs weights named {name!r}", hint))


def _fault(where: str, error: Exception, adapter: str, files: dict[str, Path]) -> Problem:
    """The problem that an error is which an adapter raised as it read its files: of its code, if that is a user's."""
    module = adapter.rpartition(":")[0]
    if module.endswith(".py"):
        return adapter_files.fault(error, Path(module))
    names = ", ".join(sorted({path.name for path in files.values()})) or "no file"
    said = (str(error).strip().splitlines() or [""])[0][:MOST_SAID]
    what = f"{adapter_paths.shown(adapter)} can't load {names} ({type(error).__name__}: {said})"
    return Problem(where, what, "a file is damaged or of another network, or an option doesn't fit: see docs/models.md")


def loaded(model: dict, folder: Path, method: str) -> Any:
    """What `load` gives, loaded once in this process."""
    return _loaded(json.dumps(model, sort_keys=True), folder, method)


@lru_cache(maxsize=8)
def _loaded(model: str, folder: Path, method: str) -> Any:
    return load(json.loads(model), folder, method)


def _lacking(where: str, error: ModuleNotFoundError) -> AccordError:
    hint = extras.hint(error.name or "") or f"pip install {error.name}"
    return AccordError(Problem(where, f"needs the package {error.name}", hint))


def _class(where: str, adapter: str) -> type:
    module, _, name = adapter.rpartition(":")
    shown = adapter_paths.shown(adapter)
    try:
        loaded = _module(module, adapter_paths.step_of(adapter))
    except ModuleNotFoundError as error:
        if module.endswith(".py") or extras.hint(error.name or ""):
            raise _lacking(where, error) from None
        raise AccordError(Problem(where, f"there is no adapter {shown} ({error})", PATH_HINT)) from None
    except (FileNotFoundError, LookupError) as error:
        raise AccordError(Problem(where, f"there is no adapter {shown} ({error})", PATH_HINT)) from None
    except Exception as error:
        if not module.endswith(".py"):
            raise
        raise AccordError(adapter_files.fault(error, Path(module))) from None
    found = getattr(loaded, name, None)
    if not isinstance(found, type):
        classes = [key for key, value in vars(loaded).items() if isinstance(value, type)]
        what = f"there is no adapter {shown} (no class {name} in {shown.rpartition(':')[0]}{meant(name, classes)})"
        raise AccordError(Problem(where, what, PATH_HINT))
    return found


def _module(module: str, ours: str | None) -> ModuleType:
    """The module of an adapter: a file of the user's, one of this library (`ours`), or of an installed package."""
    if module.endswith(".py"):
        return adapter_files.module(Path(module))
    return importlib.import_module(f"accord.{ours}" if ours else module)


def _check_options(where: str, adapter: type, files: dict[str, Path], options: dict) -> None:
    try:
        inspect.signature(adapter).bind(files, **options)
    except TypeError as error:
        hint = f"options must be arguments of {adapter.__name__}.__init__ after the weights"
        raise AccordError(Problem(where, f"its options don't fit: {error}", hint)) from None
