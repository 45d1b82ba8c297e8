"""Exports: the tables behind the report as CSV and Parquet, and what each is."""

import inspect
from typing import NamedTuple

import pandas as pd

from accord.analyse.tables import (
    benchmark,
    causes,
    compared,
    composition,
    numbers,
    open_answers,
    probes,
    recalls,
    robustness,
    scores,
    verification,
)
from accord.checks.tables import findings as checks_tables
from accord.checks.tables import summary
from accord.report.reading.report_data import ReportData
from accord.report.sections.collected import counted
from accord.text.spreadsheets import csv_text

MODELS = {
    "groups": scores.Groups,
    "disparities": scores.Disparities,
    "verification": scores.Verification,
    "causes": causes.Causes,
    "cause_tree": causes.CauseTree,
    "conditioned": causes.Conditioned,
    "patterns": causes.Patterns,
    "pattern_disparities": causes.PatternDisparities,
    "extremes": benchmark.Extremes,
    "intersections": benchmark.Intersections,
    "multiverse": robustness.Multiverse,
    "power": robustness.Power,
    "reversals": robustness.Reversals,
    "curves": verification.Curves,
    "pair_errors": verification.PairErrors,
    "compared": compared.Compared,
    "composition": scores.Composition,
    "group_sizes": composition.GroupSizes,
    "attribute_sizes": composition.AttributeSizes,
    "layout": composition.Layout,
    "spreads": composition.Spreads,
    "heat": composition.Heat,
    "references": composition.References,
    "diversity": scores.Diversity,
    "recalls": recalls.Recalls,
    "recall_disparities": recalls.RecallDisparities,
    "false_yes": recalls.FalseYes,
    "readings": recalls.Readings,
    "probe_rates": probes.ProbeRates,
    "probe_effects": probes.ProbeEffects,
    "response_rates": open_answers.ResponseRates,
    "answer_rates": open_answers.AnswerRates,
    "misgendering_ratios": open_answers.MisgenderingRatios,
    "occupation_shares": open_answers.OccupationShares,
    "waterfall": checks_tables.Waterfall,
    "video_waterfall": checks_tables.VideoWaterfall,
    "exclusions": summary.Exclusions,
    "crop_recall": checks_tables.CropRecall,
    "numbers": numbers.Numbers,
}
EDITS = "How many regions of each kind were painted out, by which method, in how many images."


class Export(NamedTuple):
    """An exported table: its name, what it is, how many rows it has, its columns."""

    name: str
    about: str
    rows: int
    columns: list[str]


def exported(data: ReportData) -> dict[str, pd.DataFrame]:
    """Name -> table, of groups and sums alone: none names a person or an image."""
    return {**{name: data.tables[name] for name in MODELS}, "edits": counted(data.edits)}


def files(data: ReportData) -> dict[str, str | pd.DataFrame]:
    """File name -> content: each table as CSV and as Parquet."""
    made: dict[str, str | pd.DataFrame] = {}
    for name, table in exported(data).items():
        made[f"data/{name}.csv"] = csv_text(table)
        made[f"data/{name}.parquet"] = table
    return made


def descriptions(data: ReportData) -> list[Export]:
    """What each export is, from the definition of its table."""
    found = exported(data)
    return [Export(name, _about(name), len(table), list(table.columns)) for name, table in found.items()]


def _about(name: str) -> str:
    return " ".join((inspect.getdoc(MODELS[name]) or "").split()) if name in MODELS else EDITS
