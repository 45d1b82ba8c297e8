"""Rates of verification of groups as FHIBE's public Evaluation API gives them."""

import numpy as np
import pandas as pd

from accord.analyse.faces.evened import SHARED_FIGURES
from accord.analyse.faces.face_protocols import Case, Group, Settings
from accord.analyse.fhibe_api import pairs as drawn_pairs
from accord.analyse.fhibe_api.validation import validation
from accord.statistics.resampling import half_unseen
from accord.text.nouns import fewer

TWO = 2
FEW_PAIRS = "fewer than two people with two pictures each"
BROKEN = "FHIBE's public tool gives no figure here: impostor pairs are closer than its smallest threshold"
NOTHING = dict.fromkeys(("threshold", "tar", "low", "high"), np.nan)


def rates(case: Case, groups: list[Group], people: pd.DataFrame, how: Settings) -> list[dict]:
    """One row of Verification, less the model, per group: `tar` is the validation rate, the mean of ten folds.

    Left out are faces of images with several people, then of people with one face, then those of a group whose person
    has one face in it. No threshold is told: each fold has its own. low, high: by subjects, given these thresholds.
    The API takes as many pairs as there are, up to 3,000, so `equal_*` are the same figures; it has no threshold for
    everyone, so `shared_*` are missing. people: release's.
    """
    kept = _kept(case.faces, people)
    return [_compared(_row(case, group, kept, how)) for group in groups]


def _compared(row: dict) -> dict:
    equal = {f"equal_{name}": row[name] for name in ("tar", "low", "high", "negatives")}
    return row | equal | dict.fromkeys((*SHARED_FIGURES, "shared_far"), np.nan)


def _kept(faces: pd.DataFrame, people: pd.DataFrame) -> np.ndarray:
    """(faces,) bool: alone in the image, of a person with two such faces or more."""
    crowd = people["image"].value_counts()
    alone = (faces["image"].map(crowd) == 1).to_numpy()
    counts = faces.loc[alone, "subject"].value_counts()
    return alone & (faces["subject"].map(counts).fillna(0) >= TWO).to_numpy()


def _row(case: Case, group: Group, kept: np.ndarray, how: Settings) -> dict:
    rows = group.inside[kept[group.inside]]
    rows = rows[np.bincount(case.subjects[rows], minlength=case.weights.shape[1])[case.subjects[rows]] >= TWO]
    rows = rows[np.argsort(_paths(case.faces.iloc[rows]), kind="stable")]
    owners = pd.factorize(case.subjects[rows])[0]
    count = int(owners.max(initial=-1)) + 1
    row = {"attribute": group.attribute, "group": group.name, "subjects": count, "images": len(rows)}
    if count < max(TWO, how.min_subjects):
        note = FEW_PAIRS if count < TWO else fewer(count, "subject", how.min_subjects)
        return row | NOTHING | {"positives": 0, "negatives": 0, "note": note}
    compared, same = drawn_pairs.pairs(owners)
    row |= {"positives": int(same.sum()), "negatives": int((~same).sum())}
    return row | _figures(case, rows[compared], same, how.far)


def _figures(case: Case, compared: np.ndarray, same: np.ndarray, far: float) -> dict:
    left, right = (case.vectors[compared[:, side]].astype(np.float64) for side in (0, 1))
    found = validation(-(left * right).sum(axis=1), same, far)
    if found is None:
        return NOTHING | {"note": BROKEN}
    owner = case.units[case.subjects[compared[same, 0]]]
    low, high = half_unseen.of_pairs(owner, found.accepted[same], case.weights)
    low, high = min(low, found.rate), max(high, found.rate)
    return NOTHING | {"tar": found.rate, "low": low, "high": high, "note": ""}


def _paths(faces: pd.DataFrame) -> np.ndarray:
    """What the files of faces are sorted by: in a release and in FHIBE they lie in <subject>/<image>/."""
    return (faces["subject"] + "/" + faces["image"] + "/").to_numpy(str)
