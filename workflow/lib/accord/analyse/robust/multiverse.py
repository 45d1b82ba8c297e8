"""Multiverse: does a claimed finding survive other thresholds, groups, sizes, tests, corrections and models?"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing.regrouped import OTHERS, against_others, can_widen, widened, wider
from accord.analyse.scoring.metrics import direction
from accord.analyse.tables.robustness import Multiverse
from accord.analyse.tables.scores import Disparities, Members, Scores
from accord.engine.table import rows
from accord.statistics.cohort import KEY, TEST, Cohort, cohort, tests
from accord.statistics.ranking.contrasts import TESTS
from accord.statistics.testing.correction import ALPHA, METHODS, corrected

SIZES = (0.5, 1, 2, 3)
"""Of the smallest number of subjects that a group must have."""

AR_CUTS = {"reaches 0.5": 0.1, "reaches 0.75": 0.6}
"""An average recall over 0.50, 0.55 ... 0.95 is at least 0.1 where the first is reached, 0.6 where six are."""

TOLD = {"models": "this one", "outcome": "score", "grouping": "as told", "test": "subject ranks",
        "correction": "bonferroni"}  # fmt: skip
DUST = 1e-9
AT_ONCE = 20


class View(NamedTuple):
    """One way of grouping one score: the finding's groups in it, and which other grouping it is."""

    cohort: Cohort
    worst: str
    best: str
    choices: dict[str, str]


class Comparisons(NamedTuple):
    """c comparisons: ends (c, 2) group numbers; of the second against the first p, ahead (a sign), difference."""

    ends: np.ndarray
    p: np.ndarray
    ahead: np.ndarray
    difference: np.ndarray

    def only(self, kept: np.ndarray) -> "Comparisons":
        return Comparisons(*(part[kept] for part in self))


def multiverse(
    scores: DataFrame[Scores],
    members: DataFrame[Members],
    disparities: DataFrame[Disparities],
    min_subjects: int = 10,
    lower: tuple[str, ...] = (),
) -> DataFrame[Multiverse]:
    """Every claimed finding under all combinations of choices; docs/statistics-explaining.md lists them."""
    attributes, found = dict(list(members.groupby("attribute", sort=True))), dict(tests(scores))
    sizes, made = sorted({max(2, round(min_subjects * size)) for size in SIZES}), []
    for finding in disparities[disparities["claimed"]].to_dict("records"):
        key = {name: finding[name] for name in (*TEST, "attribute", "worst", "best")}
        sign = direction(finding["metric"], lower)
        for view in _views(key, found, attributes[key["attribute"]], sizes[0]):
            for test in TESTS:
                made += [key | row for row in _specified(view, test, sign, sizes, min_subjects)]
    return rows(made, Multiverse)


def _views(key: dict, found: dict, groups: pd.DataFrame, least: int) -> Iterator[View]:
    """A view per set of models, grouping and outcome."""
    attribute, ends = key["attribute"], (key["worst"], key["best"])
    groupings = {"as told": (groups, *ends)}
    if can_widen(attribute):
        groupings["merged"] = (widened(attribute, groups), wider(attribute, ends[0]), wider(attribute, ends[1]))
    groupings["against all others"] = (groups, key["worst"], OTHERS)
    for (models, some), (grouping, (named, worst, best)) in product(_scored(key, found), groupings.items()):
        whole = cohort(some, named)
        large = whole.only(np.flatnonzero(whole.subject_counts >= least))
        large = against_others(large) if grouping == "against all others" else large
        for outcome, values in outcomes(key["metric"], some["value"].to_numpy(float), large.values):
            yield View(
                replace(large, values=values), worst, best,
                {"models": models, "outcome": outcome, "grouping": grouping},
            )  # fmt: skip


def _scored(key: dict, found: dict) -> list[tuple[str, pd.DataFrame]]:
    """The scores of the model itself, and, where there are several of its task, their mean where all have one."""
    alike = [some for test, some in found.items() if (test[0], test[2]) == (key["task"], key["metric"])]
    made = [("this one", found[tuple(key[name] for name in TEST)])]
    if len(alike) > 1:
        each = (
            pd.concat([some[[*KEY, "value"]] for some in alike]).groupby(KEY, sort=True)["value"].agg(["mean", "size"])
        )
        common = each.loc[each["size"] == len(alike), "mean"].rename("value").reset_index()
        made += [(f"mean of {len(alike)}", common)] if len(common) else []
    return made


def outcomes(metric: str, every: np.ndarray, values: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """The score itself, and 1 or 0 for whether it reaches a threshold: of average recalls 0.5 and 0.75, of all others
    the quartiles of `every` score that set some apart."""
    if metric.startswith("ar_"):
        cuts = AR_CUTS
    else:
        quartiles = np.unique(np.quantile(every, (0.25, 0.5, 0.75), method="inverted_cdf"))
        cuts = {f"score >= {cut:.4g}": cut for cut in quartiles if cut > every.min()}
    return [("score", values), *((name, (values >= cut - DUST).astype(float)) for name, cut in cuts.items())]


def _specified(view: View, test: str, sign: int, sizes: list[int], told: int) -> Iterator[dict]:
    """One row per size and correction of one view and test."""
    every = _compared(view, test)
    for size in sizes:
        kept = every.only(np.all(view.cohort.subject_counts[every.ends] >= size, axis=1))
        at, turned = _position(view, kept.ends)
        for method in METHODS:
            made = view.choices | {"test": test, "correction": method}
            changed = sum(made[choice] != TOLD[choice] for choice in TOLD) + (size != told)
            made |= {"min_subjects": size, "changed": changed, "pairs": len(kept.p)}
            yield made | _outcome(view, kept, at, turned, sign, method, size)


def _compared(view: View, test: str) -> Comparisons:
    k = len(view.cohort.groups)
    if view.choices["grouping"] != "against all others":
        first, second = np.triu_indices(k, 1)
        found = TESTS[test](view.cohort)
        return Comparisons(np.column_stack([first, second]), *(part[second, first] for part in found))
    groups, parts = np.arange(k // 2), []
    for start in range(0, k // 2, AT_ONCE):
        some = groups[start : start + AT_ONCE]
        found, own = TESTS[test](view.cohort.only(np.append(some, some + k // 2))), np.arange(len(some))
        parts.append(np.column_stack([part[own + len(some), own] for part in found]))
    figures = np.vstack(parts) if parts else np.zeros((0, 3))
    return Comparisons(np.column_stack([groups, groups + k // 2]), *figures.T)


def _position(view: View, ends: np.ndarray) -> tuple[int, int]:
    """Which comparison is the finding's, -1 for none; and -1 where it has the worse group second, else 1."""
    first, second = np.array(view.cohort.groups, object)[ends].T
    for turned, (worse, better) in ((1, (first, second)), (-1, (second, first))):
        found = np.flatnonzero((worse == view.worst) & (better == view.best))
        if len(found):
            return int(found[0]), turned
    return -1, 1


def _outcome(view: View, kept: Comparisons, at: int, turned: int, sign: int, method: str, size: int) -> dict:
    """What is found; sign: 1 where higher is better."""
    made = {"worst_subjects": 0, "best_subjects": 0, "difference": np.nan, "p_value": np.nan, "holds": False}
    if at < 0:
        one = view.worst == view.best
        return made | {"note": "both are the same group" if one else f"a group has fewer than {size} subjects"}
    worst, best = view.cohort.subject_counts[kept.ends[at][::turned]]
    made |= {"worst_subjects": int(worst), "best_subjects": int(best)}
    if view.cohort.values.min() == view.cohort.values.max():
        return made | {"note": "all scores are equal"}
    p, sign = float(corrected(kept.p, method)[at]), sign * turned
    holds = bool(p < ALPHA and sign * kept.ahead[at] > 0)
    return made | {"difference": sign * float(kept.difference[at]), "p_value": p, "holds": holds, "note": ""}
