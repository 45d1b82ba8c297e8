"""How well each model does for each group: means and medians with n and intervals."""

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.metrics import is_bounded
from accord.analyse.tables.scores import Groups, Verification
from accord.analyse.tables.views import EncodedMembers, EncodedScores
from accord.engine.parameter_types import Count
from accord.engine.table import rows
from accord.grouping import WHOLE
from accord.statistics.cohort import PERSON, TEST, Cohort, cohort, matches, numbered, tests
from accord.statistics.describing.mean_intervals import mean_intervals
from accord.statistics.describing.mean_intervals import undefined as undefined_interval
from accord.text.nouns import counted, fewer

VERIFICATION = "face_verification"
CLUSTER = "cluster of people who share images"
FIGURES = ("mean", "median", "low", "high")


def run(
    scores: DataFrame[EncodedScores],
    members: DataFrame[EncodedMembers],
    rates: DataFrame[Verification],
    *,
    far: float = 0.001,
    min_subjects: Count = 10,
) -> DataFrame[Groups]:
    """Mean and median of each group and of the whole set, with 95% intervals of the mean, by subject.

    A group of fewer than `min_subjects` subjects is told with its n and no figure; a measure that has no value at all
    with the reason. rates: of verification, as they are.
    """
    scores, members = numbered(scores, members)
    everyone = members[PERSON].drop_duplicates()
    attributes = dict(list(members.groupby("attribute", sort=True)))
    missing = dict(list(scores[scores["value"].isna()].sort_values(PERSON).groupby(TEST, sort=True)))
    every = dict(list(scores.groupby(TEST, sort=True)))
    found = []
    for test, some in tests(scores):
        bounded = is_bounded(test[2], some["value"].to_numpy(float))
        for name, groups in {WHOLE: _whole(every[test], everyone), **attributes}.items():
            undefined = _undefined(missing[test], groups) if test in missing else {}
            told = _figures(cohort(some, groups), pd.factorize(some["image"])[0], bounded, min_subjects, undefined)
            key = dict(zip(TEST, test, strict=True)) | {"attribute": name}
            found += [key | row | (_scoreless(row, undefined) if some.empty else {}) for row in told]
    return rows([*found, *_rates(rates, far)], Groups)


def _whole(scores: pd.DataFrame, everyone: pd.Series) -> pd.DataFrame:
    return pd.DataFrame({PERSON: pd.concat([everyone, scores[PERSON]]).drop_duplicates(), "group": WHOLE})


def _figures(
    cohort: Cohort,
    images: np.ndarray,
    bounded: bool,
    min_subjects: int,
    undefined: dict[str, str],
) -> list[dict]:
    binary = bool(np.isin(cohort.values, (0, 1)).all())
    enough = np.flatnonzero(cohort.subject_counts >= min_subjects)
    intervals = dict(zip(enough.tolist(), mean_intervals(cohort.only(enough), bounded), strict=True))
    found = []
    for index, name in enumerate(cohort.groups):
        members, subjects = cohort.rows(index), int(cohort.subject_counts[index])
        values, average = cohort.values[members], f"mean over people in images{undefined.get(name, '')}"
        row = {
            "group": name,
            "images": np.count_nonzero(np.bincount(images[members])),
            "subjects": subjects,
            "clusters": int(cohort.unit_counts[index]),
            "average": average,
        }
        if index not in intervals:
            row |= dict.fromkeys(FIGURES, np.nan) | {"note": fewer(subjects, "subject", min_subjects)}
        else:
            low, high = intervals[index]
            unit = "person" if cohort.unit_counts[index] == subjects else CLUSTER
            note = undefined_interval(values, cohort.units[members], unit) if np.isnan(low) else ""
            row |= {
                "mean": values.mean(),
                "median": np.nan if binary else np.median(values),
                "low": low,
                "high": high,
                "note": note,
            }
        found.append(row)
    return found


def _scoreless(row: dict, undefined: dict[str, str]) -> dict[str, str]:
    """Why a group has no figure where the test has no score at all."""
    return {"note": f"no score{undefined.get(row['group'], '')}"}


def _undefined(missing: pd.DataFrame, groups: pd.DataFrame) -> dict[str, str]:
    """Group -> what its average leaves out: `, 3 undefined: no visible keypoint`. missing: of one test, by person."""
    left_out, member = matches(missing[PERSON].to_numpy(), groups[PERSON].to_numpy())
    group, names = pd.factorize(groups["group"].to_numpy(object)[member], sort=True)
    note, notes = pd.factorize(missing["note"].to_numpy(object)[left_out], sort=True)
    told: dict[str, str] = {}
    pairs = np.unique(np.stack([group, note], axis=1), axis=0, return_counts=True)
    for (of, why), count in zip(*pairs, strict=True):
        told[names[of]] = f"{told.get(names[of], '')}, {count:,} undefined: {notes[why]}"
    return told


def _rates(rates: pd.DataFrame, far: float) -> pd.DataFrame:
    """Rates of verification at equal numbers of impostor pairs, so that groups can be compared."""
    told = rates.assign(task=VERIFICATION, metric=f"tar@far={far}", mean=rates["equal_tar"], median=np.nan)
    told = told.assign(low=rates["equal_low"], high=rates["equal_high"], clusters=rates["subjects"])
    counts = zip(rates["positives"], rates["equal_negatives"], strict=True)
    told["average"] = [f"share of {counted(p, 'genuine pair')} at {counted(n, 'impostor pair')}" for p, n in counts]
    return told[list(Groups.to_schema().columns)].to_dict("records")
