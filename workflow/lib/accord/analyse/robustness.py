"""Is it real? What could have been found, whether findings survive other choices, and which turn round."""

from typing import NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.analyse.robust.multiverse import multiverse
from accord.analyse.robust.power import Compared, power_of
from accord.analyse.robust.reversals import reversals
from accord.analyse.tables.causes import Features
from accord.analyse.tables.robustness import Multiverse, Power, Reversals
from accord.analyse.tables.scores import Disparities, Members, Scores
from accord.engine.parameter_types import Count, Seed
from accord.statistics.cohort import cohort, numbered, tests


class Robustness(NamedTuple):
    """What the step writes."""

    multiverse: DataFrame[Multiverse]
    power: DataFrame[Power]
    reversals: DataFrame[Reversals]


def run(
    scores: DataFrame[Scores],
    members: DataFrame[Members],
    features: DataFrame[Features],
    disparities: DataFrame[Disparities],
    *,
    resamples: Count = 5000,
    min_subjects: Count = 10,
    seed: Seed = 1,
) -> Robustness:
    """Power of every pair of groups, each claimed disparity under other choices, and every gap that a feature turns
    round; docs/statistics-explaining.md tells how."""
    scores, members, features = numbered(scores, members, features)
    found, attributes = dict(tests(scores)), dict(list(members.groupby("attribute", sort=True)))
    compared = []
    for test, some in found.items():
        for name, groups in attributes.items():
            whole = cohort(some, groups)
            compared.append(Compared(test, name, whole.only(np.flatnonzero(whole.subject_counts >= min_subjects))))
    how = {"resamples": resamples, "min_subjects": min_subjects, "seed": seed}
    return Robustness(
        multiverse(scores, members, disparities, min_subjects),
        power_of(compared),
        reversals(compared, found, features, **how),
    )
