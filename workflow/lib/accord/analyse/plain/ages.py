"""Ages in years as groups."""

import numpy as np
import pandas as pd

STARTS = (18, 30, 40, 50, 60)
"""FHIBE's age groups begin at these."""
LABELS = ("under 18", "18-29", "30-39", "40-49", "50-59", "60 and over")
OLDEST, FEWEST = 120, 9
"""Years; so many different values are ages, fewer are codes of groups."""


def is_raw(numbers: pd.Series) -> bool:
    """Whether numbers (NaN where a cell is empty) are ages in years, and not codes of groups."""
    known = numbers.dropna()
    return len(known) > 0 and bool(known.between(0, OLDEST).all()) and known.nunique() >= FEWEST


def impossible(numbers: pd.Series) -> int:
    """How many numbers can be no age, where the others look like ages in years; 0 where they don't."""
    possible = numbers.between(0, OLDEST)
    return int((~possible & numbers.notna()).sum()) if is_raw(numbers[possible]) and possible.mean() > 0.5 else 0


def binned(numbers: pd.Series) -> pd.Series:
    """The group of each age in years: one of LABELS, or "" where it is unknown. Index as given."""
    place = np.digitize(numbers.to_numpy(float), STARTS)
    known = numbers.notna().to_numpy()
    return pd.Series(np.where(known, np.array(LABELS, object)[np.minimum(place, len(STARTS))], ""), numbers.index)
