"""How well pose models place the annotated keypoints: PCK, and average recall over OKS."""

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.fhibe_api.pose import as_api
from accord.analyse.scoring.instances import KEY, asked_of, joined, passing, scores
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.by_shard import by_shard
from accord.evaluate.tables.predictions import Evaluated, Poses
from accord.imaging.keypoints import BLAZEPOSE, annotated, candidates, oks, pck, placed
from accord.imaging.person_masks import areas
from accord.imaging.recall import average_recall
from accord.protocol import ACCORD, is_api, needed
from accord.release.tables import Derivatives, Keypoints, People, Segments
from accord.vocabularies import KEYPOINTS

TASK = "keypoint_estimation"
HEAD_SHARE = 0.6
"""Head length as a share of the box's diagonal: the rule of PCKh (Andriluka et al., 2014), here of the face box."""

PCK = {
    "head": ("pck@0.5", HEAD_SHARE, (0.5,)),
    "face_diagonal": ("pck@0.1-0.9", 1.0, tuple(tenth / 10 for tenth in range(1, 10))),
}
"""normaliser -> metric, length as a share of the face box's diagonal, thresholds as shares of that length."""

EVERY = tuple(range(len(KEYPOINTS)))
"""FHIBE's 33 keypoints, by number."""

NO_KEYPOINT, NO_FACE, NO_SEGMENT = "no visible keypoint", "no face box to normalise by", "no segments to normalise by"


@by_shard(
    "predictions", "asked", "people", "keypoints", "segments", "derivatives",
    # Which models know more than 17 points is told by all that they predicted.
    join=joined, whole={"points": "blazepose"}, verdicts=passing,
)  # fmt: skip
def run(
    predictions: DataFrame[Poses],
    asked: DataFrame[Evaluated],
    people: DataFrame[People],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    verdicts: DataFrame[Verdicts],
    derivatives: DataFrame[Derivatives] | None = None,
    *,
    normaliser: str = "head",
    points: str = "coco",
    protocol: str = ACCORD,
) -> DataFrame[Scores]:
    """PCK of each person's own pose, and the share of OKS 0.50 ... 0.95 that the best pose of the image reaches.

    Both over those of COCO's 17 keypoints that are annotated as visible; one that is not predicted counts as wrong.
    normaliser: `head` (PCK@0.5, head length) or `face_diagonal` (mean of PCK@0.1 ... 0.9, as FHIBE's public tool).
    points: `coco`, or `blazepose`: then PCK also over all 33 (`pck33@...`), of models that predict more than COCO's
    17. OKS is always over 17: for the others nobody has measured how far annotators differ.
    protocol: fhibe_api scores as the API does (`fhibe_api.pose`), whatever `normaliser` and `points`; it needs the
    sizes of pictures, from `derivatives`.
    """
    if is_api(protocol):
        needed(derivatives, "derivatives", "analyse.pose")
        return as_api(predictions, asked, people, keypoints, segments, verdicts, derivatives)
    metric, share, thresholds = PCK[normaliser]
    truth = people[[*KEY]].assign(length=share * np.hypot(people["face_width"], people["face_height"]))
    truth = truth.merge(areas(segments).reset_index(), on=KEY, how="left")
    instances = asked_of(asked, TASK, truth, verdicts)
    places, visible = annotated(instances, keypoints, BLAZEPOSE)
    like = _best_oks(instances, places, visible, predictions)
    made = [_near(instances, metric, keypoints, predictions, BLAZEPOSE, thresholds), _recall(instances, like, visible)]
    if points == "blazepose":
        more = predictions.loc[~predictions["keypoint"].isin(BLAZEPOSE), "model"].unique()
        some = instances[instances["model"].isin(more)].reset_index(drop=True)
        made.append(_near(some, metric.replace("pck", "pck33"), keypoints, predictions, EVERY, thresholds))
    return pd.concat(made)


def _near(
    instances: pd.DataFrame,
    metric: str,
    keypoints: pd.DataFrame,
    predictions: pd.DataFrame,
    numbers: tuple[int, ...],
    thresholds: tuple[float, ...],
):
    """PCK of each person's own pose over the keypoints with these numbers."""
    places, visible = annotated(instances, keypoints, numbers)
    own = np.linalg.norm(placed(instances, predictions, ["model", *KEY], numbers) - places, axis=-1)
    return _scores(instances, metric, pck(own, instances["length"].to_numpy(), visible, thresholds), "length", visible)


def _recall(instances: pd.DataFrame, like: np.ndarray, visible: np.ndarray) -> pd.DataFrame:
    return _scores(instances, "ar_oks", np.where(np.isnan(like), np.nan, average_recall(like)), "area", visible)


def _scores(instances: pd.DataFrame, metric: str, values: np.ndarray, measure: str, visible: np.ndarray):
    missing = instances[measure].isna().to_numpy()
    notes = np.where(missing, NO_FACE if measure == "length" else NO_SEGMENT, "")
    notes = np.where(visible.any(axis=1), notes, NO_KEYPOINT)
    return scores(instances, TASK, metric, np.where(notes == "", values, np.nan), notes)


def _best_oks(instances: pd.DataFrame, points: np.ndarray, visible: np.ndarray, predictions: pd.DataFrame):
    """For each row of `instances` the best OKS over all poses that its model predicted in its image; 0 without any."""
    poses = candidates(instances, predictions)
    answer, index = placed(poses, predictions, ["model", *KEY], BLAZEPOSE), poses["instance"].to_numpy()
    distance = np.linalg.norm(answer - points[index], axis=-1)
    best = np.where(visible.any(axis=1) & instances["area"].notna().to_numpy(), 0.0, np.nan)
    like = oks(distance, instances["area"].to_numpy()[index], visible[index])
    np.fmax.at(best, index, like)
    return best
