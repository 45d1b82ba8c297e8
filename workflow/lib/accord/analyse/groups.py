"""How well each model does for each group: means and medians with n and intervals."""

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse import bootstrap
from accord.analyse.cohort import KEY, TEST, Cohort, cohort, tests
from accord.analyse.grouping import WHOLE
from accord.analyse.mean_intervals import mean_intervals
from accord.analyse.seeds import generator
from accord.analyse.tables import Groups, Members, Scores, Verification
from accord.nouns import fewer
from accord.table import rows

VERIFICATION = "face_verification"
FIGURES = ("mean", "median", "low", "high")


def run(
    scores: DataFrame[Scores],
    members: DataFrame[Members],
    rates: DataFrame[Verification],
    *,
    far: float = 0.001,
    min_subjects: int = 10,
    bootstraps: int = 1000,
    seed: int = 1,
) -> DataFrame[Groups]:
    """Mean and median of each group and of the whole set, with 95% intervals of the mean, bootstrapped by subject.

    A group of fewer than `min_subjects` subjects is told with its n and no figure; a measure that has no value at all
    with the reason. rates: of verification, as they are.
    """
    everyone = members[KEY].drop_duplicates().assign(attribute=WHOLE, group=WHOLE)
    attributes = dict(list(members.groupby("attribute", sort=True)))
    found = []
    for test, some in tests(scores):
        undefined = _undefined(scores, test)
        subjects = some["subject"].nunique()
        drawn = bootstrap.resampled(subjects, bootstraps, generator(seed, "bootstrap", *test))
        for name, groups in {WHOLE: _whole(some, everyone), **attributes}.items():
            told = _figures(cohort(some, groups), pd.factorize(some["image"])[0], drawn, min_subjects, undefined)
            key = dict(zip(TEST, test, strict=True)) | {"attribute": name}
            found += [key | row | ({"note": f"no score{undefined}"} if some.empty else {}) for row in told]
    return rows([*found, *_rates(rates, far)], Groups)


def _whole(scores: pd.DataFrame, everyone: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([everyone, scores[KEY].assign(attribute=WHOLE, group=WHOLE)]).drop_duplicates()


def _figures(cohort: Cohort, images: np.ndarray, drawn: np.ndarray, min_subjects: int, undefined: str) -> list[dict]:
    enough = np.flatnonzero(cohort.subject_counts >= min_subjects)
    intervals = dict(zip(enough.tolist(), mean_intervals(cohort.only(enough), drawn), strict=True))
    found = []
    for index, name in enumerate(cohort.groups):
        members, subjects = cohort.rows(index), int(cohort.subject_counts[index])
        values, average = cohort.values[members], f"mean over people in images{undefined}"
        row = {"group": name, "images": len(np.unique(images[members])), "subjects": subjects, "average": average}
        if index not in intervals:
            row |= dict.fromkeys(FIGURES, np.nan) | {"note": fewer(subjects, "subject", min_subjects)}
        else:
            low, high = intervals[index]
            row |= {"mean": values.mean(), "median": np.median(values), "low": low, "high": high, "note": ""}
        found.append(row)
    return found


def _undefined(scores: pd.DataFrame, test: tuple[str, str, str]) -> str:
    """What the averages of a test leave out: `, 3 undefined: no visible keypoint`."""
    here = (scores[TEST] == list(test)).all(axis=1) & scores["value"].isna()
    counted = scores.loc[here, "note"].value_counts().sort_index()
    return "".join(f", {count} undefined: {note}" for note, count in counted.items())


def _rates(rates: pd.DataFrame, far: float) -> pd.DataFrame:
    """Rates of verification at equal numbers of impostor pairs, so that groups can be compared."""
    told = rates.assign(task=VERIFICATION, metric=f"tar@far={far}", mean=rates["equal_tar"], median=np.nan)
    told = told.assign(low=rates["equal_low"], high=rates["equal_high"])
    counts = zip(rates["positives"], rates["equal_negatives"], strict=True)
    told["average"] = [f"share of {p} genuine pairs at {n} impostor pairs" for p, n in counts]
    return told[list(Groups.to_schema().columns)].to_dict("records")
