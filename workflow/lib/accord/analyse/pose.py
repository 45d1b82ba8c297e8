"""How well pose models place the annotated keypoints: PCK, and average recall over OKS."""

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.instances import KEY, asked_of, scores
from accord.analyse.keypoints import BLAZEPOSE, oks, pck
from accord.analyse.recall import average_recall
from accord.analyse.shapes import areas
from accord.analyse.tables import Scores
from accord.checks.tables import Verdicts
from accord.evaluate.tables import Evaluated, Poses
from accord.release.tables import Keypoints, People, Segments

TASK = "keypoint_estimation"
HEAD_SHARE = 0.6
"""Head length as a share of the box's diagonal: the rule of PCKh (Andriluka et al., 2014), here of the face box."""

PCK = {
    "head": ("pck@0.5", HEAD_SHARE, (0.5,)),
    "face_diagonal": ("pck@0.1-0.9", 1.0, tuple(tenth / 10 for tenth in range(1, 10))),
}
"""normaliser -> metric, length as a share of the face box's diagonal, thresholds as shares of that length."""

NO_KEYPOINT, NO_FACE, NO_SEGMENT = "no visible keypoint", "no face box to measure by", "no segments to measure by"


def run(
    predictions: DataFrame[Poses],
    asked: DataFrame[Evaluated],
    people: DataFrame[People],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    verdicts: DataFrame[Verdicts],
    *,
    normaliser: str = "head",
) -> DataFrame[Scores]:
    """PCK of each person's own pose, and the share of OKS 0.50 ... 0.95 that the best pose of the image reaches.

    Both over those of COCO's 17 keypoints that are annotated as visible; one that is not predicted counts as wrong.
    normaliser: `head` (PCK@0.5, head length) or `face_diagonal` (mean of PCK@0.1 ... 0.9, as FHIBE's public tool).
    """
    metric, share, thresholds = PCK[normaliser]
    truth = people[[*KEY]].assign(length=share * np.hypot(people["face_width"], people["face_height"]))
    truth = truth.merge(areas(segments).reset_index(), on=KEY, how="left")
    instances = asked_of(asked, TASK, truth, verdicts)
    points, visible = _annotated(instances, keypoints)
    own = np.linalg.norm(_predicted(instances, predictions) - points, axis=-1)
    near = pck(own, instances["length"].to_numpy(), visible, thresholds)
    like = _best_oks(instances, points, visible, predictions)
    return pd.concat([_scores(instances, metric, near, "length", visible), _recall(instances, like, visible)])


def _recall(instances: pd.DataFrame, like: np.ndarray, visible: np.ndarray) -> pd.DataFrame:
    return _scores(instances, "ar_oks", np.where(np.isnan(like), np.nan, average_recall(like)), "area", visible)


def _scores(instances: pd.DataFrame, metric: str, values: np.ndarray, measure: str, visible: np.ndarray):
    missing = instances[measure].isna().to_numpy()
    notes = np.where(missing, NO_FACE if measure == "length" else NO_SEGMENT, "")
    notes = np.where(visible.any(axis=1), notes, NO_KEYPOINT)
    return scores(instances, TASK, metric, np.where(notes == "", values, np.nan), notes)


def _annotated(instances: pd.DataFrame, keypoints: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n, 17, 2) px and (n, 17) whether visible, of the rows of `instances`."""
    shown = keypoints[keypoints["visible"]]
    points = _placed(instances, shown, KEY)
    visible = np.isfinite(points).all(axis=-1)
    return np.where(visible[..., np.newaxis], points, 0.0), visible


def _predicted(instances: pd.DataFrame, predictions: pd.DataFrame) -> np.ndarray:
    return _placed(instances, predictions, ["model", *KEY])


def _placed(instances: pd.DataFrame, points: pd.DataFrame, key: list[str]) -> np.ndarray:
    """(n, 17, 2) px of the points of each row of `instances`; infinite where there is none."""
    number = pd.Series({blazepose: coco for coco, blazepose in enumerate(BLAZEPOSE)})
    numbered = instances[key].assign(instance=np.arange(len(instances)))
    found = numbered.merge(points[points["keypoint"].isin(BLAZEPOSE)], on=key)
    placed = np.full((len(instances), len(BLAZEPOSE), 2), np.inf)
    placed[found["instance"].to_numpy(), number[found["keypoint"]].to_numpy()] = found[["x", "y"]].to_numpy()
    return placed


def _best_oks(instances: pd.DataFrame, points: np.ndarray, visible: np.ndarray, predictions: pd.DataFrame):
    """For each row of `instances` the best OKS over all poses that its model predicted in its image; 0 without any."""
    poses = predictions[["model", *KEY]].drop_duplicates().rename(columns={"subject": "answered"})
    pairs = instances.assign(instance=np.arange(len(instances))).merge(poses, on=["model", "image"])
    answer = _placed(
        pairs.drop(columns="subject").rename(columns={"answered": "subject"}), predictions, ["model", *KEY]
    )
    index = pairs["instance"].to_numpy()
    distance = np.linalg.norm(answer - points[index], axis=-1)
    best = np.where(visible.any(axis=1) & instances["area"].notna().to_numpy(), 0.0, np.nan)
    like = oks(distance, pairs["area"].to_numpy(), visible[index])
    np.fmax.at(best, index, like)
    return best
