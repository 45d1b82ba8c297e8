"""How like their originals restored faces are: what evaluate measured, as scores."""

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.instances import KEY, asked_of, scores
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.table import empty
from accord.evaluate.tables.predictions import MEASURES, Evaluated, Likeness

NOTHING = "the model produced no output for the face"


def run(
    predictions: DataFrame[Likeness], asked: DataFrame[Evaluated], verdicts: DataFrame[Verdicts], *, task: str
) -> DataFrame[Scores]:
    """LPIPS (lower is better), PSNR in dB and cosine of each face that a model of `task` was asked to make again.

    task: face_encoding or face_super_resolution. What can't be had is a row without a value that says why.
    """
    faces = asked.loc[asked["task"] == task, KEY].drop_duplicates()
    instances = asked_of(asked, task, faces, verdicts)
    return pd.concat([empty(Scores), *(_scores(instances, task, measure, predictions) for measure in MEASURES)])


def _scores(instances: pd.DataFrame, task: str, measure: str, predictions: pd.DataFrame) -> pd.DataFrame:
    told = predictions.loc[predictions["measure"] == measure, ["model", *KEY, "value", "note"]]
    found = instances.merge(told, on=["model", *KEY], how="left")
    notes = np.where(found["value"].notna(), "", found["note"].fillna(NOTHING))
    return scores(found, task, measure, found["value"].to_numpy(), notes)
