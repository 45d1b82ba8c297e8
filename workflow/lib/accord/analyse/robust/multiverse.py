"""Multiverse: does a claimed finding survive other thresholds, groups, sizes, tests, corrections and models?"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.analyse.robust.specifications import AS_TOLD, THIS_ONE, Specifications, View, ends_of
from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.robustness import Multiverse
from accord.analyse.tables.scores import Disparities, Members, Scores
from accord.engine.table import rows
from accord.statistics.cohort import TEST, numbered, tests
from accord.statistics.ranking.contrasts import Contrast
from accord.statistics.testing.correction import ALPHA, METHODS, corrected

SIZES = (0.5, 1, 2, 3)
"""Of the smallest number of subjects that a group must have."""

TOLD = {"models": THIS_ONE, "outcome": "score", "grouping": AS_TOLD, "test": "subject ranks",
        "correction": "bonferroni"}  # fmt: skip
NOTHING = {"worst_subjects": 0, "best_subjects": 0, "difference": np.nan, "p_value": np.nan, "holds": False}


class Kept(NamedTuple):
    """The comparisons of groups with at least `size` subjects: their numbers; which of them is the finding's, and the
    subjects of its worse and its better group; -1 where it has the worse group second, else 1. at: -1 for none."""

    size: int
    rows: np.ndarray
    at: int
    subjects: tuple[int, int]
    turned: int


def multiverse(
    scores: DataFrame[Scores],
    members: DataFrame[Members],
    disparities: DataFrame[Disparities],
    min_subjects: int = 10,
    lower: tuple[str, ...] = (),
) -> DataFrame[Multiverse]:
    """Every claimed finding under all combinations of choices; docs/statistics-explaining.md lists them."""
    scores, members = numbered(scores, members)
    attributes, found = dict(list(members.groupby("attribute", sort=True))), dict(tests(scores))
    sizes, made = sorted({max(2, round(min_subjects * size)) for size in SIZES}), []
    every = Specifications(found, attributes, sizes[0])
    for finding in disparities[disparities["claimed"]].to_dict("records"):
        key = {name: finding[name] for name in (*TEST, "attribute", "worst", "best")}
        sign = direction(finding["metric"], lower)
        ends = ends_of(*(key[name] for name in ("attribute", "worst", "best")))
        for view in every.views(tuple(key[name] for name in TEST), key["attribute"]):
            named = ends[view.choices["grouping"]]
            made += [key | row for row in _specified(view, *named, sign, sizes, min_subjects)]
    return rows(made, Multiverse)


def _specified(view: View, worst: str, best: str, sign: int, sizes: list[int], told: int) -> Iterator[dict]:
    """One row per test, size and correction of one view."""
    kept = [_kept(view, worst, best, size) for size in sizes]
    for test, contrast in view.found.items():
        for some in kept:
            for method in METHODS:
                made = view.choices | {"test": test, "correction": method}
                changed = sum(made[choice] != TOLD[choice] for choice in TOLD) + (some.size != told)
                made |= {"min_subjects": some.size, "changed": changed, "pairs": len(some.rows)}
                yield made | _outcome(contrast, some, sign, method, _undefined(view, some, worst == best))


def _kept(view: View, worst: str, best: str, size: int) -> Kept:
    kept = np.flatnonzero(np.all(view.subjects >= size, axis=1))
    first, second = view.groups[kept].T
    for turned, (worse, better) in ((1, (first, second)), (-1, (second, first))):
        found = np.flatnonzero((worse == worst) & (better == best))
        if len(found):
            at = int(found[0])
            low, high = view.subjects[kept[at]][::turned].tolist()
            return Kept(size, kept, at, (low, high), turned)
    return Kept(size, kept, -1, (0, 0), 1)


def _undefined(view: View, kept: Kept, one: bool) -> str:
    """Why nothing can be said; "" where it can. one: the worse and the better group are the same one."""
    if kept.at < 0:
        return "both are the same group" if one else f"a group has fewer than {kept.size} subjects"
    return "all scores are equal" if view.equal else ""


def _outcome(contrast: Contrast, kept: Kept, sign: int, method: str, why: str) -> dict:
    """What is found; sign: 1 where higher is better."""
    worst, best = kept.subjects
    made = NOTHING | {"worst_subjects": worst, "best_subjects": best, "note": why}
    if why:
        return made
    at, sign = kept.rows[kept.at], sign * kept.turned
    p = float(corrected(contrast.p[kept.rows], method)[kept.at])
    holds = bool(p < ALPHA and sign * contrast.ahead[at] > 0)
    return made | {"difference": sign * float(contrast.difference[at]), "p_value": p, "holds": holds}
