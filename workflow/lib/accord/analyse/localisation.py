"""How well detectors find the annotated faces or people: average recall over IoU."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.instances import KEY, asked_of, joined, passing, scores
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.by_shard import by_shard
from accord.evaluate.tables.predictions import Detections, Evaluated
from accord.imaging.overlap import best_iou
from accord.imaging.recall import average_recall, thresholds
from accord.protocol import ACCORD
from accord.release.tables import People

BOX_OF_TASK = {"face_localization": "face", "person_localization": "person"}
METRIC = "ar_iou"
SIDES = ("x", "y", "width", "height")


@by_shard("predictions", "asked", "people", join=joined, verdicts=passing)
def run(
    predictions: DataFrame[Detections],
    asked: DataFrame[Evaluated],
    people: DataFrame[People],
    verdicts: DataFrame[Verdicts],
    *,
    task: str,
    protocol: str = ACCORD,
) -> DataFrame[Scores]:
    """For each annotated box the share of IoU 0.50 ... 0.95 that the best of all predicted boxes reaches.

    task: face_localization (face boxes) or person_localization (person boxes). A box that is not found scores 0.
    protocol: whose thresholds (`recall`).
    """
    instances = asked_of(asked, task, _annotated(people, BOX_OF_TASK[task]), verdicts)
    return scores(instances, task, METRIC, average_recall(best_iou(instances, predictions), thresholds(protocol)))


def _annotated(people: pd.DataFrame, part: str) -> pd.DataFrame:
    boxes = people[[*KEY, *(f"{part}_{side}" for side in SIDES)]].set_axis([*KEY, *SIDES], axis=1)
    return boxes.dropna()
