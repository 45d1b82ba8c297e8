"""From a model's entry in models.yaml to an adapter that is ready to predict."""

import importlib
import importlib.util
import inspect
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem
from accord.models import adapter_paths, extras, weights

PATH_HINT = "write module:Class of models/adapters/, package.module:Class, or path/to/file.py:Class; see docs/models.md"


def load(model: dict, folder: Path, method: str) -> Any:
    """The adapter of a model, on one thread, with checked weights and its options.

    model: what `Models.spec` tells; folder: where weights lie that no package ships; method: what the task calls.
    Raises AccordError where the weights, the adapter, a package of its, or an option is wrong or missing.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    files = weights.find(model["name"], model["weights"], folder)
    where = f"model {model['name']}"
    adapter = _class(where, model["adapter"])
    if not callable(getattr(adapter, method, None)):
        raise AccordError(
            Problem(where, f"{model['adapter']} has no method {method}()", f"for {model['task']} it must")
        )
    _check_options(where, adapter, files, model["options"])
    try:
        return adapter(files, **model["options"])
    except ModuleNotFoundError as error:
        raise _lacking(where, error) from None
    except KeyError as error:
        hint = "the names under `weights:` are those that the adapter asks for"
        raise AccordError(Problem(where, f"{model['adapter']} wants weights named {error}", hint)) from None


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
    try:
        ours = adapter_paths.step_of(adapter)
        is_file = module.endswith(".py")
        loaded = (
            _module_from_file(Path(module))
            if is_file
            else importlib.import_module(f"accord.{ours}" if ours else module)
        )
        return getattr(loaded, name)
    except (FileNotFoundError, AttributeError, ModuleNotFoundError, LookupError) as error:
        if isinstance(error, ModuleNotFoundError) and extras.hint(error.name or ""):
            raise _lacking(where, error) from None
        raise AccordError(Problem(where, f"there is no adapter {adapter} ({error})", PATH_HINT)) from None


def _module_from_file(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}")
    spec = importlib.util.spec_from_file_location(f"adapter_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _check_options(where: str, adapter: type, files: dict[str, Path], options: dict) -> None:
    try:
        inspect.signature(adapter).bind(files, **options)
    except TypeError as error:
        hint = f"options are the arguments of {adapter.__name__}.__init__ after the weights"
        raise AccordError(Problem(where, f"its options don't fit: {error}", hint)) from None
