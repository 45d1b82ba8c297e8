"""Scores of poses as FHIBE's public Evaluation API gives them: PCK by the face box's diagonal, recall over OKS."""

import numpy as np
import pandas as pd

from accord.analyse.fhibe_api import keypoints as api
from accord.analyse.fhibe_api.shapes import areas
from accord.analyse.scoring.instances import KEY, asked_of, scores
from accord.imaging.keypoints import BLAZEPOSE, annotated, candidates, placed
from accord.imaging.recall import API_THRESHOLDS, average_recall
from accord.intake.tables import FACE

TASK = "keypoint_estimation"
HALF, MEAN, RECALL = "pck@0.5-face", "pck@0.1-0.9", "ar_oks"
NO_KEYPOINT, NO_FACE = "no visible keypoint", "no face box to normalise by"


def as_api(
    predictions: pd.DataFrame,
    asked: pd.DataFrame,
    people: pd.DataFrame,
    keypoints: pd.DataFrame,
    segments: pd.DataFrame,
    verdicts: pd.DataFrame,
    derivatives: pd.DataFrame,
) -> pd.DataFrame:
    """`pck@0.5-face`: PCK within half the face box's diagonal; `pck@0.1-0.9`: its mean over 0.1 ... 0.9 diagonals;
    `ar_oks`: the share of OKS 0.50 ... 0.95 that the best pose of the image reaches.

    As `pose.run`. A person without a visible keypoint has no PCK and an `ar_oks` of 0; one without segments has an area
    of 0, so that only a keypoint on the very spot counts.
    """
    instances = asked_of(asked, TASK, people[[*KEY, *FACE]], verdicts)
    places, visible = annotated(instances, keypoints, BLAZEPOSE)
    own = placed(instances, predictions, ["model", *KEY], BLAZEPOSE, absent=api.ABSENT)
    within = api.pck(own, places, visible, api.diagonal(*(instances[name].to_numpy(float) for name in FACE)))
    notes = np.where(instances[FACE].isna().any(axis=1), NO_FACE, np.where(np.any(visible, axis=1), "", NO_KEYPOINT))
    within[notes != ""] = np.nan
    like = _best_oks(instances, places, visible, areas(instances, segments, derivatives), predictions)
    return pd.concat(
        [
            scores(instances, TASK, HALF, within[:, api.HALF], notes),
            scores(instances, TASK, MEAN, within.mean(axis=-1), notes),
            scores(instances, TASK, RECALL, average_recall(like, API_THRESHOLDS)),
        ]
    )


def _best_oks(
    instances: pd.DataFrame, places: np.ndarray, visible: np.ndarray, area: np.ndarray, predictions: pd.DataFrame
) -> np.ndarray:
    """For each row the best OKS over all poses that its model predicted in its image; 0 where there is none."""
    poses = candidates(instances, predictions)
    answer = placed(poses, predictions, ["model", *KEY], BLAZEPOSE, absent=api.ABSENT)
    index = poses["instance"].to_numpy()
    best = np.zeros(len(instances))
    np.fmax.at(best, index, api.oks(answer, places[index], visible[index], area[index]))
    return best
