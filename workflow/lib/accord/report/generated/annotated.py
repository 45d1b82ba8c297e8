"""The section on annotators: how often each says what the archive says, by subset, weighted, and by value."""

import pandas as pd

from accord.analyse.scoring.detectors.strata import WEIGHTED
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, grid

ENDS = {"accuracy": "accuracy", "low": "from", "high": "to", "weight": "share of the archive"}
INTRO = (
    "What annotators that this run trained say of faces of the test, held against the archive's own labels, in "
    "percent. None has learnt from these pictures or people. Where labels were made by another annotator, agreement "
    "with them is no accuracy. `weighted` counts each subset as often as the archive has it."
)


def section(accuracy: pd.DataFrame, fewest: int) -> Section:
    """Of strata and values with at least `fewest` faces."""
    large = accuracy[(accuracy["images"] >= fewest) | (accuracy["stratum"] == WEIGHTED)]
    percent = large.assign(**{name: (large[name] * 100).round(9) for name in ENDS})
    whole = percent["value"] == WHOLE
    tables = [
        ("strata", "Each subset", percent[whole].drop(columns="value")),
        ("values", "Each value of the archive's labels: the share of its faces that is told right",
         percent[~whole].drop(columns=["stratum", "weight"])),
    ]  # fmt: skip
    blocks = [grid(f"table-annotators-{name}", told, _named(rows)) for name, told, rows in tables if len(rows)]
    return Section("annotators", "How well faces are annotated", INTRO, blocks, "No subset is large enough.")


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.rename(columns=ENDS | {"images": "faces", "units": "people or sources"}).dropna(
        axis="columns", how="all"
    )
