"""How far an answer can be trusted, in sentences: other ways of looking, what is close to the limit, what may hide."""

from typing import Any

import pandas as pd

from accord.report.reading.report_data import ReportData, single
from accord.report.telling import names
from accord.report.telling.quantities import apart, p, value
from accord.statistics.testing.correction import ALPHA
from accord.text.nouns import counted

FINDING = ["metric", "attribute", "worst", "best"]


def ways(data: ReportData, claim: Any) -> str:
    """In how many ways of looking at the data a claimed difference holds; "" where none was tried."""
    mine = data.multiverse[(data.multiverse[FINDING] == [getattr(claim, key) for key in FINDING]).all(axis=1)]
    known = mine[mine["note"] == ""]
    if known.empty:
        return ""
    return f" It holds in {int(known['holds'].sum())} of {counted(len(known), 'way')} of looking at the data."


def nearest(disparities: pd.DataFrame) -> str:
    """The smallest p between people, and of what; "" where there is none. disparities: none of them claimed."""
    known = disparities[disparities["p_between_subjects"].notna()]
    if known.empty:
        return ""
    row = known.sort_values(["p_between_subjects", "attribute"]).iloc[0]
    least, called = row["p_between_subjects"], names.attribute(row["attribute"]).lower()
    called = "in each comparison" if (known["p_between_subjects"] == least).all() and len(known) > 1 else called
    told = f"The smallest p between people, corrected for all that this report compares, is {p(least)} ({called}"
    return (
        f"{told}; {names.note(row['note'])})."
        if least < ALPHA
        else f"{told}); a difference is told where it is under {ALPHA}."
    )


def hidden(data: ReportData) -> str:
    """How large a difference between single attributes' groups would mostly have been missed."""
    mine = single(data.power)
    found = mine["detectable_in_report"].dropna()
    if found.empty:
        return "With so few people in each group, real differences can stay hidden."
    metric = str(mine["metric"].iloc[0])
    low, high = float(found.min()), float(found.max())
    span = value(metric, low)
    if span != value(metric, high):
        span = f"{' to '.join(apart(metric, low, high))} (depending on the groups)"
    return f"A real difference smaller than {span} would be missed more than one time in five."
