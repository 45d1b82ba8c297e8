"""Answers about classes as scores of people, by which groups are compared like those of any other task."""

from collections.abc import Sequence

import pandas as pd

from accord.analyse.scoring.instances import scores as scores_of
from accord.analyse.tables.scores import Scores
from accord.engine.table import empty
from accord.evaluate.labelling.exact import YES

TASK = "visual_question"
RECALL, FALSE_YES = "class_recall", "false_yes"
NOT_REPORTED = "a class that figures aren't pooled over"


def scores(said: pd.DataFrame, reported: Sequence[str]) -> pd.DataFrame:
    """Scores `class_recall@<question>` and `false_yes@<question>`: 1 where the answer was yes, else 0.

    said: outcomes; of several text encoders the first counts. Images of classes that aren't reported are undefined.
    """
    first = said["encoder"] == said["encoder"].iloc[0] if len(said) else said["encoder"] == ""
    parts = [
        scores_of(part, TASK, f"{FALSE_YES if contrast else RECALL}@{question}", *_values(part, reported))
        for (question, contrast), part in said[first].groupby(["question", "contrast"], sort=True)
    ]
    return pd.concat(parts, ignore_index=True) if parts else empty(Scores)


def _values(part: pd.DataFrame, reported: Sequence[str]) -> tuple[pd.Series, pd.Series]:
    counted = part["class"].isin(reported)
    notes = counted.map({True: "", False: NOT_REPORTED})
    return (part["said"] == YES).astype(float).where(counted), notes
