"""Recognising the same face: how often, for each group, at a fixed rate of false alarms."""

import pandas as pd

from accord.protocol import is_api
from accord.report import charts, names
from accord.report.blocks import Section, picked
from accord.report.told import WHOLE, Told, crossed

INTRO = (
    "Genuine pairs are two pictures of one person, impostor pairs two people of the same group. The threshold is set "
    "so that 1 in 1,000 impostor pairs is accepted; with fewer than 1,000 such pairs no figure is given. A threshold "
    "that few pairs set is known less well: groups of an attribute are compared at equal numbers of impostor pairs. "
    "The table has each group's own figure, too, and what it meets at the threshold of everyone."
)
API_INTRO = (
    "Genuine pairs are two pictures of one person, impostor pairs two people of the same group, at most 3,000 of each. "
    "As FHIBE's public Evaluation API has it, pictures of several people are left out, and the share is the mean of "
    "ten folds, each with a threshold interpolated on the others to a false acceptance rate of 0.001. With fewer than "
    "1,000 impostor pairs that is a guess."
)


def section(told: Told) -> Section:
    """TAR of everyone and of each group of a single attribute, with its interval."""
    table = told.verification[~crossed(told.verification)]
    blocks = [_chart(table)] if len(table) and table["tar"].notna().any() else []
    empty = "No group has enough pairs of pictures for a figure."
    intro = API_INTRO if is_api(told.protocol) else INTRO
    return Section("verification", "Recognising the same face", intro, blocks, empty)


def _chart(table: pd.DataFrame) -> charts.Chart:
    everyone = table["attribute"] == WHOLE
    labels = table["attribute"].map(names.attribute) + ": " + table["group"].map(names.group)
    rows = table.assign(name=labels.mask(everyone, "Everyone"), mean=table["equal_tar"], marked=False, first=~everyone)
    rows = rows.assign(own=table["tar"], low=table["equal_low"], high=table["equal_high"])
    rows = rows.sort_values(["first", "attribute", "group"])
    rows["tip"] = [_tip(row) for row in rows.itertuples()]
    shown = {
        "name": "group", "equal_tar": "accepted", "low": "from", "high": "to", "equal_negatives": "at impostor pairs",
        "own": "with all its pairs", "threshold": "threshold", "shared_tar": "at everyone's threshold",
        "shared_far": "false alarms there", "positives": "genuine pairs", "negatives": "impostor pairs",
        "images": "images", "subjects": "people", "note": "note",
    }  # fmt: skip
    caption = "Share of genuine pairs accepted at a false acceptance rate of 0.001, 95% interval"
    drawn = rows[rows["mean"].notna()]
    return charts.intervals("figure-verification-1", caption, drawn, "share accepted", picked(rows, shown), (0.0, 1.0))


def _tip(row) -> str:
    return (
        f"{row.name}: {row.equal_tar:.3f}, 95% interval {row.low:.3f} to {row.high:.3f}; {row.positives:,} genuine "
        f"pairs of {row.subjects} people"
    )
