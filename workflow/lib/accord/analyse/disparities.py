"""Which groups a model serves worse than others: the strongest disparity of each attribute, and whether it holds."""

from functools import lru_cache

import numpy as np
from pandera.typing import DataFrame

from accord.analyse.comparing.evidence import Evidence, pair_p, weigh
from accord.analyse.comparing.family import Correction, Family, Pair, family
from accord.analyse.comparing.rivals import rivals
from accord.analyse.scoring.metrics import is_neutral
from accord.analyse.tables.scores import Disparities, Members, Scores
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.statistics.clusters import joint
from accord.statistics.cohort import TEST, cohort, numbered, tests
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.bootstrap_limit import Draws
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA

UNEQUAL = "not tested between subjects: no two groups have subjects with equally many images"
UNEQUAL_PAIR = "not tested between subjects: no two subjects of the two groups have equally many images"
EXPLAINED = "explained by "
"""How the note of a difference begins that another attribute makes."""

MISSING = (
    "worst_median", "best_median", "worst_mean", "best_mean", "difference", "difference_low", "difference_high",
    "disparity", "low", "high", "effect",
)  # fmt: skip


def run(
    scores: DataFrame[Scores],
    members: DataFrame[Members],
    *,
    min_subjects: Count = 10,
    bootstraps: Count = 1000,
    seed: Seed = 1,
    lower_is_better: list[str] | None = None,
    correction: Correction = "bonferroni",
) -> DataFrame[Disparities]:
    """Per (task, model, metric, attribute) the significant pair of groups with the largest D, or why there is none.

    Pairs of groups with at least `min_subjects` subjects; two-sided Mann-Whitney U, corrected over the pairs. What
    is `claimed` also differs between subjects after correction over the whole table; see docs/statistics-inference.md.
    lower_is_better: names of metrics that are so, besides the known ones; correction: bonferroni, holm or bh.
    """
    scores, members = numbered(scores, members)
    attributes = dict(list(members.groupby("attribute", sort=True)))
    families = [
        family(test, name, cohort(some, groups), min_subjects, lower_is_better or (), correction)
        for test, some in tests(scores) for name, groups in attributes.items()
    ]  # fmt: skip
    return rows([row for _, row in tested_families(families, min_subjects, bootstraps, seed)], Disparities)


def tested_families(families: list[Family], min_subjects: int, bootstraps: int, seed: int) -> list[tuple[Family, dict]]:
    """Each family with its row of the table, corrected over all of them. Their tests may have more than three parts."""
    testable = [f for f in families if f.pairs]
    weighed = {id(f): e for f, e in zip(testable, weigh(testable, seed), strict=True)}
    made = [(f, _row(f, weighed.get(id(f)), min_subjects, bootstraps, seed)) for f in families]
    claims = [(f, row) for f, row in made if row["claimed"]]
    shared = rivals([(f, row["worst"], row["best"]) for f, row in claims])
    for (_, row), told in zip(claims, shared, strict=True):
        parts = [*row["note"].split("; "), *told.split("; ")]
        row["note"] = "; ".join(dict.fromkeys(part for part in parts if part))
    return made


def _row(family: Family, evidence: Evidence | None, min_subjects: int, bootstraps: int, seed: int) -> dict:
    key = dict(zip(TEST, family.test, strict=False)) | {"attribute": family.attribute}
    nothing = dict.fromkeys(MISSING, np.nan) | dict.fromkeys(("worst_subjects", "best_subjects"), 0)
    nothing |= {"worst": "", "best": "", "significant": False, "claimed": False, "pairs": family.pairs}
    if evidence is None:
        why = f"fewer than two groups have {min_subjects} subjects"
        return key | nothing | {"p_value": np.nan, "p_between_subjects": np.nan, "subjects_compared": 0, "note": why}
    key |= {"subjects_compared": evidence.compared}
    found = family.significant()
    if not found:
        told = {"p_value": family.smallest_p, "p_between_subjects": evidence.corrected}
        why = [_no_pair(family.pairs), *([] if evidence.compared else [UNEQUAL])]
        return key | nothing | told | {"note": "; ".join(why)}
    pair, between = _chosen(family, found, evidence, seed)
    claimed = evidence.holds and between < ALPHA
    told = {"p_between_subjects": between, "claimed": claimed, "note": _note(family, found[0], pair, evidence, between)}
    return key | nothing | _figures(family, pair, bootstraps, seed) | told


def _no_pair(pairs: int) -> str:
    return "the only pair does not differ significantly" if pairs == 1 else f"no pair of {pairs} differs significantly"


def _chosen(family: Family, found: list[Pair], evidence: Evidence, seed: int) -> tuple[Pair, float]:
    """The pair to tell of: the claimable one with the largest D, else the one with the largest D. And its p-value."""
    if not evidence.holds:
        return found[0], evidence.corrected
    corrected = (float(np.maximum(evidence.corrected, pair_p(family, pair, seed))) for pair in found)
    tried = []
    for pair, p in zip(found, corrected, strict=True):
        tried.append((pair, p))
        if p < ALPHA:
            return pair, p
    return tried[0]


def _figures(family: Family, pair: Pair, bootstraps: int, seed: int) -> dict:
    figures = family.side(pair.worst, "worst") | family.side(pair.best, "best")
    low, high = family.difference_interval(pair)
    figures |= {"difference": family.difference(pair), "difference_low": low, "difference_high": high}
    if np.isfinite(pair.disparity):
        drawn = _drawn(len(family.cohort.counts), bootstraps, seed, family.test)
        first, second = (pair.worst, pair.best)[:: family.sign]
        low, high = bootstrap.disparity_interval(family.cohort, first, second, drawn)
        figures |= {"disparity": pair.disparity, "low": low, "high": high}
    return figures | {"p_value": pair.corrected, "effect": pair.effect, "significant": True}


def _ends(family: Family, pair: Pair) -> tuple[str, int, int] | None:
    """By what a pair is ranked, and the worst and the best of all groups by that; None where the pair is these."""
    by_median = not family.is_binary and family.medians[pair.worst] != family.medians[pair.best]
    values = family.sign * (family.medians if by_median else family.means)
    if values[pair.worst] == values.min() and values[pair.best] == values.max():
        return None
    order = np.argsort(values, kind="stable")
    return "median" if by_median else "mean", int(order[0]), int(order[-1])


@lru_cache(maxsize=1)
def _drawn(subjects: int, draws: int, seed: int, test: tuple[str, ...]) -> np.ndarray | Draws:
    """The same draws for all attributes of a test, one after the other."""
    return bootstrap.resampled(subjects, draws, generator(seed, "bootstrap", *test))


def _note(family: Family, largest: Pair, pair: Pair, evidence: Evidence, between: float) -> str:
    groups, parts, claimed = family.cohort.groups, [], evidence.holds and between < ALPHA
    if np.isnan(between):
        parts.append(UNEQUAL_PAIR if evidence.compared else UNEQUAL)
    elif evidence.explained:
        parts.append(
            f"{EXPLAINED}{evidence.explained}: no difference remains among subjects of the same {evidence.explained}"
        )
    elif not claimed:
        parts.append("significant between images, but not between subjects after correction")
    if evidence.alike:
        parts.append(f"can't be distinguished from {evidence.alike}")
    if claimed and evidence.summed:
        parts.append("larger than either part alone, but possibly not larger than their sum")
    if family.size(largest) > family.size(pair):
        what = "the difference of means" if family.is_binary else "D"
        parts.append(
            f"{what} is larger for {groups[largest.worst]} and {groups[largest.best]}, not certain between subjects"
        )
    if np.isnan(pair.disparity) and not family.is_binary:
        parts.append("a median is negative: D is not defined")
    if pair.disparity == 0:
        parts.append("the medians are equal: the groups differ elsewhere in the distribution")
    if ends := _ends(family, pair):
        low, high = ("lowest", "highest") if is_neutral(family.test[2]) else ("worst", "best")
        by, first, last = ends
        parts.append(f"the surest difference: by the {by} {groups[first]} is {low} and {groups[last]} {high}")
    if together := joint(len(family.cohort.people), int(family.cohort.people.sum())):
        parts.append(together)
    return "; ".join(parts)
