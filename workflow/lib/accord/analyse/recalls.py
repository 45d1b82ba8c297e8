"""How often models tell the class of a person, for whom, and how much that differs between groups."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.class_answers import counting, gaps, scored
from accord.analyse.scoring.class_answers.outcomes import outcomes
from accord.analyse.scoring.class_answers.readings import readings
from accord.analyse.scoring.class_answers.truth import truths
from accord.analyse.tables.recalls import FalseYes, Readings, RecallDisparities, Recalls
from accord.analyse.tables.scores import Members, Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.parameter_types import Count
from accord.engine.table import rows
from accord.evaluate.asking import class_questions
from accord.evaluate.tables.labels import AnswerLabels
from accord.evaluate.tables.predictions import Evaluated
from accord.grouping import BETWEEN
from accord.release.tables import Attributes, People


class Recalled(NamedTuple):
    """Scores of single images, for the steps that compare groups; recalls, their differences, false yes; and how
    answers were read."""

    scores: DataFrame[Scores]
    recalls: DataFrame[Recalls]
    false_yes: DataFrame[FalseYes]
    disparities: DataFrame[RecallDisparities]
    readings: DataFrame[Readings]


def run(
    labels: DataFrame[AnswerLabels],
    asked: DataFrame[Evaluated],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    members: DataFrame[Members],
    verdicts: DataFrame[Verdicts],
    questions: Path,
    *,
    min_subjects: Count = 10,
) -> Recalled:
    """Of released images that show one person of a known class.

    asked: of whom models were asked: a picture that a model may not be given is no miss. questions: the file that they
    were asked by. Prompts are never pooled, nor are encoders; intersections are left to the steps that compare scores.
    """
    classes = class_questions.read(questions)
    truth = truths(people, attributes, verdicts, classes.classes)
    labels = labels.merge(asked.loc[asked["task"] == scored.TASK, ["model", "image", "subject"]].drop_duplicates())
    single = members[~members["attribute"].str.contains(BETWEEN, regex=False)].merge(truth[["image", "subject"]])
    said = outcomes(labels, truth)
    found, others = (_counted(said[said["contrast"] == which], single, classes) for which in (False, True))
    pairs = counting.expanded(counting.paired(said), single, classes.reported)
    recalls = counting.recalls(found)
    return Recalled(
        scored.scores(said, classes.reported),
        _table(recalls.rename(columns={"yes": "right"}), Recalls),
        _table(counting.false_yes(others, pairs).rename(columns={"yes": "false_yes"}), FalseYes),
        rows(gaps.gaps(recalls, min_subjects), RecallDisparities),
        rows(readings(labels), Readings),
    )


def _counted(said: pd.DataFrame, members: pd.DataFrame, classes: class_questions.ClassQuestions) -> pd.DataFrame:
    return counting.counted(counting.expanded(said, members, classes.reported), members, classes.classes)


def _table(found: pd.DataFrame, model: type) -> pd.DataFrame:
    return rows(found.to_dict("records"), model)
