"""What the pictures have in common on which a model does worst."""

import pandas as pd

from accord.report.drawing.blocks import Grid, Section, grid
from accord.report.reading.report_data import ReportData
from accord.report.telling import features, names

INTRO = (
    "Errors are the worst scores, as close to the configured share of all as ties allow. A pattern is reported only "
    "if errors are more frequent in it than by chance, or in any part of it, corrected for all patterns that were "
    "tested."
)

CAPTION = (
    "Error patterns, highest lift first. “Times as many errors” (lift): the share of its pictures that are errors / "
    "that of all pictures."
)
SUPPORT = {"errors": "share of all errors", "rows": "errors in it, of all rows"}


def section(data: ReportData) -> Section:
    """The patterns, and who fares worse within them."""
    found = data.patterns[data.patterns["pattern"] != ""]
    blocks = [_patterns(found, SUPPORT[data.support_of])] if len(found) else []
    held = data.pattern_disparities[data.pattern_disparities["claimed"]]
    blocks += [_within(held)] if len(held) else []
    return Section("patterns", "Error patterns", INTRO, blocks, _nothing(data.patterns))


def _nothing(table: pd.DataFrame) -> str:
    """Why there is no pattern, of each measure."""
    told = table.sort_values("metric")
    told = told.loc[told["note"] != "", ["metric", "note"]].drop_duplicates()
    reasons = [f"{row.metric}: {row.note}" for row in told.itertuples()]
    return f"No pattern is told. {'; '.join(reasons)}." if reasons else "No pattern was looked for."


def _patterns(table: pd.DataFrame, support: str) -> Grid:
    told = table.sort_values(["metric", "lift", "pattern"], ascending=[True, False, True])
    rows = pd.DataFrame(
        {
            "pictures of": told["pattern"].map(features.pattern).to_list(),
            "metric": told["metric"].to_list(),
            "times as many errors": told["lift"].to_list(),
            "interval from": told["lift_low"].to_list(),
            "interval to": told["lift_high"].to_list(),
            "share that are errors": told["confidence"].to_list(),
            support: told["support"].to_list(),
            "images": told["images"].to_list(),
            "people": told["subjects"].to_list(),
            "p": told["p_value"].to_list(),
        }
    )
    return grid("table-patterns", CAPTION, rows)


def _within(table: pd.DataFrame) -> Grid:
    rows = pd.DataFrame(
        {
            "pictures of": table["pattern"].map(features.pattern).to_list(),
            "attribute": table["attribute"].map(names.attribute).to_list(),
            "worst": table["worst"].map(names.group).to_list(),
            "best": table["best"].map(names.group).to_list(),
            "metric": table["metric"].to_list(),
            "D": table["disparity"].to_list(),
            "p between people": table["p_between_subjects"].to_list(),
        }
    )
    return grid("table-within-patterns", "Groups that differ within a pattern.", rows)
