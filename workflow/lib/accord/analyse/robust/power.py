"""Power: what difference between two groups so few subjects could have shown."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.robustness import Power
from accord.engine.table import arrow_schema, empty
from accord.statistics.cohort import TEST, Cohort
from accord.statistics.ranking.subject_means import Moments, moments
from accord.statistics.testing.correction import ALPHA

POWER = 0.8
EFFICIENCY = 3 / np.pi
"""How many subjects a t test needs for each of a rank test's, on normal scores (Hodges and Lehmann, 1956)."""

FEWEST, DUST = 2, 1e-9


class Compared(NamedTuple):
    """The groups with enough subjects of one (task, model, metric) and attribute."""

    test: tuple[str, str, str]
    attribute: str
    cohort: Cohort

    @property
    def pairs(self) -> int:
        k = len(self.cohort.groups)
        return k * (k - 1) // 2


@cache
def noncentrality(freedom: int, level: float, power: float = POWER) -> float:
    """By how many standard errors two means must differ for a two-sided t test at `level` to find it so often, and the
    right way round."""
    from scipy import optimize, special, stats

    reach = stats.t.isf(level / 2, freedom)

    def missed(apart: float) -> float:
        return special.nctdtr(freedom, apart, reach) - (1 - power)

    above = float(reach)
    while missed(above) > 0:
        above += 0.5
    root: Any = optimize.brentq(missed, 0, above, xtol=1e-9)
    return float(root)


def detectable(
    deviation: float,
    first: int,
    second: int,
    level: float,
    power: float = POWER,
    efficiency: float = EFFICIENCY,
    alike: float | None = None,
) -> float:
    """The difference of the means of `first` and `second` subjects that a two-sided test at `level` finds so often.

    deviation: of subjects within the groups. efficiency 1: Student's t test, exact for normal scores; otherwise a test
    that needs 1 / efficiency times as many subjects. alike: `Moments.alike` where subjects are compared only with those
    who have equally many scores.
    """
    apart = noncentrality(first + second - 2, level, power)
    each = 1 / first + 1 / second if alike is None else 1 / alike
    return float(apart * deviation * np.sqrt(each / efficiency))


def power_of(compared: list[Compared], lower: tuple[str, ...] = ()) -> pd.DataFrame:
    """A Power table of all pairs of groups. lower: metrics for which lower is better, besides the known ones."""
    some = [one for one in compared if one.pairs]
    made = [_pairs(one, direction(one.test[2], lower), len(some)) for one in some]
    return pd.concat(made, ignore_index=True) if made else empty(Power)


def _pairs(one: Compared, sign: int, families: int) -> pd.DataFrame:
    found = moments(one.cohort)
    a, b = np.triu_indices(len(one.cohort.groups), 1)
    worse = np.where(sign * (found.means[a, b] - found.means[b, a]) > 0, b, a)
    best = a + b - worse
    level = ALPHA / one.pairs
    told = [_figures(found, w, g, sign, level, families) for w, g in zip(worse.tolist(), best.tolist(), strict=True)]
    names = np.array(one.cohort.groups, object)
    key = dict(zip(TEST, one.test, strict=True)) | {"attribute": one.attribute, "level": level}
    return pd.DataFrame(told).assign(**key, worst=names[worse], best=names[best])[list(arrow_schema(Power).names)]


def _figures(found: Moments, worst: int, best: int, sign: int, level: float, families: int) -> dict:
    first, second = int(found.counts[worst, best]), int(found.counts[best, worst])
    row = {"worst_subjects": first, "best_subjects": second, "difference": np.nan, "deviation": np.nan, "note": ""}
    row |= dict.fromkeys(("detectable", "detectable_in_report", "detectable_share"), np.nan)
    if min(first, second) < FEWEST:
        return row | {"note": "hardly any subject is in only one of the groups"}
    alike = float(found.alike[worst, best])
    if not alike:
        return row | {"note": "no two subjects of the two groups have equally many images"}
    low, high = found.means[worst, best], found.means[best, worst]
    spread = np.sqrt((found.squares[worst, best] + found.squares[best, worst]) / (first + second - 2))
    row |= {"difference": sign * (high - low), "deviation": spread}
    if spread < DUST:
        return row | {"note": "all subjects of a group have equal scores: their variance is unknown"}
    least, in_report = (detectable(spread, first, second, at, alike=alike) for at in (level, level / families))
    row |= {"detectable": least, "detectable_in_report": in_report}
    if high > 0:
        row |= {"detectable_share": least / high}
    if sign > 0 and low >= 0 and least > high > 0:
        row |= {"note": "even a group that scores 0 would not be found often enough"}
    return row
