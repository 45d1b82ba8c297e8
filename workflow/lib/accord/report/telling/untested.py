"""What was not compared: it is said wherever no group is found to do worse, and wherever one is."""

import pandas as pd

from accord.report.reading.report_data import WHOLE, ReportData, crossed, single
from accord.report.telling import names
from accord.text.nouns import counted, listed

NAMED = 3
"""Most groups of an attribute that are named; more are counted."""

GROUP = ["attribute", "group"]
TEST = ["task", "model", "metric"]
FAMILY = [*TEST, "attribute"]


def not_compared(data: ReportData, whence: str = "") -> str:
    """The groups that entered no test, as a sentence; "" where each entered one. `data`: of any models and metrics.

    whence: of what, as ` for any model`.
    """
    parts = left_out(data)
    return f"Not compared{whence}: {listed(parts)}." if parts else ""


def left_out(data: ReportData) -> list[str]:
    """The groups that entered no test, by attribute. Metrics by which no groups are compared are passed over."""
    every = data.groups[data.groups["attribute"] != WHOLE].merge(data.disparities[TEST].drop_duplicates(), on=TEST)
    left = untested(every, data.disparities)
    sizes = every.groupby("attribute")["group"].nunique()
    parts = [
        part for name, some in single(left).groupby("attribute", sort=True)
        for part in _of_attribute(str(name), some, sizes[name])
    ]  # fmt: skip
    if several := int(crossed(left).sum()):
        parts.append(f"{several:,} of {counted(len(every.loc[crossed(every), GROUP].drop_duplicates()), 'group')} "
                     "that combine attributes")  # fmt: skip
    return parts


def untested(groups: pd.DataFrame, disparities: pd.DataFrame) -> pd.DataFrame:
    """attribute, group, subjects (most in any test) of the groups that entered no test: too small, without a score, or
    without another group to be held against."""
    families = disparities.loc[disparities["pairs"] > 0, FAMILY]
    entered = groups[groups["note"] == ""].merge(families, on=FAMILY)
    largest = groups.groupby(GROUP, as_index=False)["subjects"].max()
    tested = {*zip(entered["attribute"], entered["group"], strict=True)}  # a MultiIndex of few rows takes far longer
    left = [pair not in tested for pair in zip(largest["attribute"], largest["group"], strict=True)]
    return largest[pd.Series(left, largest.index, bool)]


def _of_attribute(name: str, some: pd.DataFrame, every: int) -> list[str]:
    called = names.attribute(name).lower()
    if len(some) == every:
        return [f"any group by {called}"]
    if len(some) > NAMED:
        return [f"{len(some)} of {every} groups by {called}"]
    ordered = sorted(some.itertuples(), key=lambda row: names.order(row.group))
    return [f"{names.group(row.group)} ({called}, {counted(row.subjects, 'person')})" for row in ordered]
