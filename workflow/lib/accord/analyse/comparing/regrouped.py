"""The same people in other groups: wider ones, or one group against all others."""

import numpy as np
import pandas as pd
from scipy import sparse

from accord.grouping import BETWEEN
from accord.statistics.cohort import Cohort
from accord.statistics.distinct import coded
from accord.vocabularies import AGE_GROUPS, SKIN_COLORS

AGES = ("[18, 30)", "[30, 50)", "[50, +]")
SKINS = ("dark: Fitzpatrick V and VI", "medium: Fitzpatrick III and IV", "light: Fitzpatrick I and II")

WIDER: dict[str, dict[str, str]] = {
    "age_group": dict(zip(AGE_GROUPS, (AGES[0], AGES[1], AGES[1], AGES[2], AGES[2]), strict=True)),
    "natural_skin_color": {label: SKINS[index // 2] for index, label in enumerate(SKIN_COLORS)},
    "apparent_skin_color": {label: SKINS[index // 2] for index, label in enumerate(SKIN_COLORS)},
}
"""Attribute -> group -> the wider one that it is a part of."""

OTHERS = "all others"


def can_widen(attribute: str) -> bool:
    """Whether any part of an attribute or intersection has wider groups."""
    return any(part in WIDER for part in attribute.split(BETWEEN))


def wider(attribute: str, group: str) -> str:
    """The wider group that a group lies in; itself where there is none."""
    names = attribute.split(BETWEEN)
    labels = group.split(BETWEEN)
    if len(names) != len(labels):
        return group
    return BETWEEN.join(WIDER.get(name, {}).get(label, label) for name, label in zip(names, labels, strict=True))


def widened(attribute: str, members: pd.DataFrame) -> pd.DataFrame:
    """Members of one attribute in its wider groups; each person once in each."""
    into = {group: wider(attribute, group) for group in members["group"].unique()}
    return members.assign(group=members["group"].map(into)).drop_duplicates(ignore_index=True)


def against_others(cohort: Cohort) -> Cohort:
    """2k groups: those of the cohort, and behind them, for each, all scores that are not in it.

    Scores in none of the cohort's groups are left out.
    """
    inside = np.asarray(cohort.member.sum(axis=1)).ravel() > 0
    own = cohort.member[inside].toarray()
    member = sparse.csc_array(np.hstack([own, 1 - own]))
    subjects, units = (coded(of[inside])[1] for of in (cohort.subjects, cohort.units))
    return Cohort(cohort.values[inside], subjects, member, (*cohort.groups, *[OTHERS] * len(cohort.groups)), units)
