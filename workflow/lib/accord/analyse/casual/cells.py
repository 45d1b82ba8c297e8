"""The groups that figures are told of: everyone, and each group of each attribute."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.grouping import BETWEEN, KEY, WHOLE


class How(NamedTuple):
    """Fewest subjects of a figure, how often subjects are drawn again for its interval, and the seed of that."""

    min_subjects: int = 10
    bootstraps: int = 1000
    seed: int = 1


class Cell(NamedTuple):
    """An attribute, a group of it, and the rows of a table that belong to the group, ascending."""

    attribute: str
    group: str
    rows: np.ndarray


def cells(table: pd.DataFrame, members: pd.DataFrame) -> Iterator[Cell]:
    """Everyone in a table (image, subject, ...), then the groups of `members` that have a row in it, without
    intersections."""
    yield Cell(WHOLE, WHOLE, np.arange(len(table)))
    single = members[~members["attribute"].str.contains(BETWEEN, regex=False)]
    placed = table[KEY].assign(row=np.arange(len(table))).merge(single, on=KEY)
    for (attribute, group), some in placed.groupby(["attribute", "group"], sort=True):
        yield Cell(str(attribute), str(group), np.sort(some["row"].to_numpy()))
