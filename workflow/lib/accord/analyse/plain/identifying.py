"""Columns that name people, such as e-mail addresses and dates of birth: they must not be shown as groups."""

import numpy as np
import pandas as pd

from accord.analyse.plain import cells
from accord.analyse.plain.columns import MANY
from accord.statistics.distinct import distinct
from accord.text.nouns import counted

SEVERAL, FEW = 12, 5
"""A column with more values is looked at as a whole; with more than FEW, if nobody shares a value with anybody."""
PEOPLE, ROWS = 2, 10
"""Fewer of them for each value, on average, are no groups. A person may have several rows: of these it takes more."""
NAMED = "If they are groups to compare, name it as an attribute"


def identifies(column: pd.Series, people: np.ndarray | None, separator: str) -> str:
    """Why a column of texts is taken for names or ids, as the end of sentences; "" where it may hold groups.

    people: a number for each row's person, None where people are unknown.
    """
    row, value, names = cells.labels(column, separator)
    values = len(names)
    whose = row if people is None else people[row]
    held = len(distinct(whose * max(1, values) + value))  # each value of a person once
    least = ROWS if people is None else PEOPLE
    alone = held == values > FEW
    if not (alone or values > MANY or (values > SEVERAL and held < least * values)):
        return ""
    among = counted(len(distinct(whose)), "row" if people is None else "person")
    return f"has {values:,} different values among {among}, so it is taken for names or ids. {NAMED}"
