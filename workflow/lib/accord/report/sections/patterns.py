"""What the pictures have in common on which a model does worst."""

import pandas as pd

from accord.report import features, names
from accord.report.blocks import Grid, Section, grid
from accord.report.told import Told

INTRO = (
    "Errors are the lowest scores, about one in ten. A pattern is told only if errors are more frequent in it than "
    "chance, or any part of it, explains, given all patterns that were looked at."
)


def section(told: Told) -> Section:
    """The patterns, and who fares worse within them."""
    found = told.patterns[told.patterns["pattern"] != ""]
    blocks = [_patterns(found)] if len(found) else []
    held = told.pattern_disparities[told.pattern_disparities["claimed"]]
    blocks += [_within(held)] if len(held) else []
    return Section("patterns", "What its errors have in common", INTRO, blocks, _nothing(told.patterns))


def _nothing(table: pd.DataFrame) -> str:
    reasons = sorted({note for note in table["note"] if note})
    return f"No pattern is told: {'; '.join(reasons)}." if reasons else "No pattern goes with its errors beyond chance."


def _patterns(table: pd.DataFrame) -> Grid:
    told = table.sort_values(["metric", "lift", "pattern"], ascending=[True, False, True])
    rows = pd.DataFrame(
        {
            "pictures of": told["pattern"].map(features.pattern).to_list(),
            "metric": told["metric"].to_list(),
            "times as many errors": told["lift"].to_list(),
            "from": told["lift_low"].to_list(),
            "to": told["lift_high"].to_list(),
            "share that are errors": told["confidence"].to_list(),
            "share of all errors": told["support"].to_list(),
            "images": told["images"].to_list(),
            "people": told["subjects"].to_list(),
            "p": told["p_value"].to_list(),
        }
    )
    return grid("table-patterns", "Patterns, those with the most errors first.", rows)


def _within(table: pd.DataFrame) -> Grid:
    rows = pd.DataFrame(
        {
            "pictures of": table["pattern"].map(features.pattern).to_list(),
            "attribute": table["attribute"].map(names.attribute).to_list(),
            "worst": table["worst"].map(names.group).to_list(),
            "best": table["best"].map(names.group).to_list(),
            "D": table["disparity"].to_list(),
            "p between people": table["p_between_subjects"].to_list(),
        }
    )
    return grid("table-within-patterns", "Groups that differ within a pattern.", rows)
