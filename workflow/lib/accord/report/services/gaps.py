"""Differences between groups: who is refused more than whom, and whether that is more than chance makes."""

from typing import Any, NamedTuple

import pandas as pd

from accord.report.drawing.blocks import Grid, grid
from accord.report.foundation.rates import percent
from accord.text.nouns import counted

LARGER, UNCERTAIN = "larger", "not certain"
OUTSIDE = 0.05
COLUMNS = [
    "service", "FMR", "attribute", "refused more", "FNMR of these", "refused less", "FNMR of those", "difference",
    "p, corrected", "called",
]  # fmt: skip


class Gap(NamedTuple):
    """A group of an attribute that a service refuses more often, and the one that it refuses least, rows of
    ServiceCurves, at one FMR. p: that chance refuses the first so much more often than all others, corrected for all
    comparisons (Bonferroni)."""

    service: str
    fmr: float
    attribute: str
    most: Any
    least: Any
    p: float

    @property
    def difference(self) -> float:
        """How much larger FNMR is of the group that is refused more."""
        return self.most.fnmr - self.least.fnmr

    @property
    def is_certain(self) -> bool:
        """Whether it is more than chance makes."""
        return self.p <= OUTSIDE


def comparisons(groups: pd.DataFrame) -> int:
    """How many groups are held against all others, of all services, FMRs and attributes."""
    return int(groups["p"].notna().sum())


def of(groups: pd.DataFrame, looks: int) -> list[Gap]:
    """The gap of each service, FMR and attribute that has one: of the group with the largest FNMR for which it is
    certain, else with the largest. Where the group that is refused most is small, another one's gap can be certain.

    groups: rows of ServiceCurves; looks: `comparisons`.
    """
    found = []
    for (service, fmr, attribute), some in groups.groupby(["service", "fmr", "attribute"], sort=True):
        least, *others = some.sort_values(["fnmr", "group"]).itertuples()
        gaps = [Gap(str(service), fmr, str(attribute), row, least, min(1.0, row.p * looks)) for row in others]
        gaps.sort(key=lambda gap: (gap.is_certain, gap.difference), reverse=True)
        found += [gap for gap in gaps[:1] if gap.difference > 0]
    return found


def sentence(gap: Gap, looks: int) -> str:
    """A gap that is certain, in words."""
    worst, best = (f"{row.group} ({figure(row)})" for row in (gap.most, gap.least))
    return (
        f"{gap.service}, FMR {gap.fmr:g}, {gap.attribute.replace('_', ' ')}: worst for {worst}, best for {best}. "
        f"{gap.most.group} is refused more often than all others, by more than chance makes among "
        f"{counted(looks, 'comparison')}."
    )


def table(gaps: list[Gap], looks: int) -> Grid:
    """All gaps, those that may be chance too."""
    rows = [
        (gap.service, gap.fmr, gap.attribute.replace("_", " "), gap.most.group, gap.most.fnmr, gap.least.group,
         gap.least.fnmr, gap.difference, gap.p, LARGER if gap.is_certain else UNCERTAIN)
        for gap in gaps
    ]  # fmt: skip
    caption = (
        "Of each attribute the group refused most often for which that is more than chance makes, else the one refused "
        f"most often. p: that as many queries by lot are refused so much more often than all others, corrected for "
        f"{counted(looks, 'comparison')}"
    )
    return grid("table-rapid-gaps", caption, pd.DataFrame(rows, columns=COLUMNS))


def figure(row: Any) -> str:
    """FNMR of a row of ServiceCurves, its pairs, and its interval where it has one."""
    if pd.isna(row.low) or pd.isna(row.high):
        return f"{percent(row.fnmr)} of {row.genuine:,} pairs"
    return f"{percent(row.fnmr)} of {row.genuine:,} pairs, 95% interval {percent(row.low)} to {percent(row.high)}"
