"""The class of each person that questions are asked about."""

from collections.abc import Sequence

import pandas as pd

from accord.analyse.scoring.instances import released
from accord.evaluate.asking import class_questions


def truths(
    people: pd.DataFrame, attributes: pd.DataFrame, verdicts: pd.DataFrame, classes: Sequence[str]
) -> pd.DataFrame:
    """image, subject, class of released images that show one person, of one of the classes."""
    return class_questions.truths(released(people, verdicts), attributes, classes)
