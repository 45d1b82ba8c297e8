"""Is a difference more than chance, and more than another attribute explains? Told from subjects, not images."""

from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil

import numpy as np

from accord.analyse.comparing.family import Family, Pair
from accord.grouping import BETWEEN
from accord.statistics.cohort import Cohort
from accord.statistics.distinct import coded
from accord.statistics.exchangeable_items import items_of
from accord.statistics.permuting.dealing import movable
from accord.statistics.permuting.exchangeable import (
    COARSE,
    FINE,
    comparable,
    joined,
    means_of,
    ranked,
    strata_of,
)
from accord.statistics.permuting.permutation import in_any, max_difference_p, max_difference_ps
from accord.statistics.permuting.stochastic_order import order_p
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA, corrected

RESOLUTION = 10
"""The smallest p-value that is told apart lies this many times below what Holm's first step asks for."""


@dataclass(frozen=True)
class Evidence:
    """What subjects say of one family: p (between subjects), corrected over all families; what explains it.

    compared: subjects with as many scores as one of another group: the others say nothing, and without any p is NaN.
    explained: another attribute of which the groups leave nothing to this one; alike: one that can't be told apart
    from it; "" for none. summed: whether it is an intersection all of whose parts hold, so that it may be no more
    than their sum.
    """

    p: float
    compared: int
    corrected: float = 1.0
    explained: str = ""
    alike: str = ""
    summed: bool = False

    @property
    def holds(self) -> bool:
        return self.corrected < ALPHA and not self.explained


def weigh(families: list[Family], seed: int) -> list[Evidence]:
    """The evidence of each family, corrected (Holm) over all of them.

    A single attribute: do any two groups differ more than when subjects' scores are dealt out at random, among
    subjects with as many scores? (Means of one and of eight scores differ in distribution without any bias.) What is
    dealt are means of the ranks of images, since how alike a subject's images are is no difference between groups. An
    intersection must be more than any of its parts: it also has to differ when scores are dealt only among subjects
    of the same groups of each part. Of single attributes that hold, one is set aside if, among subjects of the same
    group of another one that holds, nothing is left of it, but not the other way round. Left is what has p < 0.05
    after correction (Bonferroni) for all such comparisons: or each model would add a chance to name what comes along.
    """
    most = ceil(len(families) * RESOLUTION / ALPHA)
    named = {(f.test, f.attribute): f for f in families}
    found = _found(families, [_parts(f, named) for f in families], most, seed)
    over_all = corrected(np.array([e.p for e in found]), "holm")
    found = [replace(e, corrected=float(c)) for e, c in zip(found, over_all, strict=True)]
    told = _set_aside(families, found, most, seed)
    held = {(f.test, f.attribute) for f, e in zip(families, told, strict=True) if e.holds}
    parts = [[(p.test, p.attribute) for p in _parts(f, named)] for f in families]
    return [replace(e, summed=bool(some) and held.issuperset(some)) for e, some in zip(told, parts, strict=True)]


def pair_p(family: Family, pair: Pair, seed: int) -> float:
    """P-value that two groups differ between subjects, corrected for all pairs of the attribute (Bonferroni).

    Scores are dealt among subjects with as many scores in their group. Subjects of both groups say nothing and are left
    out. 1 where subjects of the worse group score no worse: a group can look worse for the images of a single subject.
    Nor is it less than that of the images with a subject whom nobody saw (`order_p`): of few subjects whose images are
    alike, all can score well by chance, and then vary little. NaN where no subject of one group has as many scores as
    one of the other.
    """
    cohort = _of_pair(family, pair)
    values, items = cohort.values, items_of(cohort, ranked(cohort.values))
    member = items.members(cohort)
    once = np.flatnonzero(np.asarray((member > 0).sum(axis=1)).ravel() == 1)
    member, strata, deviation = member[once], items.strata[once], items.deviation[once]
    in_worst = member[:, [0]].toarray().ravel() > 0
    if min(in_worst.sum(), (~in_worst).sum()) < 2:
        return 1.0
    if not comparable(in_worst.astype(int), strata).any():
        return float("nan")
    moved, scores, _ = movable(items.values[once], strata, deviation, np.arange(len(once)))
    if scores[in_worst[moved]].sum() >= 0:
        return 1.0
    of_images = family.pairs * order_p(values, *_sides(cohort))
    if of_images >= ALPHA:
        return min(1.0, of_images)
    rng = generator(seed, "pair", *family.test, family.attribute)
    most = ceil(family.pairs * RESOLUTION / ALPHA)
    p = max_difference_p(items.values[once], member, strata, most, rng, deviation)
    return min(1.0, max(of_images, family.pairs * p))


def _of_pair(family: Family, pair: Pair) -> Cohort:
    """The scores of those who are in one of two groups and never in the other, higher ones better."""
    both = family.cohort.only(np.array([pair.worst, pair.best]))
    once = np.asarray((both.by_subject > 0).sum(axis=1)).ravel() == 1
    rows = np.union1d(both.rows(0), both.rows(1))
    rows = rows[once[both.subjects[rows]]]
    subjects = coded(both.subjects[rows])[1]
    units = subjects if both.units is both.subjects else coded(both.units[rows])[1]
    company = None if both.company is None else both.company[rows]
    return Cohort(family.sign * both.values[rows], subjects, both.member[rows], both.groups, units, company)


def _sides(cohort: Cohort) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `order_p` takes of the scores of two groups: the unit of each, by group; which are of the first; and what
    each counts. A cluster with people in both is one in each, as if these were independent: so p is rather too large.
    """
    first = cohort.member[:, [0]].toarray().ravel() > 0
    of = coded(2 * cohort.units + ~first)
    deviation = means_of(ranked(cohort.values), of[1]).deviation
    return of[1], of[0] % 2 == 0, deviation**-2.0


def _found(families: list[Family], parts: list[list[Family]], most: int, seed: int) -> list[Evidence]:
    """The evidence of each family, uncorrected: first as it is, then given each of its parts, until one explains it."""
    compared = [_compared(family) for family in families]
    p = _between([(family, None) for family in families], most, seed)
    p = [one if count else float("nan") for one, count in zip(p, compared, strict=True)]
    explained = [""] * len(families)
    for depth in range(max(map(len, parts), default=0)):
        left = [i for i, some in enumerate(parts) if depth < len(some) and p[i] < ALPHA]
        for i, given in zip(left, _between([(families[i], parts[i][depth]) for i in left], most, seed), strict=True):
            p[i] = given if given >= ALPHA else max(p[i], given)
            explained[i] = parts[i][depth].attribute if given >= ALPHA else ""
    return [Evidence(*one) for one in zip(p, compared, [1.0] * len(p), explained, strict=True)]


def _compared(family: Family) -> int:
    """How many subjects have as many scores as one of another group, or are in the same images."""
    items = items_of(family.cohort, family.cohort.values)
    member = items.members(family.cohort)
    inside = np.flatnonzero(in_any(member))
    told = np.zeros(len(items.people), bool)
    told[inside] = comparable(strata_of(member)[inside], items.strata[inside])
    cohort, m = family.cohort, len(family.cohort.people)
    of_subject = told[:m][cohort.units[np.unique(cohort.subjects, return_index=True)[1]]]
    of_subject[items.company[told[m:]]] = True
    return int(of_subject.sum())


def _between(asked: list[tuple[Family, Family | None]], most: int, seed: int) -> list[float]:
    """P-values that groups of a family differ between subjects with as many scores, given another one's groups or none.

    Families of the same scores and subjects share their deals. Groups and fine steps of numbers of scores together
    would part subjects into strata of two or three, in which little could be told: so steps are coarse then.
    """
    alike: dict[tuple, list[int]] = {}
    for index, (family, given) in enumerate(asked):
        inside = in_any(family.cohort.by_subject).tobytes()
        alike.setdefault((family.test, given.attribute if given else "", inside), []).append(index)
    p = [1.0] * len(asked)
    for (test, attribute, _), some in alike.items():
        family, given = asked[some[0]]
        items = items_of(family.cohort, ranked(family.cohort.values), COARSE if given else FINE)
        members = [items.members(asked[i][0].cohort) for i in some]
        alike_in = items.strata
        if given:
            alike_in = joined(strata_of(items.members(given.cohort)), items.strata)
        rng = generator(seed, "between", *test, attribute)
        found = max_difference_ps(items.values, members, alike_in, most, rng, items.deviation)
        for index, one in zip(some, found, strict=True):
            p[index] = one
    return p


def _parts(family: Family, named: dict) -> list[Family]:
    """The families of an intersection with one attribute left out, those that are among the tests."""
    names = family.attribute.split(BETWEEN)
    fewer = [BETWEEN.join(some) for some in combinations(names, len(names) - 1) if some]
    return [named[family.test, name] for name in fewer if (family.test, name) in named]


def _set_aside(families: list[Family], found: list[Evidence], most: int, seed: int) -> list[Evidence]:
    rivals: dict[tuple, list[int]] = {}
    for index, (family, evidence) in enumerate(zip(families, found, strict=True)):
        if evidence.holds and BETWEEN not in family.attribute:
            rivals.setdefault(family.test, []).append(index)
    asked = [(a, b) for some in rivals.values() for a in some for b in some if a != b]
    given = _between([(families[a], families[b]) for a, b in asked], most, seed)
    left = {both: p * len(asked) >= ALPHA for both, p in zip(asked, given, strict=True)}
    explained = {a for (a, b), gone in left.items() if gone and not left[b, a]}
    told = list(found)
    for (a, b), gone in left.items():
        if gone and not left[b, a] and b not in explained:
            told[a] = replace(told[a], explained=families[b].attribute)
        elif gone and not told[a].explained:
            told[a] = replace(told[a], alike=families[b].attribute)
    return told
