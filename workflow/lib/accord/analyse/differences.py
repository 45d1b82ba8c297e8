"""Differences between the mean scores of all pairs of groups, with bootstrapped standard errors, as FHIBE's paper."""

from itertools import combinations

import numpy as np
from pandera.typing import DataFrame

from accord.analyse.tables.benchmark import Differences
from accord.analyse.tables.scores import Members, Scores
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.statistics.cohort import TEST, Cohort, cohort, numbered, tests, unit_count
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.bootstrap_limit import Draws
from accord.statistics.seeds import generator


def run(
    scores: DataFrame[Scores],
    members: DataFrame[Members],
    *,
    resamples: Count = 5000,
    min_subjects: Count = 10,
    seed: Seed = 1,
) -> DataFrame[Differences]:
    """One row per pair of groups of an attribute with `min_subjects` subjects each; nothing is corrected or claimed.

    resamples: of subjects, both groups from the same draw, so that who is in both doesn't count as two.
    """
    scores, members = numbered(scores, members)
    attributes, made = dict(list(members.groupby("attribute", sort=True))), []
    for test, some in tests(scores):
        drawn = bootstrap.resampled(unit_count(some), resamples, generator(seed, "differences", *test))
        key = dict(zip(TEST, test, strict=True))
        for name, groups in attributes.items():
            compared = cohort(some, groups)
            compared = compared.only(np.flatnonzero(compared.subject_counts >= min_subjects))
            made += [key | {"attribute": name} | row for row in _pairs(compared, drawn)]
    return rows(made, Differences)


def _pairs(groups: Cohort, drawn: np.ndarray | Draws) -> list[dict]:
    replicates, counts = bootstrap.means(groups, drawn), groups.subject_counts
    means = [groups.values[groups.rows(index)].mean() for index in range(len(groups.groups))]
    found = []
    for one, other in combinations(range(len(means)), 2):
        apart = replicates[one] - replicates[other]
        low, high = bootstrap.interval(apart, int(groups.unit_counts[[one, other]].min()))
        row = {"group": groups.groups[one], "other": groups.groups[other], "difference": means[one] - means[other]}
        row |= {"group_subjects": int(counts[one]), "other_subjects": int(counts[other])}
        found.append(row | {"standard_error": float(np.nanstd(apart, ddof=1)), "low": low, "high": high})
    return found
