"""Simpson reversals: a group is worse off over all, and better off within each part of the data."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from accord.analyse.explaining.encoded import Encoded, encoded
from accord.analyse.explaining.fixed import SHARED, Pair, gap, interval, shared, why_not
from accord.analyse.explaining.strata import feature_strata, made_of
from accord.analyse.robust.power import Compared
from accord.analyse.robust.strata_gaps import StrataGaps
from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.robustness import Reversals
from accord.engine.table import rows
from accord.statistics.cohort import TEST, unit_count
from accord.statistics.distinct import coded, distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA


class Held(NamedTuple):
    """A feature to hold fixed: the stratum of each row (n,), and whether the feature is known there (n,)."""

    name: str
    strata: np.ndarray
    known: np.ndarray


def reversals(
    compared: list[Compared],
    scores: dict[tuple, pd.DataFrame],
    features: pd.DataFrame,
    *,
    resamples: int,
    min_subjects: int,
    seed: int,
    lower: tuple[str, ...] = (),
) -> pd.DataFrame:
    """A Reversals table of all pairs of groups and all features that the groups aren't made of.

    scores: of each test, its rows in the order of its cohorts.
    """
    found, looked_at = [], 0
    for test, some in scores.items():
        held = _held(encoded(some, features, min_subjects))
        drawn = bootstrap.resampled(unit_count(some), resamples, generator(seed, "reversals", *test))
        times = bootstrap.turned(drawn)
        sign = direction(test[2], lower)
        for one in (one for one in compared if one.test == test and one.pairs):
            usable = [feature for feature in held if feature.name not in made_of(one.attribute)]
            looked_at += one.pairs * len(usable)
            found += _of_attribute(one, usable, sign, drawn, times, min_subjects)
    for row in found:
        row["p_value"] = min(1.0, row["p_value"] * looked_at)
        row |= {"looked_at": looked_at, "claimed": row["p_value"] < ALPHA}
    return rows(found, Reversals)


def _held(features: Encoded) -> list[Held]:
    every = [Held(n, feature_strata(features, i), features.known[:, i]) for i, n in enumerate(features.names)]
    return [one for one in every if len(distinct(one.strata[one.known])) > 1]


def _of_attribute(
    one: Compared,
    held: list[Held],
    sign: int,
    drawn: np.ndarray | bootstrap.Draws,
    times: np.ndarray | bootstrap.Turned,
    least: int,
) -> list[dict]:
    ends = np.array(list(_sure(one, sign, drawn)), int).reshape(-1, 2)
    key, made = dict(zip(TEST, one.test, strict=True)) | {"attribute": one.attribute}, []
    for feature in held if len(ends) else []:
        within = StrataGaps(one.cohort, feature.strata, feature.known, sign, times)
        turned = ends[within.gaps(ends) < 0].tolist()
        for worst, best in (pair for pair in turned if within.is_reversed(pair[0], pair[1], least)):
            row = _weighed(one, feature, worst, best, sign, times, least)
            names = {"worst": one.cohort.groups[worst], "best": one.cohort.groups[best], "feature": feature.name}
            made += [key | names | row] if row else []
    return made


def _sure(one: Compared, sign: int, drawn: np.ndarray | bootstrap.Draws) -> Iterator[tuple[int, int]]:
    """The pairs (worse, better) whose gap has a 95% interval above 0."""
    replicates, counts = sign * bootstrap.means(one.cohort, drawn), one.cohort.unit_counts
    means = sign * (one.cohort.values @ one.cohort.member) / one.cohort.sizes
    order = np.argsort(means, kind="stable")
    for at, worst in enumerate(order.tolist()):
        for best in order[at + 1 :].tolist():
            if bootstrap.interval(replicates[best] - replicates[worst], int(min(counts[worst], counts[best])))[0] > 0:
                yield worst, best


def _weighed(
    one: Compared, feature: Held, worst: int, best: int, sign: int, drawn: np.ndarray | bootstrap.Turned, least: int
) -> dict | None:
    """The row of one reversal on the rows of strata that both groups are in; None where either sign is not sure."""
    sides = [one.cohort.member[:, [group]].toarray().ravel() > 0 for group in (worst, best)]
    either = sides[0] | sides[1]
    held = sides[0][either], sides[1][either]
    whole = Pair(sign * one.cohort.values[either], one.cohort.units[either], *held, drawn, one.cohort.subjects[either])
    known, strata = feature.known[either], feature.strata[either]
    inside = known & np.isin(np.arange(len(known)), np.flatnonzero(known)[shared(whole.only(known), strata[known])])
    if why_not(whole, inside, least, SHARED):
        return None
    part, strata = whole.only(inside), coded(strata[inside])[1]
    fewest, subjects = part.fewest(), part.counts()
    plain, fixed = gap(part), gap(part, strata)
    (plain_error, low, high), (error, within_low, within_high) = (interval(r, fewest) for _, r in (plain, fixed))
    if not (low > 0 and within_high < 0):
        return None
    reached = max(_p(plain[0], plain_error, fewest), _p(fixed[0], error, fewest))
    each = [gap(part.only(strata == stratum))[0] for stratum in range(strata.max() + 1)]
    return {
        "worst_subjects": subjects[0], "best_subjects": subjects[1], "gap": plain[0], "low": low, "high": high,
        "within": fixed[0], "within_low": within_low, "within_high": within_high, "strata": len(each),
        "reversed_strata": int(np.sum(np.array(each) < 0)), "p_value": reached,
    }  # fmt: skip


def _p(figure: float, error: float, subjects: int) -> float:
    """Two-sided p-value of a figure with its bootstrapped standard error."""
    return float(2 * scipy.stats.t.sf(abs(figure) / error, subjects - 1)) if error > 0 else 0.0
