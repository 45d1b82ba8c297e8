"""Differences between groups: who is refused more than whom, and whether that is more than chance makes."""

from itertools import combinations
from math import hypot
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import norm

from accord.report.drawing.blocks import Grid, grid
from accord.report.foundation.rates import percent
from accord.text.nouns import counted

LARGER, UNCERTAIN = "larger", "not certain"
OUTSIDE = 0.025
COLUMNS = [
    "service", "FMR", "attribute", "refused more", "FNMR of these", "refused less", "FNMR of those", "difference",
    "from", "to", "called",
]  # fmt: skip


class Gap(NamedTuple):
    """Two groups of an attribute, of which a service refuses one more, rows of ServiceCurves, at one FMR.

    low, high: the interval of the difference of their FNMR, of Newcombe's kind (1998: made of the ends of both groups'
    intervals), at a level corrected for all comparisons (Bonferroni); NaN where a group has no interval.
    """

    service: str
    fmr: float
    attribute: str
    most: Any
    least: Any
    low: float
    high: float

    @property
    def difference(self) -> float:
        """How much larger FNMR is of the group that is refused more."""
        return self.most.fnmr - self.least.fnmr

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0


def comparisons(groups: pd.DataFrame) -> int:
    """How many pairs of groups are compared, of all services, FMRs and attributes."""
    sizes = groups.groupby(["service", "fmr", "attribute"]).size()
    return int((sizes * (sizes - 1) // 2).sum())


def of(groups: pd.DataFrame, looks: int) -> list[Gap]:
    """The gap of each service, FMR and attribute that has one: the largest that is certain, else the largest. Where the
    group that is refused most is small, another one's gap can be smaller, and certain.

    groups: rows of ServiceCurves; looks: pairs of groups that are compared.
    """
    found = []
    wider = float(norm.isf(OUTSIDE / max(looks, 1)) / norm.isf(OUTSIDE))
    for (service, fmr, attribute), some in groups.groupby(["service", "fmr", "attribute"], sort=True):
        ordered = some.sort_values(["fnmr", "group"]).itertuples()
        of_one = str(service), fmr, str(attribute)
        pairs = [Gap(*of_one, most, least, *_interval(most, least, wider)) for least, most in combinations(ordered, 2)]
        pairs.sort(key=lambda gap: (gap.is_certain, gap.difference), reverse=True)
        found += [gap for gap in pairs[:1] if gap.difference > 0]
    return found


def _interval(most: Any, least: Any, wider: float) -> tuple[float, float]:
    """The interval of a difference. wider: by how much those of the groups are, with the correction."""
    difference = most.fnmr - least.fnmr
    below = wider * hypot(most.fnmr - most.low, least.high - least.fnmr)
    above = wider * hypot(most.high - most.fnmr, least.fnmr - least.low)
    return difference - below, difference + above


def sentence(gap: Gap, looks: int) -> str:
    """A gap that is certain, in words."""
    return (
        f"{gap.service}, FMR {gap.fmr:g}, {gap.attribute.replace('_', ' ')}: worst for {gap.most.group} "
        f"({figure(gap.most)}), best for {gap.least.group} ({figure(gap.least)}). "
        f"This is more than chance makes among {counted(looks, 'comparison')}."
    )


def table(gaps: list[Gap], looks: int) -> Grid:
    """All gaps, those that may be chance too."""
    rows = [
        (gap.service, gap.fmr, gap.attribute.replace("_", " "), gap.most.group, gap.most.fnmr, gap.least.group,
         gap.least.fnmr, gap.difference, max(gap.low, -1.0), min(gap.high, 1.0),
         LARGER if gap.is_certain else UNCERTAIN)
        for gap in gaps
    ]  # fmt: skip
    caption = (
        "Of each attribute the largest difference that is certain, else the largest. Intervals are of differences, and "
        f"hold together for {counted(looks, 'comparison')} in 95%: only where one leaves out 0 is it more than chance "
        "makes"
    )
    return grid("table-rapid-gaps", caption, pd.DataFrame(rows, columns=COLUMNS))


def figure(row: Any) -> str:
    """FNMR of a row of ServiceCurves, its pairs, and its interval where it has one."""
    if pd.isna(row.low) or pd.isna(row.high):
        return f"{percent(row.fnmr)} of {row.genuine:,} pairs"
    return f"{percent(row.fnmr)} of {row.genuine:,} pairs, 95% interval {percent(row.low)} to {percent(row.high)}"
