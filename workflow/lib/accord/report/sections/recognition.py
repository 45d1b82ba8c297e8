"""Face verification: how often, for each group, at a fixed rate of false alarms."""

from typing import Any

import pandas as pd

from accord.protocol import is_api
from accord.report.drawing import charts
from accord.report.drawing.blocks import Section, picked
from accord.report.reading.report_data import WHOLE, ReportData, crossed
from accord.report.telling import names
from accord.text.nouns import counted

INTRO = (
    "Genuine pairs are two pictures of one person, impostor pairs two people of the same group; for everyone, two "
    "people with the same pronoun and nearly the same skin colour. The threshold is set for a false acceptance rate "
    "of {odds} impostor pairs. Groups with too few pairs for that have no figure: the table says why. A threshold "
    "estimated from few pairs is less certain, so groups of an attribute are compared at equal numbers of impostor "
    "pairs. Everyone's threshold is its own too, so everyone's figure need not lie between those of the groups. The "
    "table also has each group's own figure, and its rate at the threshold of everyone."
)
API_INTRO = (
    "Genuine pairs are two pictures of one person, impostor pairs two people of the same group, at most 3,000 of each. "
    "As in FHIBE's public Evaluation API, pictures of several people are excluded, and the rate is the mean of "
    "ten folds, each with a threshold interpolated on the others at a false acceptance rate of 0.001. With fewer than "
    "1,000 impostor pairs this is unreliable."
)


def section(data: ReportData) -> Section:
    """TAR of everyone and of each group of a single attribute, with its interval."""
    table = data.verification[~crossed(data.verification)]
    far = next((far for name in data.groups["metric"] if (far := names.far_of(name))), None)
    blocks = [_chart(table, far)] if len(table) and table["tar"].notna().any() else []
    empty = "No group has enough pairs of pictures for a figure."
    intro = (
        API_INTRO if is_api(data.protocol) else INTRO.format(odds=f"1 in {1 / far:,.0f}" if far else "a given share of")
    )
    return Section("verification", "Face verification by group", intro, blocks, empty)


def _chart(table: pd.DataFrame, far: float | None) -> charts.Chart:
    everyone = table["attribute"] == WHOLE
    labels = table["attribute"].map(names.attribute) + ": " + table["group"].map(names.group)
    rows = table.assign(name=labels.mask(everyone, "Everyone"), mean=table["equal_tar"], marked=False, first=~everyone)
    rows = rows.assign(own=table["tar"], low=table["equal_low"], high=table["equal_high"])
    rows = rows.sort_values(["first", "attribute", "group"])
    rows["tip"] = [_tip(row) for row in rows.itertuples()]
    shown = {
        "name": "group", "equal_tar": "accepted", "low": "interval from",
        "high": "interval to", "equal_negatives": "at impostor pairs",
        "own": "with all its pairs", "threshold": "threshold", "shared_tar": "at everyone's threshold",
        "shared_far": "false alarms there", "positives": "genuine pairs", "negatives": "impostor pairs",
        "images": "images", "subjects": "people", "note": "note",
    }  # fmt: skip
    rate = f" of {far:g}" if far else ""
    caption = f"Share of genuine pairs accepted at a false acceptance rate{rate}, 95% interval by people"
    drawn = rows[rows["mean"].notna()]
    return charts.intervals("figure-verification-1", caption, drawn, "share accepted", picked(rows, shown), (0.0, 1.0))


def _tip(row: Any) -> str:
    pairs = f"{counted(row.positives, 'genuine pair')} of {counted(row.subjects, 'person')}"
    return f"{row.name}: {row.equal_tar:.3f}, 95% interval {row.low:.3f} to {row.high:.3f}; {pairs}"
