"""Exports: the tables behind the report as CSV and Parquet, and what each is."""

import inspect
from typing import NamedTuple

import pandas as pd

from accord.analyse import (
    benchmark_tables,
    cause_tables,
    compared_tables,
    composition_tables,
    number_tables,
    robustness_tables,
    tables,
    verification_tables,
)
from accord.checks import summary_tables
from accord.checks import tables as checks_tables
from accord.report.sections.collected import counted
from accord.report.told import Told

MODELS = {
    "groups": tables.Groups,
    "disparities": tables.Disparities,
    "verification": tables.Verification,
    "causes": cause_tables.Causes,
    "cause_tree": cause_tables.CauseTree,
    "conditioned": cause_tables.Conditioned,
    "patterns": cause_tables.Patterns,
    "pattern_disparities": cause_tables.PatternDisparities,
    "extremes": benchmark_tables.Extremes,
    "intersections": benchmark_tables.Intersections,
    "multiverse": robustness_tables.Multiverse,
    "power": robustness_tables.Power,
    "reversals": robustness_tables.Reversals,
    "curves": verification_tables.Curves,
    "pair_errors": verification_tables.PairErrors,
    "compared": compared_tables.Compared,
    "composition": tables.Composition,
    "group_sizes": composition_tables.GroupSizes,
    "attribute_sizes": composition_tables.AttributeSizes,
    "layout": composition_tables.Layout,
    "spreads": composition_tables.Spreads,
    "heat": composition_tables.Heat,
    "references": composition_tables.References,
    "diversity": tables.Diversity,
    "waterfall": checks_tables.Waterfall,
    "exclusions": summary_tables.Exclusions,
    "numbers": number_tables.Numbers,
}
EDITS = "How many regions of each kind were painted out, by which method, in how many images."


class Export(NamedTuple):
    """An exported table: its name, what it is, how many rows it has, its columns."""

    name: str
    about: str
    rows: int
    columns: list[str]


def exported(told: Told) -> dict[str, pd.DataFrame]:
    """Name -> table, of groups and sums alone: none names a person or an image."""
    return {**{name: told.tables[name] for name in MODELS}, "edits": counted(told.edits)}


def files(told: Told) -> dict[str, str | pd.DataFrame]:
    """File name -> content: each table as CSV and as Parquet."""
    made: dict[str, str | pd.DataFrame] = {}
    for name, table in exported(told).items():
        made[f"data/{name}.csv"] = table.to_csv(index=False, lineterminator="\n")
        made[f"data/{name}.parquet"] = table
    return made


def told_of(told: Told) -> list[Export]:
    """What each export is, from the definition of its table."""
    found = exported(told)
    return [Export(name, _about(name), len(table), list(table.columns)) for name, table in found.items()]


def _about(name: str) -> str:
    return " ".join((inspect.getdoc(MODELS[name]) or "").split()) if name in MODELS else EDITS
