"""The authors' code: modules of a checkout, without what only their training or their compiled kernels need."""

import importlib
import sys
from pathlib import Path
from types import ModuleType


def module(checkout: Path, name: str, *bare: str, **stands_in: ModuleType) -> ModuleType:
    """A module of a checkout.

    bare: packages whose own __init__ is not run, only what lies in them. stands_in: modules that are taken for others,
    `__` for the dots of their names. Raises FileNotFoundError where the checkout doesn't have it.
    """
    place = checkout.joinpath(*name.split("."))
    if not place.with_suffix(".py").is_file() and not (place / "__init__.py").is_file():
        raise FileNotFoundError(f"{place}.py: --code is the checkout of the authors' repository")
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    for package in bare:
        empty = ModuleType(package)
        empty.__path__ = [str(checkout.joinpath(*package.split(".")))]
        sys.modules.setdefault(package, empty)
    sys.modules.update({key.replace("__", "."): value for key, value in stands_in.items()})
    return importlib.import_module(name)


def holding(name: str, **members) -> ModuleType:
    """A module with these members."""
    made = ModuleType(name)
    vars(made).update(members)
    return made
