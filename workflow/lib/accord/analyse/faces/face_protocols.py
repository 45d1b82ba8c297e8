"""The faces of one model in all protocols of verification: the whole set, and each group."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.faces import trials
from accord.analyse.faces.curves import given, grid, obstacle, own
from accord.analyse.faces.evened import EQUAL_FIGURES, SHARED_FIGURES, equal, negatives, shared
from accord.analyse.faces.hairstyles import errors
from accord.analyse.faces.neighbours import kindred
from accord.analyse.faces.pairs import Allowed
from accord.analyse.faces.trials import Trials
from accord.analyse.tables.verification import ACROSS, NEAR, SHARED, WITHIN
from accord.grouping import BETWEEN, WHOLE
from accord.statistics.distinct import distinct
from accord.statistics.seeds import generator

OF_RATES = ("subjects", "positives", "negatives", "threshold", "tar", "low", "high", "note")
UNDEFINED = dict.fromkeys((*EQUAL_FIGURES, *SHARED_FIGURES, "shared_far"), float("nan"))


class Case(NamedTuple):
    """The faces of one model (image, subject), their vectors (faces, d), subjects (faces,) int from 0, the unit (person
    or cluster of people who share images) of each subject, and what each unit weighs in each resample (draws, units)
    of `half_unseen`."""

    model: str
    faces: pd.DataFrame
    vectors: np.ndarray
    subjects: np.ndarray
    units: np.ndarray
    weights: np.ndarray


class Group(NamedTuple):
    """A group of an attribute: rows of its faces, and of those of all other groups of the attribute."""

    attribute: str
    name: str
    inside: np.ndarray
    outside: np.ndarray


class ProtocolRows(NamedTuple):
    """Rows of Verification, Curves and PairErrors, less the model."""

    rates: list[dict]
    curves: list[dict]
    pair_errors: list[dict]


class Settings(NamedTuple):
    """The FAR of the rates, how many subjects a figure needs, and the seed of the draws of pairs."""

    far: float
    min_subjects: int
    seed: int


def everything(case: Case, groups: list[Group], attributes: pd.DataFrame, how: Settings) -> ProtocolRows:
    """All that is told of a model: of the whole set first, then of each group; groups of intersections have no curve.

    attributes: image, subject, attribute, value, of which pronoun, natural skin colour and hairstyle are looked at.
    """
    every = np.arange(len(case.faces))
    whole = Group(WHOLE, WHOLE, every, every[:0])
    near = _within(case, whole, how, kindred(case.faces, attributes))
    rows = _own(case, whole, near, how, grid(how.far))
    anyone = _own(case, whole, _within(case, whole, how), how, grid(how.far))
    limits = {row["far"]: row["threshold"] for row in rows}
    fewest = _fewest(case, groups, how)
    made = ProtocolRows(
        [_rate(case, whole, near, rows, len(near.impostor), limits, how)],
        [*_named(whole, NEAR, rows), *_named(whole, WITHIN, anyone)],
        [],
    )
    for group in groups:
        rates, curves = _of_group(case, group, limits, fewest.get(group.attribute, 0), how)
        made.rates.append(rates)
        made.curves.extend(curves)
    if not np.isnan(limits[how.far]):
        found = errors(case.faces, attributes, near, limits[how.far], case.weights, how.min_subjects)
        made.pair_errors.extend({"far": how.far, "threshold": limits[how.far]} | row for row in found)
    return made


def _fewest(case: Case, groups: list[Group], how: Settings) -> dict[str, int]:
    """The fewest impostor pairs of a group of each attribute, among those that have a TAR of their own."""
    found: dict[str, int] = {}
    for group in groups:
        subjects = case.subjects[group.inside]
        counts = {"subjects": _count(case, group), "positives": len(subjects) - _count(case, group)}
        counts["negatives"] = negatives(subjects)
        if not obstacle(counts, how.far, how.min_subjects):
            found[group.attribute] = min(counts["negatives"], found.get(group.attribute, counts["negatives"]))
    return found


def _of_group(
    case: Case, group: Group, limits: dict[float, float], fewest: int, how: Settings
) -> tuple[dict, list[dict]]:
    """The row of Verification of a group, and those of Curves."""
    single, pairs = BETWEEN not in group.attribute, _within(case, group, how)
    rows = _own(case, group, pairs, how, tuple(limits) if single else (how.far,))
    rate = _rate(case, group, pairs, rows, fewest, limits, how)
    if not single:
        return rate, []
    further = _own(case, group, _across(case, group, how), how, tuple(limits))
    common = given(pairs, _count(case, group), limits, case.weights, how.min_subjects)
    return rate, [*_named(group, WITHIN, rows), *_named(group, ACROSS, further), *_named(group, SHARED, common)]


def _own(case: Case, group: Group, pairs: Trials, how: Settings, fars: tuple[float, ...]) -> list[dict]:
    return own(pairs, _count(case, group), fars, case.weights, how.min_subjects)


def _within(case: Case, group: Group, how: Settings, allowed: Allowed | None = None) -> Trials:
    rng = generator(how.seed, "negatives", case.model, group.attribute, group.name)
    return trials.within(case.vectors, case.subjects, group.inside, rng, allowed).of_units(case.units)


def _across(case: Case, group: Group, how: Settings) -> Trials:
    rng = generator(how.seed, "across", case.model, group.attribute, group.name)
    return trials.across(case.vectors, case.subjects, group.inside, group.outside, rng).of_units(case.units)


def _count(case: Case, group: Group) -> int:
    return len(distinct(case.subjects[group.inside]))


def _rate(
    case: Case, group: Group, pairs: Trials, rows: list[dict], fewest: int, limits: dict[float, float], how: Settings
) -> dict:
    """The row of Verification: the group's own TAR, at `fewest` impostor pairs, and at the whole set's threshold."""
    told = next(row for row in rows if row["far"] == how.far)
    images = case.faces["image"].iloc[group.inside].nunique()
    key = {"attribute": group.attribute, "group": group.name, "images": images, "equal_negatives": 0}
    row = key | UNDEFINED | {name: told[name] for name in OF_RATES}
    if _count(case, group) >= how.min_subjects:
        row |= shared(pairs, limits[how.far], case.weights)
    if told["note"]:
        return row
    if fewest == told["negatives"]:
        row |= dict(zip(EQUAL_FIGURES, (told["tar"], told["low"], told["high"]), strict=True))
        return row | {"equal_negatives": fewest}
    rng = generator(how.seed, "equal", case.model, group.attribute, group.name)
    return row | {"equal_negatives": fewest} | equal(pairs, how.far, fewest, told, rng)


def _named(group: Group, protocol: str, rows: list[dict]) -> list[dict]:
    return [{"attribute": group.attribute, "group": group.name, "protocol": protocol} | row for row in rows]
