"""How well models tell which body parts of a person are seen: recall and accuracy over the parts that they know."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.instances import KEY, Passing, asked_of, passing, scores
from accord.analyse.tables.scores import Scores
from accord.analyse.tables.views import Drawn, Visible
from accord.engine.by_shard import by_shard
from accord.evaluate.tables.predictions import BodyParts, Evaluated
from accord.imaging.recall import API_THRESHOLDS, average_recall
from accord.protocol import ACCORD, is_api
from accord.release.making.views import Passing as Passed
from accord.statistics.describing.ratios import ratio
from accord.vocabularies import BODY_PARTS

TASK, RECALL, ACCURACY = "body_parts_detection", "ar_part", "accuracy"
THRESHOLD = 0.5
FACE, HAND, GLOVE = BODY_PARTS.index("Face"), BODY_PARTS.index("Hand"), BODY_PARTS.index("Glove")
KNUCKLES = range(17, 23)
NO_SEGMENT, NO_PART = "no segment of the person is annotated", "no part known to the model is present"


class Seen(NamedTuple):
    """n people of whom a model was asked, and 30 parts: `instances` (model, image, subject); (n, 30) which parts are
    there, how far the model sees each (0 to 1), and whether it is right; (n,) of whom nothing can be said; and which
    parts each model speaks of anywhere (model, part's number)."""

    instances: pd.DataFrame
    there: np.ndarray
    recall: np.ndarray
    right: np.ndarray
    undefined: np.ndarray
    spoken: pd.DataFrame


class Judged(NamedTuple):
    """What `Seen` has, of all shards, and (n, 30) which parts the model knows."""

    instances: pd.DataFrame
    there: np.ndarray
    known: np.ndarray
    recall: np.ndarray
    right: np.ndarray
    undefined: np.ndarray


def seen(
    predictions: pd.DataFrame,
    asked: pd.DataFrame,
    keypoints: pd.DataFrame,
    segments: pd.DataFrame,
    verdicts: Passing,
    protocol: str = ACCORD,
) -> Seen:
    """The tables and the protocol of `run` -> what is right and wrong, part for part."""
    drawn = segments[KEY].drop_duplicates().assign(drawn=True)
    people = asked.loc[asked["task"] == TASK, KEY].drop_duplicates().merge(drawn, on=KEY, how="left")
    instances = asked_of(asked, TASK, people, verdicts)
    there, numbered = _there(instances, keypoints, segments), _numbered(predictions)
    probability = _told(instances, numbered)
    sure = probability >= THRESHOLD
    recall = average_recall(probability, API_THRESHOLDS) if is_api(protocol) else sure.astype(float)
    undefined = instances["drawn"].isna().to_numpy() & (not is_api(protocol))
    spoken = numbered[["model", "part"]].drop_duplicates()
    return Seen(instances[["model", *KEY]], there, recall, sure == there, undefined, spoken)


def judged(shards: list[Seen]) -> Judged:
    """What is right and wrong of all shards: which parts a model knows, all of them tell together."""
    instances, spoken = (pd.concat(some, ignore_index=True) for some in ([s.instances for s in shards],
                         [s.spoken for s in shards]))  # fmt: skip
    known = _marked(instances, spoken, ["model"])
    there, recall, right, undefined = (np.concatenate([s[field] for s in shards]) for field in range(1, 5))
    return Judged(instances, there, known, recall, right, undefined)


def scored(shards: list[Seen]) -> pd.DataFrame:
    """The table of `run`, of all shards."""
    made = judged(shards)
    recall, accuracy = mean(made.recall, made.there & made.known), mean(made.right, made.known)
    return pd.concat([_scores(made, RECALL, recall), _scores(made, ACCURACY, accuracy)])


@by_shard("predictions", "asked", "keypoints", "segments", each=seen, join=scored, verdicts=passing)
def run(
    predictions: DataFrame[BodyParts],
    asked: DataFrame[Evaluated],
    keypoints: DataFrame[Visible],
    segments: DataFrame[Drawn],
    verdicts: DataFrame[Passed],
    *,
    protocol: str = ACCORD,
) -> DataFrame[Scores]:
    """`ar_part`: the share of a person's parts that the model sees (probability >= 0.5); `accuracy`: the share of
    parts, there or not, that it is right about.

    Both over the parts that the model speaks of anywhere in `predictions`: one that it leaves out of a person has
    probability 0. A part is there if the person has a segment of it; a face always; a hand if any of the six knuckles
    is visible or a glove is segmented (as FHIBE). A person without segments is undefined.

    protocol: under fhibe_api a part that is there scores the share of 0.50 ... 0.95 that its probability reaches
    (`Seen.recall`), `ar_part` is their mean, and a person without segments has a face.
    """
    return scored([seen(predictions, asked, keypoints, segments, verdicts, protocol)])


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


def _numbered(predictions: pd.DataFrame) -> pd.DataFrame:
    return predictions.assign(part=pd.Index(BODY_PARTS).get_indexer(predictions["part"]))


def _told(instances: pd.DataFrame, numbered: pd.DataFrame) -> np.ndarray:
    """(n, 30): how probably the row's model sees each part of the person."""
    rows = instances[["model", *KEY]].assign(instance=np.arange(len(instances)))
    found = rows.merge(numbered, on=["model", *KEY])
    probability = np.zeros((len(instances), len(BODY_PARTS)))
    probability[found["instance"].to_numpy(), found["part"].to_numpy(int)] = found["score"]
    return probability


def _marked(instances: pd.DataFrame, parts: pd.DataFrame, key: list[str]) -> np.ndarray:
    """(n, 30) bool: true where `parts` has a row of the key with the number `part`."""
    marked = np.zeros((len(instances), len(BODY_PARTS)), bool)
    numbered = instances[key].assign(instance=np.arange(len(instances)))
    found = numbered.merge(parts[[*key, "part"]].drop_duplicates(), on=key)
    marked[found["instance"].to_numpy(), found["part"].to_numpy(int)] = True
    return marked
