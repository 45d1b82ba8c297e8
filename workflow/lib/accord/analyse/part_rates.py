"""How well models tell each body part, of each group: as FHIBE's public Evaluation API tells of body parts."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.parts import ACCURACY, RECALL, Judged, Seen, judged, mean, seen
from accord.analyse.scoring.instances import KEY, passing
from accord.analyse.tables.scores import Members, PartRates
from accord.analyse.tables.views import Drawn, Visible
from accord.engine.by_shard import by_shard
from accord.engine.table import rows
from accord.evaluate.tables.predictions import BodyParts, Evaluated
from accord.grouping import WHOLE
from accord.protocol import ACCORD
from accord.release.making.views import Passing as Passed
from accord.text.nouns import fewer
from accord.vocabularies import BODY_PARTS

ALL = "all parts"
NOBODY = "no person has this part"


def rates(shards: list[Seen], members: pd.DataFrame, min_subjects: int = 10) -> pd.DataFrame:
    """The table of `run`, of all shards."""
    made, told = judged(shards), []
    for model, some in made.instances.assign(row=np.arange(len(made.instances))).groupby("model", sort=True):
        for attribute, group, inside in _groups(some[~made.undefined[some["row"]]], members):
            key = {"model": model, "attribute": attribute, "group": group}
            told += [key | row for row in _rates(made, inside, min_subjects)]
    return rows(told, PartRates)


@by_shard("predictions", "asked", "keypoints", "segments", each=seen, join=rates, verdicts=passing)
def run(
    predictions: DataFrame[BodyParts],
    asked: DataFrame[Evaluated],
    keypoints: DataFrame[Visible],
    segments: DataFrame[Drawn],
    verdicts: DataFrame[Passed],
    members: DataFrame[Members],
    *,
    min_subjects: int = 10,
    protocol: str = ACCORD,
) -> DataFrame[PartRates]:
    """The mean over the people of each group, part for part, and over the parts; protocol: as `parts.run`."""
    return rates([seen(predictions, asked, keypoints, segments, verdicts, protocol)], members, min_subjects)


def _groups(people: pd.DataFrame, members: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Attribute, group, and those of `people` (image, subject, row) who belong to it."""
    yield WHOLE, WHOLE, people
    for (attribute, group), some in people.merge(members, on=KEY).groupby(["attribute", "group"], sort=True):
        yield attribute, group, some


def _rates(made: Judged, inside: pd.DataFrame, least: int) -> Iterator[dict]:
    """The rows of one group: both metrics of each part that the model knows, and of all parts."""
    index, subjects = inside["row"].to_numpy(int), inside["subject"].to_numpy()
    count = len(set(subjects))
    few = "" if count >= least else fewer(count, "subject", least)
    for metric, values, among in ((RECALL, made.recall, made.there & made.known), (ACCURACY, made.right, made.known)):
        among = among[index]
        means = mean(values[index], among, axis=0)
        for part in np.flatnonzero(made.known[index].any(axis=0)):
            have = among[:, part]
            counts = {"people": int(have.sum()), "subjects": len(set(subjects[have]))}
            note = few or ("" if have.any() else NOBODY)
            row = {"metric": metric, "part": BODY_PARTS[part], "mean": np.nan if few else means[part], "note": note}
            yield row | counts
        if not np.isnan(means).all():
            counts = {"people": len(index), "subjects": count}
            yield {"metric": metric, "part": ALL, "mean": np.nan if few else np.nanmean(means), "note": few} | counts
