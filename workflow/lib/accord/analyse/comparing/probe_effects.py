"""What masking or blurring people changes in the outcomes of probes: paired differences, by side and by region."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import sparse

from accord.analyse.scoring.probe_outcomes import MISGENDERED
from accord.analyse.tables.probes import ProbeEffects
from accord.engine.table import rows
from accord.evaluate.tables.parts import VARIANTS
from accord.grouping import WHOLE
from accord.statistics.cohort import PERSON, Cohort, numbered, numbered_people
from accord.statistics.describing.mean_intervals import gap_interval
from accord.statistics.testing import mcnemar
from accord.text.nouns import fewer

FIGURES = ("before", "after", "difference", "low", "high", "p_value")
COUNTS = ("gained", "lost")
NAMES = ("model", "probe", "outcome")
Parts = list[tuple[str, pd.Series]]
"""Groups by name, and the numbers of the people in them."""


def effects(
    outcomes: pd.DataFrame,
    sides: pd.DataFrame,
    regions: pd.DataFrame,
    *,
    min_subjects: int = 10,
) -> pd.DataFrame:
    """ProbeEffects of the outcomes of one probe: each variant against the pictures as they are, over the same people.

    outcomes: model, part, probe, outcome, image, subject, value (0 or 1, NaN where undefined); sides, regions: image,
    subject, group. `misgendered` is left out: who is called she or he changes with the variant. A group of fewer than
    `min_subjects` subjects has its n and no figure.
    """
    found: list[dict] = []
    outcomes, sides, regions = numbered(outcomes, sides, regions)
    known = outcomes[(outcomes["outcome"] != MISGENDERED) & outcomes["value"].notna()]
    parts = [[(str(group), some[PERSON]) for group, some in of.groupby("group", sort=True)] for of in (sides, regions)]
    for key, some in known.groupby(list(NAMES), sort=True):
        before = some[some["part"] == VARIANTS[0]]
        for part in VARIANTS[1:]:
            after = some.loc[some["part"] == part, [PERSON, "value"]]
            pairs = before.merge(after, on=PERSON, suffixes=("", "_after")).sort_values(PERSON)
            for side, region, here in _groups(pairs, *parts):
                named = dict(zip(NAMES, key, strict=True)) | {"part": part, "side": side, "region": region}
                found.append(named | _effect(here, min_subjects))
    return rows(found, ProbeEffects)


def _groups(pairs: pd.DataFrame, sides: Parts, regions: Parts) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Side, region and pairs of each group that has any, everyone first."""
    for side, of_side in _parts(pairs, sides):
        for region, here in _parts(of_side, regions):
            if len(here):
                yield side, region, here


def _parts(pairs: pd.DataFrame, groups: Parts) -> Iterator[tuple[str, pd.DataFrame]]:
    yield WHOLE, pairs
    for group, people in groups:
        yield group, pairs[pairs[PERSON].isin(people)]


def _effect(pairs: pd.DataFrame, min_subjects: int) -> dict:
    before, after = (pairs[name].to_numpy(float) for name in ("value", "value_after"))
    # A picture of two people of the group is one picture, of which the label changes once.
    single = ~pairs.duplicated("image").to_numpy()
    subjects = int(pairs["subject"].nunique())
    row = {"images": int(single.sum()), "subjects": subjects}
    if subjects < min_subjects:
        # Counts of a few people would say what was said of one.
        blank = dict.fromkeys(FIGURES, np.nan) | dict.fromkeys(COUNTS)
        return row | blank | {"note": fewer(subjects, "subject", min_subjects)}
    gained, lost = (int((single & one).sum()) for one in (after > before, after < before))
    cohort = _paired(before, after, *numbered_people(pairs))
    low, high = gap_interval(cohort, bounded=True)
    told = {"before": before.mean(), "after": after.mean(), "difference": after.mean() - before.mean()}
    counts = dict(zip(COUNTS, (gained, lost), strict=True))
    return row | counts | told | {"low": low, "high": high, "p_value": mcnemar.exact(gained, lost), "note": ""}


def _paired(before: np.ndarray, after: np.ndarray, subjects: np.ndarray, units: np.ndarray) -> Cohort:
    """The two outcomes of the same people as two groups."""
    n = len(before)
    member = sparse.csc_array((np.ones(2 * n), (np.arange(2 * n), np.repeat([0, 1], n))), shape=(2 * n, 2))
    values = np.concatenate([before, after])
    return Cohort(values, np.tile(subjects, 2), member, ("before", "after"), np.tile(units, 2))
