"""Counts of what is never told per person: rounded, and too small ones left out."""

import pandas as pd

LEAST = 10
ROUNDED_TO = 5
COLUMNS = ["attribute", "value", "subjects"]


def counts(rows: pd.DataFrame) -> pd.DataFrame:
    """Subjects by value of each attribute (table Attributes): attribute, value, subjects.

    Fewer than 10 subjects are not shown. Where that hides one value only, the next smallest is hidden too, so that
    nobody finds it by subtraction; totals are not given. Shown counts are rounded to multiples of 5.
    """
    people = rows.drop_duplicates(["subject", "attribute", "value"])
    counted = people.groupby(["attribute", "value"], as_index=False)["subject"].nunique()
    counted.columns = COLUMNS
    shown = [_shown(part) for _, part in counted.groupby("attribute")]
    made = pd.concat(shown, ignore_index=True) if shown else counted
    return made.assign(subjects=(made["subjects"] / ROUNDED_TO).round().astype(int) * ROUNDED_TO)


def _shown(part: pd.DataFrame) -> pd.DataFrame:
    large = part[part["subjects"] >= LEAST].sort_values(["subjects", "value"])
    if len(part) - len(large) == 1:
        large = large.iloc[1:]
    return large.sort_values("value")
