"""What models that answer questions say of the class of people, all models together: how often right, for whom."""

from typing import Any

import pandas as pd

from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, Words
from accord.report.foundation import rates
from accord.report.reading.report_data import ReportData
from accord.report.sections import recalls
from accord.report.telling import names
from accord.report.telling.class_figures import matched

TITLE = "Asked for a person's class"
MORE = "Recalls and differences by class stand on the page of each model."
MOST = "max - min"


def section(data: ReportData) -> Section:
    """A sentence for each model and prompt, pooled tables, and those of the LVLM fairness paper."""
    if not len(data.recalls):
        return Section("classes", TITLE, recalls.INTRO, [])
    gaps = data.recall_disparities[data.recall_disparities["class"] == WHOLE]
    shown = [gap for gap in gaps.itertuples() if gap.pair != MOST and pd.notna(gap.difference)]
    keys = {"model": "model", **recalls.KEYS}
    blocks: list = [Words([MORE, *map(_sentence, shown)])]
    blocks += [*recalls.tables(data, pooled=True, keys=keys), Words([recalls.ALWAYS]), *recalls.published(data)]
    return Section("classes", TITLE, recalls.INTRO, blocks)


def _sentence(gap: Any) -> str:
    """A difference of recalls: which group it is right about more often, by how much, how sure."""
    run = f"{gap.model}, {gap.question} ({matched(gap.encoder)})"
    if not gap.difference:
        return f"{run}: recall is the same for {names.group(gap.first)} and {names.group(gap.second)}."
    more, less = (gap.first, gap.second) if gap.difference >= 0 else (gap.second, gap.first)
    low, high = sorted([gap.low, gap.high]) if gap.difference >= 0 else sorted([-gap.low, -gap.high])
    counts = {gap.first: gap.first_images, gap.second: gap.second_images}
    known = pd.notna(low) and pd.notna(high)
    ends = f"95% interval {rates.points(low)} to {rates.points(high)}; " if known else ""
    chance = " This may be chance." if not known or low <= 0 else ""
    return (
        f"{run}: recall is higher for {names.group(more)} than for "
        f"{names.group(less)} by {rates.points(abs(gap.difference)).lstrip('+')} ({ends}{counts[more]:,} against "
        f"{counts[less]:,} images).{chance}"
    )
