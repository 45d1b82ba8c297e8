"""How well models tell each body part, of each group: as FHIBE's public Evaluation API tells of body parts."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing.intersections import single
from accord.analyse.parts import ACCURACY, RECALL, Judged, Seen, judged, mean, seen
from accord.analyse.scoring.instances import passing
from accord.analyse.tables.scores import PartRates
from accord.analyse.tables.views import Drawn, EncodedMembers, Visible
from accord.engine.by_shard import by_shard
from accord.engine.parameter_types import Count
from accord.engine.table import rows
from accord.evaluate.tables.predictions import BodyParts, Evaluated
from accord.grouping import WHOLE
from accord.protocol import ACCORD
from accord.release.making.views import Passing as Passed
from accord.statistics.cohort import PERSON, numbered
from accord.text.nouns import fewer
from accord.vocabularies import BODY_PARTS

ALL = "all parts"
NOBODY = "no person has this part"


def rates(shards: list[Seen], members: pd.DataFrame, min_subjects: int = 10) -> pd.DataFrame:
    """The table of `run`, of all shards."""
    made, told = judged(shards), []
    people, members = numbered(made.instances, members)
    subjects = pd.factorize(people["subject"])[0]
    for model, rows_of in people.groupby("model", sort=True).indices.items():
        some = rows_of[~made.undefined[rows_of]]
        for attribute, group, inside in _groups(people[PERSON].to_numpy()[some], members):
            key = {"model": model, "attribute": attribute, "group": group}
            told += [key | row for row in _rates(made, some[inside], subjects, min_subjects)]
    return rows(told, PartRates)


@by_shard("predictions", "asked", "keypoints", "segments", each=seen, join=rates, verdicts=passing)
def run(
    predictions: DataFrame[BodyParts],
    asked: DataFrame[Evaluated],
    keypoints: DataFrame[Visible],
    segments: DataFrame[Drawn],
    verdicts: DataFrame[Passed],
    members: DataFrame[EncodedMembers],
    *,
    min_subjects: Count = 10,
    protocol: str = ACCORD,
) -> DataFrame[PartRates]:
    """The mean over the people of each group, part for part, and over the parts; protocol: as `parts.run`."""
    return rates([seen(predictions, asked, keypoints, segments, verdicts, protocol)], members, min_subjects)


def _groups(people: np.ndarray, members: pd.DataFrame) -> Iterator[tuple[str, str, np.ndarray]]:
    """Attribute, group, and those of `people` (numbered as `members` are) who belong to it, by their places."""
    yield WHOLE, WHOLE, np.arange(len(people))
    keys = pd.Index(people)
    for attribute, some in members.groupby("attribute", sort=True):
        marks = single(keys, str(attribute), some)
        for group, name in enumerate(marks.names):
            if len(inside := marks.rows[marks.groups == group]):
                yield str(attribute), name, inside


def _rates(made: Judged, index: np.ndarray, whose: np.ndarray, least: int) -> Iterator[dict]:
    """The rows of one group, of the rows `index`: both metrics of each part that the model knows, and of all parts.
    whose: (n,) int, the subject of each row."""
    subjects = whose[index]
    count = _different(subjects)
    few = "" if count >= least else fewer(count, "subject", least)
    for metric, values, among in ((RECALL, made.recall, made.there & made.known), (ACCURACY, made.right, made.known)):
        among = among[index]
        means = mean(values[index], among, axis=0)
        for part in np.flatnonzero(made.known[index].any(axis=0)):
            have = among[:, part]
            counts = {"people": int(have.sum()), "subjects": _different(subjects[have])}
            note = few or ("" if have.any() else NOBODY)
            row = {"metric": metric, "part": BODY_PARTS[part], "mean": np.nan if few else means[part], "note": note}
            yield row | counts
        if not np.isnan(means).all():
            counts = {"people": len(index), "subjects": count}
            yield {"metric": metric, "part": ALL, "mean": np.nan if few else np.nanmean(means), "note": few} | counts


def _different(numbers: np.ndarray) -> int:
    return int(np.count_nonzero(np.bincount(numbers)))
