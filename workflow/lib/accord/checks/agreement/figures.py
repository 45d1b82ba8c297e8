"""Means of similarities and Krippendorff's alpha, of all and of each group, with intervals over subjects."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from accord.checks.tables.agreement import BETWEEN, REVIEWER, REVIEWERS, WITHIN
from accord.statistics.cohort import Cohort
from accord.statistics.describing.krippendorff import NOMINAL, ORDINAL, alpha, coincidences
from accord.statistics.describing.mean_intervals import mean_intervals
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import fewer
from accord.vocabularies import ATTRIBUTES

ALL = "all"
ORDINAL_ATTRIBUTES = ("natural_skin_color", "apparent_skin_color")
"""Attributes whose labels are in an order."""
SAME = "all answers are identical, so chance agreement is unknown"


class Draws(NamedTuple):
    """Fewest subjects of a figure, how often subjects are drawn again for its interval, and the seed of that."""

    min_subjects: int
    bootstraps: int
    seed: int


Bounds = Callable[[], tuple[float, float]]
"""The 95% interval of a figure"""


def of_pairs(pairs: pd.DataFrame, groups: pd.DataFrame, draws: Draws) -> Iterator[dict]:
    """Rows of Agreement of similarities (accord.checks.agreement.pairs), by vendor and group.

    groups: image, whose, attribute, group.
    """
    vendors = pd.concat([pairs.assign(vendor=ALL), pairs[pairs["vendor"] != ""]], ignore_index=True)
    by = ["kind", "metric", "comparison", "vendor", "attribute", "group"]
    for key, some in vendors.merge(groups, on="image").groupby(by, sort=True):
        codes, subjects = pd.factorize(some["whose"], sort=True)
        values = some["value"].to_numpy(float)
        of = Cohort(values, codes, sparse.csc_array(np.ones((len(values), 1))), ("all",))
        yield _row(key, some, len(subjects), draws, values.mean(), lambda of=of: mean_intervals(of, bounded=True)[0])


def of_values(marks: pd.DataFrame, groups: pd.DataFrame, draws: Draws) -> Iterator[dict]:
    """Rows of Agreement with Krippendorff's alpha of every attribute with one choice, by vendor and group.

    within_vendor: of a vendor's annotators; between_vendors: of all annotators; reviewers: of all reviewers.
    """
    single = [name for name in sorted(set(marks["kind"]) & set(ATTRIBUTES)) if not ATTRIBUTES[name].multiple]
    for kind in single:
        said = marks[marks["kind"] == kind]
        annotators = said[said["role"] != REVIEWER]
        teams = [((BETWEEN, ALL), annotators), ((REVIEWERS, ALL), said[said["role"] == REVIEWER])]
        teams += [((WITHIN, vendor), own) for vendor, own in annotators.groupby("vendor", sort=True)]
        for team, own in teams:
            yield from _alphas(kind, team, own, groups, draws)


def _alphas(kind: str, team: tuple[str, str], said: pd.DataFrame, groups: pd.DataFrame, draws: Draws) -> Iterator[dict]:
    level = ORDINAL if kind in ORDINAL_ATTRIBUTES else NOMINAL
    labels = sorted(said["value"].unique(), key=_place(kind))
    coded = said.assign(code=said["value"].map({label: code for code, label in enumerate(labels)}))
    units = coded.groupby(["image", "subject"], sort=True)["code"].agg(list).rename("codes").reset_index()
    units = units[units["codes"].map(len) > 1]
    for (attribute, group), some in units.merge(groups, on="image").groupby(["attribute", "group"], sort=True):
        whose, subjects = pd.factorize(some["whose"], sort=True)
        met = np.zeros((len(subjects), len(labels), len(labels)))
        np.add.at(met, whose, coincidences(some["codes"].tolist(), len(labels)))
        key = (kind, f"alpha_{level}", *team, attribute, group)
        value = float(alpha(met.sum(axis=0)[np.newaxis], level)[0])
        yield _row(key, some, len(subjects), draws, value, lambda k=key, m=met: _of_alpha(m, level, k, draws))


def _of_alpha(met: np.ndarray, level: str, key: tuple, draws: Draws) -> tuple[float, float]:
    """The interval of alpha, of the coincidences of each subject (subjects, labels, labels)."""
    drawn = bootstrap.weights(len(met), draws.bootstraps, generator(draws.seed, "agreement", *key))
    return bootstrap.interval(alpha(np.einsum("ds,sij->dij", drawn.astype(float), met), level), len(met))


def _place(kind: str) -> Callable[[str], tuple]:
    """Sort key of an attribute's labels: their place in its vocabulary, where it has one."""
    known = {label: place for place, label in enumerate(ATTRIBUTES[kind].labels)}
    return lambda label: (known.get(label, len(known)), label)


def _row(key: tuple, some: pd.DataFrame, subjects: int, draws: Draws, value: float, bounds: Bounds) -> dict:
    names = ("kind", "metric", "comparison", "vendor", "attribute", "group")
    row = dict(zip(names, key, strict=True)) | {"pairs": len(some), "images": some["image"].nunique()}
    row |= {"subjects": subjects, "value": np.nan, "low": np.nan, "high": np.nan}
    if subjects < draws.min_subjects:
        return row | {"note": fewer(subjects, "subject", draws.min_subjects)}
    if np.isnan(value):
        return row | {"note": SAME}
    low, high = bounds()
    return row | {"value": value, "low": low, "high": high, "note": ""}
