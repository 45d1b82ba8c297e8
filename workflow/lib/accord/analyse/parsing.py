"""How well person masks cover the annotated people: average recall over mask IoU."""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
from pandera.typing import DataFrame
from pycocotools import mask as coco

from accord.analyse.fhibe_api import shapes
from accord.analyse.scoring.instances import KEY, asked_of, joined, passing, scores
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.by_shard import by_shard
from accord.evaluate.tables.predictions import Evaluated, Masks
from accord.imaging.person_masks import union
from accord.imaging.recall import average_recall, thresholds
from accord.protocol import ACCORD, is_api
from accord.release.tables import Segments

Draw = Callable[[Iterable[np.ndarray], int, int], dict]
"""Polygons, height, width -> the pixels that they cover, as COCO's compressed RLE."""

TASK, METRIC = "person_parsing", "ar_mask"
NOTE = "no segment of the person is annotated"


@by_shard("predictions", "asked", "segments", join=joined, verdicts=passing)
def run(
    predictions: DataFrame[Masks],
    asked: DataFrame[Evaluated],
    segments: DataFrame[Segments],
    verdicts: DataFrame[Verdicts],
    *,
    protocol: str = ACCORD,
) -> DataFrame[Scores]:
    """For each person the share of mask IoU 0.50 ... 0.95 that the best of all predicted masks reaches.

    Ground truth is the union of the person's segments. A person without a predicted mask scores 0; one without
    segments is undefined. protocol: fhibe_api draws segments as the API does (`fhibe_api.shapes`), and a person without
    any scores 0.
    """
    drawn = segments.groupby(KEY, sort=True)["polygon"].agg(list).rename("polygons").reset_index()
    people = asked.loc[asked["task"] == TASK, KEY].drop_duplicates().merge(drawn, on=KEY, how="left")
    instances = asked_of(asked, TASK, people, verdicts)
    undefined = instances["polygons"].isna().to_numpy() & (not is_api(protocol))
    overlap = _best_overlap(instances, predictions, _drawn if is_api(protocol) else union)
    values = np.where(undefined, np.nan, average_recall(overlap, thresholds(protocol)))
    return scores(instances, TASK, METRIC, values, np.where(undefined, NOTE, ""))


def _best_overlap(instances: pd.DataFrame, predictions: pd.DataFrame, draw: Draw) -> np.ndarray:
    best = pd.Series(0.0, index=instances.index)
    masks = dict(list(predictions.groupby(["model", "image"])))
    drawn = instances[instances["polygons"].notna()]
    for key, people in drawn.groupby(["model", "image"], sort=False):
        if key in masks:
            best[people.index] = _overlaps(people["polygons"], masks[key], draw).max(axis=0)
    return best.to_numpy()


def _overlaps(people: pd.Series, masks: pd.DataFrame, draw: Draw) -> np.ndarray:
    """Mask IoU of every predicted mask (rows) with every person (columns) of one image."""
    found = zip(masks["height"].to_list(), masks["width"].to_list(), masks["counts"].to_list(), strict=True)
    predicted = [{"size": [height, width], "counts": counts.encode()} for height, width, counts in found]
    height, width = predicted[0]["size"]
    truth = [draw(polygons, height, width) for polygons in people]
    return np.asarray(coco.iou(predicted, truth, [False] * len(truth)))


def _drawn(polygons: Iterable[np.ndarray], height: int, width: int) -> dict:
    return coco.encode(np.asfortranarray(shapes.drawn(polygons, height, width)))
