"""How well models tell which body parts of a person are seen: recall and accuracy over the parts that they know."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.instances import KEY, asked_of, scores
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.evaluate.tables.predictions import BodyParts, Evaluated
from accord.imaging.recall import API_THRESHOLDS, average_recall
from accord.protocol import ACCORD, is_api
from accord.release.tables import Keypoints, Segments
from accord.statistics.describing.ratios import ratio
from accord.vocabularies import BODY_PARTS

TASK, RECALL, ACCURACY = "body_parts_detection", "ar_part", "accuracy"
THRESHOLD = 0.5
FACE, HAND, GLOVE = BODY_PARTS.index("Face"), BODY_PARTS.index("Hand"), BODY_PARTS.index("Glove")
KNUCKLES = range(17, 23)
NO_SEGMENT, NO_PART = "no segment of the person is annotated", "no part known to the model is present"


class Judged(NamedTuple):
    """n people of whom a model was asked, and 30 parts: `instances` (model, image, subject); (n, 30) which parts are
    there, which the model knows, how far it sees each (0 to 1), and whether it is right; (n,) of whom nothing can be
    said."""

    instances: pd.DataFrame
    there: np.ndarray
    known: np.ndarray
    recall: np.ndarray
    right: np.ndarray
    undefined: np.ndarray


def run(
    predictions: DataFrame[BodyParts],
    asked: DataFrame[Evaluated],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    verdicts: DataFrame[Verdicts],
    *,
    protocol: str = ACCORD,
) -> DataFrame[Scores]:
    """`ar_part`: the share of a person's parts that the model sees (probability >= 0.5); `accuracy`: the share of
    parts, there or not, that it is right about.

    Both over the parts that the model speaks of anywhere in `predictions`: one that it leaves out of a person has
    probability 0. A part is there if the person has a segment of it; a face always; a hand if any of the six knuckles
    is visible or a glove is segmented (as FHIBE). A person without segments is undefined.

    protocol: under fhibe_api a part that is there scores the share of 0.50 ... 0.95 that its probability reaches
    (`Judged.recall`), `ar_part` is their mean, and a person without segments has a face.
    """
    made = judged(predictions, asked, keypoints, segments, verdicts, protocol)
    recall, accuracy = mean(made.recall, made.there & made.known), mean(made.right, made.known)
    return pd.concat([_scores(made, RECALL, recall), _scores(made, ACCURACY, accuracy)])


def judged(
    predictions: pd.DataFrame,
    asked: pd.DataFrame,
    keypoints: pd.DataFrame,
    segments: pd.DataFrame,
    verdicts: pd.DataFrame,
    protocol: str,
) -> Judged:
    """The tables and the protocol of `run` -> what is right and wrong, part for part."""
    drawn = segments[KEY].drop_duplicates().assign(drawn=True)
    people = asked.loc[asked["task"] == TASK, KEY].drop_duplicates().merge(drawn, on=KEY, how="left")
    instances = asked_of(asked, TASK, people, verdicts)
    there = _there(instances, keypoints, segments)
    probability, known = _told(instances, predictions)
    seen = probability >= THRESHOLD
    recall = average_recall(probability, API_THRESHOLDS) if is_api(protocol) else seen.astype(float)
    undefined = instances["drawn"].isna().to_numpy() & (not is_api(protocol))
    return Judged(instances, there, known, recall, seen == there, undefined)


def mean(values: np.ndarray, among: np.ndarray, axis: int = 1) -> np.ndarray:
    """The mean of those of `values` that are `among`; NaN of none."""
    return ratio(np.where(among, values, 0).sum(axis=axis), among.sum(axis=axis))


def _scores(made: Judged, metric: str, values: np.ndarray) -> pd.DataFrame:
    notes = np.where(made.undefined, NO_SEGMENT, np.where(np.isnan(values), NO_PART, ""))
    return scores(made.instances, TASK, metric, np.where(made.undefined, np.nan, values), notes)


def _there(instances: pd.DataFrame, keypoints: pd.DataFrame, segments: pd.DataFrame) -> np.ndarray:
    """(n, 30) bool: which of BODY_PARTS each person has."""
    there = _marked(instances, segments[KEY].assign(part=segments["segment"].to_numpy()), KEY)
    knuckles = keypoints[keypoints["visible"] & keypoints["keypoint"].isin(KNUCKLES)]
    hands = _marked(instances, knuckles[KEY].assign(part=HAND), KEY)
    there[:, FACE] = True
    there[:, HAND] = hands[:, HAND] | there[:, GLOVE]
    return there


def _told(instances: pd.DataFrame, predictions: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n, 30) each: how probably the row's model sees each part of the person, and which parts it knows at all."""
    numbered = predictions.assign(part=pd.Index(BODY_PARTS).get_indexer(predictions["part"]))
    rows = instances[["model", *KEY]].assign(instance=np.arange(len(instances)))
    found = rows.merge(numbered, on=["model", *KEY])
    probability = np.zeros((len(instances), len(BODY_PARTS)))
    probability[found["instance"].to_numpy(), found["part"].to_numpy(int)] = found["score"]
    return probability, _marked(instances, numbered, ["model"])


def _marked(instances: pd.DataFrame, parts: pd.DataFrame, key: list[str]) -> np.ndarray:
    """(n, 30) bool: true where `parts` has a row of the key with the number `part`."""
    marked = np.zeros((len(instances), len(BODY_PARTS)), bool)
    numbered = instances[key].assign(instance=np.arange(len(instances)))
    found = numbered.merge(parts[[*key, "part"]].drop_duplicates(), on=key)
    marked[found["instance"].to_numpy(), found["part"].to_numpy(int)] = True
    return marked
