"""Error patterns: what the people and images have in common that a model does worst on."""

from collections.abc import Iterator
from math import ceil
from typing import Annotated, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame
from scipy import sparse

from accord.analyse.comparing.family import family
from accord.analyse.disparities import tested_families
from accord.analyse.explaining import mined
from accord.analyse.explaining.binary_features import Held, encode_items, item_matrix
from accord.analyse.explaining.productive import productive
from accord.analyse.scoring.metrics import direction, is_neutral
from accord.analyse.scoring.worst import cut
from accord.analyse.tables.causes import Features, PatternDisparities, Patterns
from accord.analyse.tables.scores import Members, Scores
from accord.engine.flag_types import one_of
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.grouping import BETWEEN
from accord.statistics.cohort import TEST, Cohort, cohort, numbered, numbered_people, tests
from accord.statistics.conjunctions import unpacked
from accord.statistics.describing.mean_intervals import mean_intervals, ratio_intervals
from accord.statistics.itemsets import covers
from accord.statistics.permuting.max_statistic import RESOLUTION
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA

AND = " & "
FIGURES = ("threshold", "support", "confidence", "low", "high", "lift", "lift_low", "lift_high", "p_value")


class Found(NamedTuple):
    """The patterns, and how groups fare among the people that each describes."""

    patterns: DataFrame[Patterns]
    disparities: DataFrame[PatternDisparities]


class Mined(NamedTuple):
    """The patterns of one test: their names, how many items, rows (m, words) as bits, corrected p-values."""

    errors: np.ndarray
    threshold: float
    names: list[str]
    sizes: list[int]
    cover: np.ndarray
    p: np.ndarray
    looked_at: int
    note: str

    def marks(self) -> Iterator[np.ndarray]:
        """(n,) bool: the rows of each pattern."""
        return (unpacked(one[np.newaxis], len(self.errors))[0] for one in self.cover)


def run(
    scores: DataFrame[Scores],
    features: DataFrame[Features],
    members: DataFrame[Members],
    *,
    quantile: float = 0.1,
    support: float = 0.05,
    most: Count = 4,
    min_subjects: Count = 10,
    bootstraps: Count = 1000,
    support_of: Annotated[str, one_of("errors", "rows")] = "errors",
    seed: Seed = 1,
) -> Found:
    """Sets of up to `most` features that go with errors more than chance, and than any part of them, explains.

    Errors are the share `quantile` of rows with the worst scores. Looked at are all sets that hold for a share
    `support` of rows and `min_subjects` subjects. Tests: docs/statistics-explaining.md. members: whose groups
    are compared within each pattern (single attributes). support_of: what a pattern's errors are told as a share of,
    `errors` or, as in association rules (Agrawal et al., 1993), all `rows`.
    """
    scores, features, members = numbered(scores, features, members)
    held, found, told_of = encode_items(features), [], []
    count = scores.groupby(TEST).ngroups
    for test, some in tests(scores):
        mine = _mine(test, some, held, count, quantile, support, most, min_subjects, seed)
        told_of += _rows(test, some, mine, support_of)
        found.append(mine)
    single = members[~members["attribute"].str.contains(BETWEEN, regex=False)]
    return Found(rows(told_of, Patterns), _within(scores, found, single, min_subjects, bootstraps, seed))


def _mine(
    test: tuple,
    scores: pd.DataFrame,
    held: Held,
    count: int,
    quantile: float,
    support: float,
    most: int,
    min_subjects: int,
    seed: int,
) -> Mined:
    sign = direction(test[2])
    values, subjects = sign * scores["value"].to_numpy(float), pd.factorize(scores["subject"], sort=True)[0]
    threshold = cut(values, quantile)
    errors = values <= threshold
    nothing = Mined(errors, sign * threshold, [], [], np.zeros((0, 0), np.uint64), np.zeros(0), 0, "")
    if is_neutral(test[2]):
        return nothing._replace(errors=np.zeros(len(values), bool), note="less of this is no error")
    if np.isnan(threshold):
        return nothing._replace(note="all scores are equal" if len(values) else "nothing is scored")
    named = item_matrix(scores, held, min_subjects)
    found = mined.candidates(named, subjects, support, most, min_subjects)
    if not found.sets:
        return nothing._replace(note=f"no known property holds for {min_subjects} subjects and {support:.0%} of rows")
    deals = ceil(count * RESOLUTION / ALPHA)
    z, p = mined.weigh(found, errors, subjects, deals, generator(seed, "patterns", *test), ALPHA / count)
    p = np.minimum(1, p * count)
    kept, p_values = productive(found, p, errors, subjects, count, generator(seed, "parts of patterns", *test))
    order = np.argsort(-z[kept], kind="stable")
    kept, p_values = kept[order], p_values[order]
    return nothing._replace(
        names=[AND.join(named.names[item] for item in found.sets[i]) for i in kept],
        sizes=[len(found.sets[i]) for i in kept],
        cover=covers(found.columns.bits, found.columns.items[kept]),
        p=p_values,
        looked_at=len(found.sets),
        note="" if len(kept) else _nothing(p.min()),
    )


def _nothing(p: float) -> str:
    """Why no pattern is told."""
    corrected = "corrected for all patterns, models and measures"
    if p < ALPHA:
        found = f"some pictures have more errors than chance explains (p {p:.3g}, {corrected})"
        return f"{found}, but no pattern describes them in which each property adds errors"
    return f"no pattern has more errors than chance explains (smallest p {p:.3g}, {corrected})"


def _rows(test: tuple, scores: pd.DataFrame, mine: Mined, support_of: str) -> list[dict]:
    key = dict(zip(TEST, test, strict=True)) | {"threshold": mine.threshold, "looked_at": mine.looked_at}
    if not mine.names:
        counts = dict.fromkeys(("items", "images", "subjects"), 0) | {"errors": int(mine.errors.sum())}
        return [dict.fromkeys(FIGURES, np.nan) | key | counts | {"pattern": "", "note": mine.note}]
    bounds = _intervals(scores, mine)
    share, found = mine.errors.mean(), []
    whole = mine.errors.sum() if support_of == "errors" else len(mine.errors)
    for index, (name, marks) in enumerate(zip(mine.names, mine.marks(), strict=True)):
        wrong = int(mine.errors[marks].sum())
        some, confidence = scores[marks], wrong / marks.sum()
        row = {"pattern": name, "items": mine.sizes[index], "errors": wrong, "p_value": mine.p[index], "note": ""}
        row |= {"images": some["image"].nunique(), "subjects": some["subject"].nunique()}
        row |= {"support": wrong / whole, "confidence": confidence, "lift": confidence / share}
        found.append(key | row | dict(zip(("low", "high", "lift_low", "lift_high"), bounds[index], strict=True)))
    return found


def _intervals(scores: pd.DataFrame, mine: Mined) -> np.ndarray:
    """(m, 4): 95% intervals of confidence and of lift."""
    subjects, units = numbered_people(scores)
    inside = [*map(np.flatnonzero, mine.marks()), np.arange(len(subjects))]
    places = (np.concatenate(inside), np.repeat(np.arange(len(inside)), [*map(len, inside)]))
    member = sparse.csc_array((np.ones(len(places[0])), places), shape=(len(subjects), len(inside)))
    of = Cohort(mine.errors.astype(float), subjects, member, (*mine.names, "all"), units)
    return np.hstack([mean_intervals(of, bounded=True), ratio_intervals(of, len(mine.names))])[:-1]


def _within(
    scores: pd.DataFrame, found: list[Mined], members: pd.DataFrame, min_subjects: int, bootstraps: int, seed: int
) -> pd.DataFrame:
    attributes = dict(list(members.groupby("attribute", sort=True)))
    families = [
        family((*test, name), attribute, cohort(some[marks], groups), min_subjects)
        for (test, some), mine in zip(tests(scores), found, strict=True)
        for name, marks in zip(mine.names, mine.marks(), strict=True)
        for attribute, groups in attributes.items()
    ]
    return rows([row | {"pattern": f.test[-1]} for f, row in tested_families(families, min_subjects, bootstraps, seed)],
                PatternDisparities)  # fmt: skip
