"""Whom each model serves worst and best, of every attribute and intersection; and which intersections do worse than
every one of their parts."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame
from scipy import sparse

from accord.analyse.comparing.family import Correction, Family, Pair, family
from accord.analyse.comparing.intersections import Marks, crossings, people, single
from accord.analyse.comparing.nested import Nested, Parts, nested
from accord.analyse.scoring.metrics import direction, is_bounded
from accord.analyse.tables.benchmark import Extremes, Intersections
from accord.analyse.tables.views import EncodedMembers, EncodedScores
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.grouping import BETWEEN
from accord.statistics.cohort import TEST, Cohort, numbered, numbered_people, tests
from accord.statistics.describing.mean_intervals import gap_interval, gap_within, mean_intervals
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA, corrected

SIDES = ("worst", "best")
NAN = float("nan")
FIGURES = ("difference", "difference_low", "difference_high", "ratio", "disparity", "low", "high", "p_value", "effect")
EACH = ("median", "mean", "low", "high")
NO_DRAWS = np.zeros((0, 0), np.uint8)
"""For what is said of intersections in the end: draws of all tests would take gigabytes."""


class Found(NamedTuple):
    """The extremes of each attribute, and the intersections that are worse than all their parts."""

    extremes: DataFrame[Extremes]
    intersections: DataFrame[Intersections]


class Case(NamedTuple):
    """The scores of one test: (n,) values as they are, whose as (n,) int, images; draws of units (draws, m); the
    fewest subjects of a group; metrics of which lower is better, and so the sign; whether values can't leave [0, 1];
    units: (n,) int, subjects or the clusters that images join them to."""

    test: tuple[str, str, str]
    values: np.ndarray
    subjects: np.ndarray
    images: np.ndarray
    drawn: np.ndarray
    least: int
    lower: Collection[str]
    sign: int
    bounded: bool
    units: np.ndarray


def run(
    scores: DataFrame[EncodedScores],
    members: DataFrame[EncodedMembers],
    *,
    crossed: list[str] | None = None,
    most: int = 1,
    correction: Correction = "bonferroni",
    min_subjects: Count = 10,
    bootstraps: Count = 1000,
    seed: Seed = 1,
    lower_is_better: list[str] | None = None,
) -> Found:
    """The extremes of all attributes of `members` and of intersections of up to `most` of those named in `crossed`.

    Intersections are made here, one after the other, from the groups of single attributes; those in `members` are
    passed over. Groups of fewer than `min_subjects` scored subjects, or none, take no part and are counted. correction:
    bonferroni, holm or bh, for all pairs of an attribute, and for all intersections that are held against their parts.
    """
    scores, lone = numbered(scores, members[~members["attribute"].str.contains(BETWEEN, regex=False)])
    named = {str(name): some for name, some in lone.groupby("attribute", sort=True)}
    chosen = [name for name in dict.fromkeys(crossed or named) if name in named]
    names, told, against = [*chosen, *sorted(set(named) - set(chosen))], [], []
    everyone = people(lone).unique()
    known = _known([single(everyone, name, named[name]) for name in names], len(chosen), most)
    for test, some in tests(scores):
        case = _case(test, some, bootstraps, seed, min_subjects, lower_is_better or ())
        singles = [single(people(some), name, named[name]) for name in names]
        each, nests = _compared(case, _every(singles, len(chosen), most), singles, known, correction)
        told += each
        against.append((case._replace(drawn=NO_DRAWS), nests))
    return Found(rows(told, Extremes), rows(_told(against, correction, most), Intersections))


def _known(singles: list[Marks], chosen: int, most: int) -> dict[str, int]:
    """How many groups each attribute and intersection has in the release, scored or not."""
    return {marks.attribute: len(marks.codes) for marks in _every(singles, chosen, most)}


def _compared(
    case: Case, every: Iterable[Marks], singles: list[Marks], known: dict[str, int], correction: str
) -> tuple[list[dict], list[tuple[float, Nested | None]]]:
    """The rows of Extremes of one test; and how each of its intersections does against its parts."""
    parts, told, against = Parts(singles, case.sign * case.values, case.units, case.least), [], []
    for marks in every:
        kept = np.flatnonzero(marks.subject_counts(case.subjects) >= case.least)
        held = marks.only(kept)
        of = family(case.test, marks.attribute, _cohort(case, held), 0, case.lower, correction)
        told.append(_extreme(case, of, held, known[marks.attribute] - len(kept)))
        against += nested(held, parts) if len(marks.attributes) > 1 else []
    return told, against


def _every(singles: list[Marks], chosen: int, most: int) -> Iterator[Marks]:
    yield from crossings(singles[:chosen], most)
    yield from singles[chosen:]


def _case(test: tuple, some: pd.DataFrame, bootstraps: int, seed: int, least: int, lower: Collection[str]) -> Case:
    subjects, units = numbered_people(some)
    drawn = bootstrap.compact(int(units.max(initial=-1)) + 1, bootstraps, generator(seed, "bootstrap", *test))
    values, images = some["value"].to_numpy(float), pd.factorize(some["image"])[0]
    sign, bounded = direction(test[2], lower), is_bounded(test[2], values)
    return Case(test, values, subjects, images, drawn, least, lower, sign, bounded, units)


def _cohort(case: Case, marks: Marks) -> Cohort:
    shape = (len(case.values), len(marks.codes))
    member = sparse.csc_array((np.ones(len(marks.rows)), (marks.rows, marks.groups)), shape=shape)
    return Cohort(case.values, case.subjects, member, marks.names, case.units)


def _extreme(case: Case, family: Family, marks: Marks, too_small: int) -> dict:
    """The row of one attribute or intersection."""
    key = dict(zip(TEST, case.test, strict=True)) | {"attribute": family.attribute, "parts": len(marks.attributes)}
    key |= {"groups": len(marks.codes), "too_small": too_small}
    if len(marks.codes) < 2:
        none = dict.fromkeys(SIDES, "") | {f"{s}_{of}": 0 for s in SIDES for of in ("images", "subjects")}
        none |= dict.fromkeys([*FIGURES, *(f"{s}_{of}" for s in SIDES for of in EACH)], NAN)
        return key | none | {"significant": False, "note": f"fewer than two groups have {case.least} subjects"}
    pair = family.extremes()
    both = family.cohort.only(np.array([pair.worst, pair.best]))
    intervals = mean_intervals(both, case.bounded)
    told = _sides(case, family, pair, intervals)
    low = high = NAN
    if np.isfinite(pair.disparity):
        first, second = (pair.worst, pair.best)[:: case.sign]
        low, high = bootstrap.disparity_interval(family.cohort, first, second, case.drawn)
    worst, best = family.means[pair.worst], family.means[pair.best]
    smaller, larger = sorted((worst, best))
    told |= {"difference": family.difference(pair), "ratio": smaller / larger if smaller > 0 else NAN}
    bounds = gap_within(both.only(np.arange(2)[:: case.sign]), intervals[:: case.sign])
    told |= dict(zip(("difference_low", "difference_high"), bounds, strict=True))
    told |= {"disparity": pair.disparity, "low": low, "high": high}
    told |= {"p_value": pair.corrected, "effect": pair.effect, "significant": pair.corrected < ALPHA}
    return key | told | {"note": _note(family, pair)}


def _note(family: Family, pair: Pair) -> str:
    """Why there is no D; "" where there is, or scores are 0 and 1."""
    if family.is_binary or np.isfinite(pair.disparity):
        return ""
    negative = family.medians[[pair.worst, pair.best]].min() < 0
    return f"{'a median is negative' if negative else 'the medians say the contrary'}: D is not defined"


def _sides(case: Case, family: Family, pair: Pair, intervals: np.ndarray) -> dict:
    """The figures of the two groups, whose intervals are (2, 2)."""
    told: dict = {}
    for side, group, (low, high) in zip(SIDES, (pair.worst, pair.best), intervals, strict=True):
        rows = family.cohort.rows(group)
        figures = {"images": np.count_nonzero(np.bincount(case.images[rows])), "low": low, "high": high}
        told |= family.side(group, side) | {f"{side}_{name}": figure for name, figure in figures.items()}
    return told


def _told(against: list[tuple[Case, list[tuple]]], correction: str, most: int) -> list[dict]:
    """The rows of Intersections, from what `nested` says of each test: p-values are corrected over all together."""
    p = np.array([p for _, some in against for p, _ in some])
    adjusted = corrected(p, correction)
    made, start = [], 0
    for case, some in against:
        mine, start = adjusted[start : start + len(some)], start + len(some)
        untested = int(np.isnan(mine).sum())
        key = dict(zip(TEST, case.test, strict=True)) | {"looked_at": len(some) - untested, "untested": untested}
        held = [key | _worse(case, some[i][1], mine[i]) for i in np.flatnonzero(mine < ALPHA)]
        made += held or [key | _none(mine[~np.isnan(mine)], most)]
    return made


def _worse(case: Case, found: Nested, p: float) -> dict:
    inner, part = (np.unpackbits(of, count=len(case.values)).astype(bool) for of in (found.rows, found.part_rows))
    both = sparse.csc_array(np.column_stack([inner, part][:: case.sign]).astype(float))
    cohort = Cohort(case.values, case.subjects, both, ("inner", "part")[:: case.sign], case.units)
    low, high = gap_interval(cohort, case.bounded)
    subjects = len(distinct(case.subjects[inner]))
    mean, of_part = case.values[inner].mean(), case.values[part].mean()
    told = {"attribute": found.attribute, "group": found.group, "parts": found.parts, "note": ""}
    told |= {"images": len(distinct(case.images[inner])), "subjects": subjects, "mean": mean}
    told |= {"part_attribute": found.part_attribute, "worst_part": found.worst_part, "part_mean": of_part}
    return told | {"gap": case.sign * (of_part - mean), "low": low, "high": high, "p_value": p}


def _none(p: np.ndarray, most: int) -> dict:
    nothing = dict.fromkeys(("attribute", "group", "part_attribute", "worst_part"), "")
    nothing |= dict.fromkeys(("parts", "images", "subjects"), 0)
    nothing |= dict.fromkeys(("mean", "part_mean", "gap", "low", "high"), NAN)
    if most < 2:
        return nothing | {"p_value": NAN, "note": "no intersections were formed"}
    if not len(p):
        return nothing | {"p_value": NAN, "note": "no intersection has enough subjects of its own"}
    why = "no intersection does worse than each of its parts beyond chance"
    return nothing | {"p_value": p.min(), "note": why}
