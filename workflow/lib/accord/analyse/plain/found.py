"""The tables that a comparison of groups finds, and what has to be said about them."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.tables.benchmark import Extremes, Intersections
from accord.analyse.tables.causes import Conditioned
from accord.analyse.tables.scores import Disparities, Groups
from accord.grouping import WHOLE
from accord.statistics.cohort import TEST

ONE = "table"
"""The task and the model of a table that names none."""

ROW = "row"
"""What is counted in place of images, or people, that no column tells."""

UNDEFINED = "not defined for these rows"
"""The note of groups that are large enough, but of which a metric has no figure."""


class Found(NamedTuple):
    """docs/statistics.md tells what is in each table. lower_is_better: metrics that are so; remarks: how columns were
    read, a sentence each; counted: what images and people of tables are, ROWS where no column says."""

    groups: DataFrame[Groups]
    disparities: DataFrame[Disparities]
    extremes: DataFrame[Extremes]
    intersections: DataFrame[Intersections]
    conditioned: DataFrame[Conditioned]
    lower_is_better: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    counted: tuple[str, str] = ("image", "subject")

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {name: value for name, value in self._asdict().items() if isinstance(value, pd.DataFrame)}


def by_strength(disparities: pd.DataFrame) -> pd.DataFrame:
    """The differences that hold: the largest D first, of equal ones, and of rates, the largest difference of means."""
    held = disparities[disparities["claimed"]]
    order = ["_d", "_gap", "attribute"]
    told = held.assign(_gap=held["difference"].abs(), _d=held["disparity"].fillna(0.0))
    return told.sort_values(order, ascending=[False, False, True]).drop(columns=order[:2])


class Part(NamedTuple):
    """What was found of one task, model and metric."""

    test: tuple[str, str, str]
    found: Found

    @property
    def title(self) -> str:
        """Task, model and metric, without those that the table doesn't name."""
        return ", ".join(dict.fromkeys(part for part in self.test if part != ONE))

    @property
    def metric(self) -> str:
        """The metric."""
        return self.test[-1]

    @property
    def everyone(self) -> pd.Series:
        """The row of groups that tells of everyone."""
        groups = self.found.groups
        return groups[groups["attribute"] == WHOLE].iloc[0]


def parts(found: Found) -> Iterator[Part]:
    """What was found of each task, model and metric, in the order of their names."""
    whole = found.groups[found.groups["attribute"] == WHOLE]
    for test, _ in whole.groupby(TEST, sort=True):
        tables = {name: table[(table[TEST] == list(test)).all(axis=1)] for name, table in found.tables().items()}
        yield Part((str(test[0]), str(test[1]), str(test[2])), found._replace(**tables))
