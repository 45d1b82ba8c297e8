"""Analyse: predictions into scores, groups, disparities and diversity. `from accord.analyse import analyse` does it
for a plain table, without the workflow."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """`analyse`, imported when it is asked for: steps don't need it, and their digests don't have it."""
    if name == "analyse":
        return import_module("accord.analyse.plain.compare_table").analyse
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
