"""How far a finding, or the lack of one, can be trusted: other ways of looking, what could be seen, reversals."""

import pandas as pd

from accord.report.drawing.blocks import Grid, Section, Words
from accord.report.reading.report_data import ReportData
from accord.report.telling import features, names
from accord.report.telling.comparison import by_kind, less
from accord.text.nouns import counted

INTRO = (
    "Whether differences are robust to other reasonable analyses of the same data (a multiverse analysis), which "
    "differences could be detected at all (power), and whether any reverses when another property is held fixed."
)
CHOICES = ("models", "outcome", "grouping", "min_subjects", "test", "correction")
CORRECTIONS = {"bonferroni": "Bonferroni", "holm": "Holm", "bh": "Benjamini-Hochberg"}
FINDING = ["attribute", "worst", "best", "metric"]


def section(data: ReportData) -> Section:
    """Multiverse, power, reversals."""
    known = data.multiverse[data.multiverse["note"] == ""]
    blocks: list = [Words([survived(rows) for _, rows in known.groupby(FINDING, sort=True)])] if len(known) else []
    blocks += _choices(known) if len(known) else []
    blocks += _power(data.power) if len(data.power) else []
    blocks += _reversals(data.reversals) if len(data.reversals) else []
    return Section("robustness", "How far it can be trusted", INTRO, blocks, "No confirmed difference to examine.")


def survived(rows: pd.DataFrame) -> str:
    """In how many ways of looking a finding holds. rows: those of one finding that can be said."""
    first = rows.iloc[0]
    worst, best = names.group(first["worst"]), names.group(first["best"])
    return (
        f"That {less(first['metric'], worst, best)} ({first['metric']}) holds in "
        f"{int(rows['holds'].sum()):,} of {counted(len(rows), 'way')} of analysing it."
    )


def _choices(rows: pd.DataFrame) -> list[Grid]:
    """Of each choice, in what share of the ways that make it a finding holds."""
    long = rows.melt([*FINDING, "holds"], list(CHOICES), "choice", "value").astype({"value": str})
    counted = long.groupby([*FINDING, "choice", "value"], sort=True)["holds"].agg(["sum", "size"]).reset_index()
    table = pd.DataFrame(
        {
            "attribute": counted["attribute"].map(names.attribute).to_list(),
            "worst": counted["worst"].map(names.group).to_list(),
            "best": counted["best"].map(names.group).to_list(),
            "metric": counted["metric"].to_list(),
            "choice": counted["choice"].str.replace("_", " ").to_list(),
            "value": counted["value"].replace(CORRECTIONS).to_list(),
            "ways": counted["size"].to_list(),
            "holds in": counted["sum"].to_list(),
            "share": (counted["sum"] / counted["size"]).to_list(),
        }
    )
    caption = "Each possible choice, and in how many analyses with it the difference holds."
    return by_kind("table-multiverse", (caption, caption), table)


def _power(table: pd.DataFrame) -> list[Grid]:
    told = table.sort_values(["metric", "attribute", "detectable"])
    rows = pd.DataFrame(
        {
            "attribute": told["attribute"].map(names.attribute).to_list(),
            "worse": told["worst"].map(names.group).to_list(),
            "better": told["best"].map(names.group).to_list(),
            "metric": told["metric"].to_list(),
            "people in worse": told["worst_subjects"].to_list(),
            "people in better": told["best_subjects"].to_list(),
            "difference seen": told["difference"].to_list(),
            "must be, alone": told["detectable"].to_list(),
            "must be, in this report": told["detectable_in_report"].to_list(),
            "note": told["note"].to_list(),
        }
    )
    caption = (
        "How large a difference between people's averages must be to be found four times out of five: when only "
        "its attribute is analysed, and among all comparisons in this report."
    )
    return by_kind("table-power", (caption, caption), rows, folded=True)


def _reversals(table: pd.DataFrame) -> list[Grid]:
    rows = pd.DataFrame(
        {
            "attribute": table["attribute"].map(names.attribute).to_list(),
            "worse as it is": table["worst"].map(names.group).to_list(),
            "better as it is": table["best"].map(names.group).to_list(),
            "metric": table["metric"].to_list(),
            "held fixed": table["feature"].map(features.called).to_list(),
            "gap as it is": table["gap"].to_list(),
            "gap then": table["within"].to_list(),
            "p": table["p_value"].to_list(),
            "beyond chance": table["claimed"].to_list(),
        }
    )
    caption = (
        "Differences that reverse when something is held fixed (Simpson's paradox); those not beyond chance, after "
        "correction for all analyses, may not be real."
    )
    return by_kind("table-reversals", (caption, caption), rows)
