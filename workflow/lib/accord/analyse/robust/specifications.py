"""The ways of looking at one attribute in a multiverse: models, groupings and outcomes, each with all its tests."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.comparing.regrouped import OTHERS, against_others, can_widen, widened, wider
from accord.statistics.cohort import KEY, PERSON, Cohort, cohort
from accord.statistics.distinct import distinct
from accord.statistics.ranking.contrasts import TESTS, Contrast
from accord.statistics.ranking.design import Design, Ends, Scored, every_pair

AR_CUTS = {"reaches 0.5": 0.1, "reaches 0.75": 0.6}
"""An average recall over 0.50, 0.55 ... 0.95 is at least 0.1 where the first is reached, 0.6 where six are."""

AS_TOLD, MERGED, AGAINST_OTHERS = "as told", "merged", "against all others"
THIS_ONE = "this one"
DUST = 1e-9
AT_ONCE = 20


class View(NamedTuple):
    """One way of looking: its choices; of each of c comparisons (first, second) the groups (c, 2) and their subjects
    (c, 2); whether all scores are equal; by test, what it says (c,) of the second against the first."""

    choices: dict[str, str]
    groups: np.ndarray
    subjects: np.ndarray
    equal: bool
    found: dict[str, Contrast]


class Grouping(NamedTuple):
    """The groups that are compared, whatever their scores: the numbers of both of each comparison (c, 2), and the
    designs that compare them, either all pairs or, one after the other, each group with its own other one."""

    cohort: Cohort
    ends: np.ndarray
    designs: list[Design]

    def view(self, choices: dict[str, str], values: np.ndarray) -> View:
        """What all tests say of these scores (n,)."""
        scored = [Scored(values, design) for design in self.designs]
        found = {name: self._contrast([test(one) for one in scored]) for name, test in TESTS.items()}
        groups = np.array(self.cohort.groups, object)[self.ends]
        equal = len(values) == 0 or values.min() == values.max()
        return View(choices, groups, self.cohort.subject_counts[self.ends], equal, found)

    def _contrast(self, parts: list[Contrast]) -> Contrast:
        if parts and parts[0].p.ndim == 2:
            first, second = self.ends.T
            return Contrast(*(part[second, first] for part in parts[0]))
        return Contrast(*(np.concatenate([np.zeros(0), *part]) for part in zip(*parts, strict=True)))


class Specifications:
    """All views of each attribute; those of several models' mean are worked out once for all of these models."""

    def __init__(self, found: dict[tuple, pd.DataFrame], attributes: dict[str, pd.DataFrame], least: int):
        self._found, self._attributes, self._least = found, attributes, least
        self._means: dict[tuple, pd.DataFrame] = {}
        self._of_means: dict[tuple, list[View]] = {}

    def views(self, test: tuple[str, str, str], attribute: str) -> Iterator[View]:
        """A view per set of models, grouping and outcome."""
        yield from self._views(THIS_ONE, self._found[test], test[2], attribute)
        task, _, metric = test
        alike = [some for other, some in self._found.items() if (other[0], other[2]) == (task, metric)]
        if len(alike) < 2:
            return
        if (task, metric) not in self._means:
            self._means[task, metric] = mean_of(alike)
        key, common = (task, metric, attribute), self._means[task, metric]
        if key not in self._of_means:
            named = f"mean of {len(alike)}"
            self._of_means[key] = [*self._views(named, common, metric, attribute)] if len(common) else []
        yield from self._of_means[key]

    def _views(self, models: str, some: pd.DataFrame, metric: str, attribute: str) -> Iterator[View]:
        for name, grouping in groupings(some, attribute, self._attributes[attribute], self._least):
            for outcome, values in outcomes(metric, some["value"].to_numpy(float), grouping.cohort.values):
                yield grouping.view({"models": models, "outcome": outcome, "grouping": name}, values)


def ends_of(attribute: str, worst: str, best: str) -> dict[str, tuple[str, str]]:
    """By grouping, the groups in which the two of a finding are."""
    merged = (wider(attribute, worst), wider(attribute, best))
    return {AS_TOLD: (worst, best), MERGED: merged, AGAINST_OTHERS: (worst, OTHERS)}


def mean_of(alike: list[pd.DataFrame]) -> pd.DataFrame:
    """The mean score of several models of each person in an image of whom all have one, as a table of scores."""
    every = pd.concat([some[[*KEY, PERSON, "value"]] for some in alike])
    each = every.groupby(PERSON, sort=True)["value"].agg(["mean", "size"])
    common = each.loc[each["size"] == len(alike), "mean"].rename("value")
    return alike[0].drop(columns="value").merge(common, on=PERSON)


def groupings(some: pd.DataFrame, attribute: str, groups: pd.DataFrame, least: int) -> Iterator[tuple[str, Grouping]]:
    """The groupings of an attribute, of groups with at least so many subjects."""
    plain = _large(cohort(some, groups), least)
    yield AS_TOLD, _all_pairs(plain)
    if can_widen(attribute):
        yield MERGED, _all_pairs(_large(cohort(some, widened(attribute, groups)), least))
    yield AGAINST_OTHERS, _each_own(against_others(plain))


def outcomes(metric: str, every: np.ndarray, values: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """The score itself, and 1 or 0 for whether it reaches a threshold: of average recalls 0.5 and 0.75, of all others
    the quartiles of `every` score that set some apart."""
    if metric.startswith("ar_"):
        cuts = AR_CUTS
    else:
        quartiles = distinct(np.quantile(every, (0.25, 0.5, 0.75), method="inverted_cdf"))
        cuts = {f"score >= {cut:.4g}": cut for cut in quartiles if cut > every.min()}
    return [("score", values), *((name, (values >= cut - DUST).astype(float)) for name, cut in cuts.items())]


def _large(whole: Cohort, least: int) -> Cohort:
    return whole.only(np.flatnonzero(whole.subject_counts >= least))


def _all_pairs(whole: Cohort) -> Grouping:
    ends = np.column_stack(np.triu_indices(len(whole.groups), 1))
    return Grouping(whole, ends, [every_pair(whole).design])


def _each_own(whole: Cohort) -> Grouping:
    """The first half of the groups, each with its other one in the second half."""
    k = len(whole.groups) // 2
    designs = []
    for start in range(0, k, AT_ONCE):
        some = np.arange(start, min(k, start + AT_ONCE))
        member, own = whole.member[:, np.append(some, some + k)], np.arange(len(some))
        designs.append(Design(whole.units, member, Ends(own + len(some), own)))
    return Grouping(whole, np.column_stack([np.arange(k), np.arange(k) + k]), designs)
