"""Every comparison of a model: what was tested, and what holds."""

from typing import Any

from accord.analyse.tables.benchmark import ends
from accord.report.drawing.blocks import Section, Words, picked
from accord.report.reading.report_data import ReportData
from accord.report.telling import names
from accord.report.telling.comparison import by_kind
from accord.report.telling.words import claim

INTRO = (
    "Groups of an attribute are compared pairwise, corrected for the number of pairs; D = 1 − median(worst) / "
    "median(best), or 1 − median(best) / median(worst) if lower is better, and there is none where medians are "
    "equal. A difference holds only if it is also "
    "significant between people, after correction for all comparisons in this report. People are compared with "
    "those who have equally many pictures, since averages of one and of eight pictures differ without any bias; "
    "people without a counterpart are not compared. “p between images” treats every picture as independent: if "
    "groups differ in pictures per person, it is unreliable."
)
EVERY = (
    "Every comparison: of each attribute the pair with the largest D, a pair that holds before others; the note says "
    "where other groups are the ends of the attribute. Without groups: no pair differs between images, or none was "
    "compared."
)
WHICH = "median over people in images, or mean where medians are equal; “by” says which, and scores are of that."
SIDES = (("worse", "worse"), ("first", "lower"))


def section(data: ReportData) -> Section:
    """Sentences of what holds, then every comparison."""
    held = data.disparities[data.disparities["claimed"]].sort_values(
        ["disparity", "attribute"], ascending=[False, True]
    )
    blocks: list[Any] = [Words([claim(row) for row in held.itertuples()])] if len(held) else []
    by = ends(data.disparities)
    sizes = data.disparities[["disparity", "low", "high"]].where(by["by"] != "mean")
    rows = data.disparities.assign(
        **sizes,
        by=by["by"],
        worst_score=by["worst"],
        best_score=by["best"],
        attribute=data.disparities["attribute"].map(names.attribute),
        worst=data.disparities["worst"].map(names.group),
        best=data.disparities["best"].map(names.group),
        note=data.disparities["note"].map(names.note),
        worst_subjects=data.disparities["worst_subjects"].astype("Int64").mask(data.disparities["worst"] == ""),
        best_subjects=data.disparities["best_subjects"].astype("Int64").mask(data.disparities["best"] == ""),
    )
    shown = {
        "attribute": "attribute", "metric": "metric", "claimed": "holds", "worst": "worse", "best": "better",
        "worst_score": "score of worse", "best_score": "score of better", "by": "score is the", "disparity": "D",
        "low": "interval from", "high": "interval to", "difference": "difference of means",
        "difference_low": "from", "difference_high": "to", "p_between_subjects": "p between people",
        "note": "note", "worst_subjects": "people in worse", "best_subjects": "people in better",
        "p_value": "p between images", "effect": "effect (z)", "subjects_compared": "people compared",
        "pairs": "pairs of groups",
    }  # fmt: skip
    if len(rows):
        captions = [f"{EVERY} The {one} group is the one with the {other} {WHICH}" for one, other in SIDES]
        order = rows.sort_values(["claimed", "p_between_subjects", "attribute"], ascending=[False, True, True])
        blocks += by_kind("table-tests", (captions[0], captions[1]), picked(order, shown))
    return Section("tests", "All comparisons", INTRO, blocks, "Nothing was compared.")
