"""Metrics of a whole group, such as F1 or the area under the ROC curve: no row has one, so no test compares groups.

Each group's figure has an interval, by drawing people again with all their rows (percentile bootstrap: Efron and
Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13). A person who is drawn twice is compared with herself,
so that draws of an area under a curve lie apart from the figure: they are moved to have it as their mean.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from accord.analyse.plain.found import UNDEFINED
from accord.analyse.plain.outcomes.functions import REFUSALS
from accord.analyse.plain.outcomes.weighed_metrics import GroupMetric
from accord.analyse.tables.scores import Groups
from accord.engine.table import rows
from accord.grouping import KEY, WHOLE
from accord.statistics.cohort import numbered_people
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import fewer

MISSING = 0.05
"""Where a larger share of draws has no figure, there is no interval."""
DRAWS = 400
"""At most so many draws of people: a function is asked anew for each, in milliseconds."""
Metric = Callable[[np.ndarray], float]
"""The figure of some rows, given by number; it may raise anything where they have none."""


def figures(
    metrics: Mapping[str, Metric],
    key: pd.DataFrame,
    members: pd.DataFrame,
    *,
    min_subjects: int,
    bootstraps: int,
    seed: int,
) -> pd.DataFrame:
    """A table like Groups. key: task, model, image, subject of each row."""
    if not metrics:
        return rows([], Groups)
    place = key.assign(row=np.arange(len(key)))
    everyone = place[KEY].drop_duplicates().assign(attribute=WHOLE, group=WHOLE)
    found = []
    for of, people in pd.concat([everyone, members]).groupby(["attribute", "group"], sort=True):
        for test, some in place.merge(people[KEY], on=KEY).groupby(["task", "model"], sort=True):
            named = dict(zip(("task", "model", "attribute", "group"), (*test, *of), strict=True))
            for metric, function in metrics.items():
                figure = _figure(metric, function, some, min_subjects, bootstraps, seed)
                found.append(named | {"metric": metric} | figure)
    return rows(found, Groups)


def _figure(metric: str, function: Metric, some: pd.DataFrame, least: int, bootstraps: int, seed: int) -> dict:
    """Figure, interval and size of some rows."""
    subjects, codes = numbered_people(some)
    people, clusters = (len(distinct(of)) for of in (subjects, codes))
    told = {"images": some["image"].nunique(), "subjects": people, "clusters": clusters}
    told["average"] = f"{metric} of all rows of the group"
    nothing = dict.fromkeys(("mean", "median", "low", "high"), np.nan)
    if people < least:
        return told | nothing | {"note": fewer(people, "subject", least)}
    order = some["row"].to_numpy()
    figure, why = _of(function, order)
    if np.isnan(figure):
        return told | nothing | {"note": f"{UNDEFINED} ({why})" if why else UNDEFINED}
    rng = generator(seed, "group metric", metric, str(clusters))
    drawn = _drawn(function, order, codes, rng.integers(0, clusters, (min(bootstraps, DRAWS), clusters)))
    known = drawn[~np.isnan(drawn)]
    enough = len(known) >= (1 - MISSING) * len(drawn) and clusters > 1
    low, high = _interval(figure, known, clusters) if enough else (np.nan, np.nan)
    return told | {"mean": figure, "median": np.nan, "low": low, "high": high, "note": ""}


def _drawn(function: Metric, order: np.ndarray, codes: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """The figure of each draw (draws, m) of units, of which rows have `codes`."""
    if isinstance(function, GroupMetric) and function.form:
        return function.weighed(order, codes, draws)
    of_unit = [order[codes == code] for code in range(draws.shape[1])]
    return np.array([_of(function, np.concatenate([of_unit[code] for code in draw]))[0] for draw in draws])


def _interval(figure: float, drawn: np.ndarray, people: int) -> tuple[float, float]:
    """95% interval of a figure from those of draws; from 0 to 1 where all of them are."""
    low, high = bootstrap.interval(drawn + (figure - drawn.mean()), people)
    if min(figure, drawn.min()) >= 0 and max(figure, drawn.max()) <= 1:
        return max(low, 0.0), min(high, 1.0)
    return low, high


def _of(function: Metric, order: np.ndarray) -> tuple[float, str]:
    """A figure, NaN where it isn't defined: with one class only there is no ROC curve; and the kind of error, if any.

    Its words may hold data, so are not told.
    """
    try:
        return float(function(order)), ""
    except REFUSALS as error:
        return float("nan"), type(error).__name__
