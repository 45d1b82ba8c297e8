"""Conditioning: what is left of the gap between two groups when a thing that scores go with is held fixed."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.explaining.condition import Condition
from accord.analyse.explaining.encoded import Encoded, encoded
from accord.analyse.explaining.fixed import SHARED, Pair, gap, interval, shared, unknown, why_not
from accord.analyse.explaining.strata import feature_strata, made_of
from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.causes import Causes, Conditioned, Features
from accord.analyse.tables.scores import Disparities, Members, Scores
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.statistics.cohort import PERSON, TEST, numbered, numbered_people, tests
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import counted

NOTHING = dict.fromkeys(("gap", "standard_error", "low", "high", "change", "change_low", "change_high"), np.nan)
NOTHING |= {"feature": "", "how": "as it is", "condition": "", "note": ""}


class Whole(NamedTuple):
    """All rows of a pair of groups as they are: scores and draws, features, images, the gap and its replicates."""

    pair: Pair
    features: Encoded
    images: np.ndarray
    gap: float
    replicates: np.ndarray


def run(
    scores: DataFrame[Scores],
    features: DataFrame[Features],
    members: DataFrame[Members],
    disparities: DataFrame[Disparities],
    causes: DataFrame[Causes],
    *,
    resamples: Count = 5000,
    min_subjects: Count = 10,
    seed: Seed = 1,
) -> DataFrame[Conditioned]:
    """For each pair of groups that disparities tell of: its gap as it is, and with each claimed feature held fixed.

    Three ways: restricted to where the feature is good, matched, standardised; see docs/statistics-explaining.md. A
    feature that the groups are made of is left out. Where the groups don't share values of it, or it is unknown for
    most of a group, a row says so.
    """
    scores, features, members = numbered(scores, features, members)
    found, told = dict(list(tests(scores))), disparities[disparities["worst"] != ""]
    groups = dict(list(members.groupby(["attribute", "group"], sort=True)))
    _check(told, found, groups)
    every = []
    for test, pairs in told.groupby(TEST, sort=True):
        known = encoded(found[test], features, min_subjects)
        held = causes[(causes[TEST] == list(test)).all(axis=1) & causes["claimed"]]
        for row in pairs.to_dict("records"):
            whole = _whole(found[test], row, groups, known, resamples, seed)
            every += _of_pair(whole, row, held, min_subjects)
    return rows(every, Conditioned)


def _check(told: pd.DataFrame, found: dict, groups: dict) -> None:
    """AccordError: disparities tell of what the other tables don't have."""
    ends = {(row.attribute, group) for row in told.itertuples() for group in (row.worst, row.best)}
    keys = set(told[TEST].itertuples(index=False, name=None))
    absent = (("group", len(ends - groups.keys()), "members"), ("test", len(keys - found.keys()), "scores"))
    hint = "give the tables of one run: disparities are of these scores and members"
    problems = [
        Problem("disparities", f"names {counted(count, what)} that {where} does not have", hint)
        for what, count, where in absent
        if count
    ]
    if problems:
        raise AccordError(problems)


def _of_pair(whole: Whole, row: dict, held: pd.DataFrame, least: int) -> list[dict]:
    """The rows of one pair of groups: as it is, then by each feature of `held` that its groups aren't made of."""
    key = {name: row[name] for name in (*TEST, "attribute", "worst", "best")}
    made = [_row(whole, whole.pair, np.ones(len(whole.images), bool), whole.gap, whole.replicates)]
    for cause in held.to_dict("records"):
        if cause["feature"] not in made_of(row["attribute"]):
            made += _fixed(whole, cause, least)
    return [key | some for some in made]


def _whole(scores: pd.DataFrame, row: dict, groups: dict, known: Encoded, resamples: int, seed: int) -> Whole:
    sides = [_within(scores, groups[row["attribute"], row[side]]) for side in ("worst", "best")]
    kept = sides[0] | sides[1]
    some = scores[kept].reset_index(drop=True)
    subjects, units = numbered_people(some)
    rng = generator(seed, "conditioning", *(row[name] for name in (*TEST, "attribute")))
    drawn = bootstrap.turned(bootstrap.resampled(int(units.max(initial=-1)) + 1, resamples, rng))
    values = direction(row["metric"]) * some["value"].to_numpy(float)
    pair = Pair(values, units, sides[0][kept], sides[1][kept], drawn, subjects)
    return Whole(pair, known.only(kept), pd.factorize(some["image"])[0], *gap(pair))


def _within(scores: pd.DataFrame, group: pd.DataFrame) -> np.ndarray:
    return np.isin(scores[PERSON].to_numpy(), group[PERSON].to_numpy())


def _fixed(every: Whole, cause: dict, least: int) -> list[dict]:
    """The three rows of one feature: all compare rows for which it is known, with each other and with their gap."""
    index, made = every.features.names.index(cause["feature"]), []
    known = every.features.known[:, index]
    whole, why = _only(every, known), unknown(every.pair, known)
    if cause["side"]:
        where = Condition(cause["feature"], cause["side"], cause["number"], cause["label"]).opposite()
        row = _compared(whole, where.holds(whole.features), None, False, least)
        made.append(row | {"how": "restricted", "condition": str(where)})
    strata = feature_strata(whole.features, index)
    inside = shared(whole.pair, strata)
    for how, of_worst in (("matched", True), ("standardised", False)):
        made.append(_compared(whole, inside, strata, of_worst, least, why) | {"how": how})
    return [row | {"feature": cause["feature"]} for row in made]


def _only(whole: Whole, rows: np.ndarray) -> Whole:
    """The same, of some rows alone."""
    if rows.all():
        return whole
    pair = whole.pair.only(rows)
    return Whole(pair, whole.features.only(rows), whole.images[rows], *gap(pair))


def _compared(
    whole: Whole, kept: np.ndarray, strata: np.ndarray | None, of_worst: bool, least: int, why: str = ""
) -> dict:
    part = whole.pair.only(kept)
    why = why or why_not(whole.pair, kept, least, 0.0 if strata is None else SHARED)
    if why:
        return _row(whole, part, kept, np.nan, np.full(len(whole.replicates), np.nan)) | {"note": why}
    return _row(whole, part, kept, *gap(part, None if strata is None else strata[kept], of_worst=of_worst))


def _row(whole: Whole, part: Pair, kept: np.ndarray, figure: float, replicates: np.ndarray) -> dict:
    images, subjects = whole.images[kept], part.counts()
    error, low, high = interval(replicates, part.fewest())
    _, change_low, change_high = interval(whole.replicates - replicates, part.fewest())
    told = {"worst_images": len(distinct(images[part.worst])), "best_images": len(distinct(images[part.best]))}
    told |= {"worst_subjects": subjects[0], "best_subjects": subjects[1]}
    told |= {"gap": figure, "standard_error": error, "low": low, "high": high}
    if part is not whole.pair:
        told |= {"change": whole.gap - figure, "change_low": change_low, "change_high": change_high}
    return NOTHING | told
