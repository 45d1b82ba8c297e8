"""The section on annotators: how often each says what the archive says, by subset, weighted, and by value."""

import pandas as pd

from accord.analyse.scoring.detectors.strata import WEIGHTED
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, grid

ENDS = {"accuracy": "accuracy", "low": "from", "high": "to", "weight": "share of the archive"}
BASELINE = {"commonest": "commonest label"}
INTRO = (
    "What annotators that this run trained say of faces of the test, held against the archive's own labels, in "
    "percent. None has learnt from these pictures or people. Where labels were made by another annotator, agreement "
    "with them is no accuracy. `weighted` counts each subset as often as the archive has it. "
    "`commonest label` is what an annotator gets right that says it of everybody."
)

STUDY = (
    "People said what they take faces for, each alone, without being told any annotation; what more than half of two "
    "or more say counts. Faces were drawn by whether annotator and archive differ. `all` is of the faces that were "
    "drawn, and no accuracy of the archive: `weighted` counts each stratum as often as it occurs."
)


def section(accuracy: pd.DataFrame, fewest: int) -> Section:
    """Of strata and values with at least `fewest` faces."""
    large = accuracy[(accuracy["images"] >= fewest) | (accuracy["stratum"] == WEIGHTED)]
    percent = large.assign(**{name: (large[name] * 100).round(9) for name in ENDS | BASELINE})
    percent.insert(percent.columns.get_loc("weight"), "commonest", percent.pop("commonest"))
    whole = percent["value"] == WHOLE
    tables = [
        ("strata", "Each subset", percent[whole].drop(columns="value")),
        ("values", "Each value of the archive's labels: the share of its faces that is told right",
         percent[~whole].drop(columns=["stratum", "weight"])),
    ]  # fmt: skip
    blocks = [grid(f"table-annotators-{name}", told, _named(rows)) for name, told, rows in tables if len(rows)]
    return Section("annotators", "How well faces are annotated", INTRO, blocks, "No subset is large enough.")


def study(accuracy: pd.DataFrame, agreement: pd.DataFrame, fewest: int) -> Section:
    """Of strata with at least `fewest` faces that most people take for one value."""
    large = accuracy[(accuracy["images"] >= fewest) | (accuracy["stratum"] == WEIGHTED)]
    told = large.assign(**{name: (large[name] * 100).round(9) for name in ENDS})
    same = agreement.assign(unanimous=agreement["unanimous"] * 100).rename(columns={"low": "from", "high": "to"})
    tables = [
        ("votes", "Votes, and how well people agree (Krippendorff's alpha)", same),
        ("study", "How often annotations are what most people say", _named(told)),
    ]  # fmt: skip
    voted = bool(agreement["raters"].any())
    blocks = [grid(f"table-looks-{name}", title, rows) for name, title, rows in tables if len(rows) and voted]
    intro = STUDY if voted else ""
    return Section("study", "How good annotations are, by people", intro, blocks, "Nobody has voted yet.")


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.rename(columns=ENDS | BASELINE | {"images": "faces", "units": "people or sources"}).dropna(
        axis="columns", how="all"
    )
