"""Analyse: predictions into scores, groups, disparities and diversity. `from accord.analyse import analyse` does it
for a plain table, without the workflow; `analyse_fairness` has AI-Face's metrics of a detector of made faces."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """`analyse` and `analyse_fairness`, when asked for: steps don't need them, and their digests don't have them."""
    if name == "analyse":
        return import_module("accord.analyse.plain.compare_table").analyse
    if name == "analyse_fairness":
        return import_module("accord.analyse.scoring.detectors.of_table").analyse_fairness
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
