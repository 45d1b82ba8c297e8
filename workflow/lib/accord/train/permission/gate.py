"""The gate of training: pictures whose terms forbid it, or whose people don't permit it, are never learnt from."""

from __future__ import annotations

import pandas as pd
from pandera.typing import DataFrame

from accord.consent.deciding.grants import TRAIN
from accord.errors import all_problems
from accord.release.making.terms import Split, of_people, permitted
from accord.release.tables import Terms
from accord.text.nouns import counted


def split(pictures: pd.DataFrame, people: pd.DataFrame, permits: pd.DataFrame) -> Split:
    """The pictures (image, ...) that everyone in them (image, subject) permits to train with, and those refused.

    people: all who are in the pictures; permits: table Permits, whose scope `train` must be there for each of them. A
    picture of nobody known is refused.
    """
    return permitted(pictures, of_people(people, permits), TRAIN)


def require(pictures: pd.DataFrame, terms: DataFrame[Terms]) -> None:
    """Raise AccordError where a picture (image, ...) may not be learnt from by table Terms, or nothing is left.

    Counts alone are told: paths of pictures, and ids, name people.
    """
    refused = permitted(pictures, terms, TRAIN).refused["image"]
    with all_problems() as problems:
        if len(refused):
            what = f"{counted(refused.nunique(), 'picture')} may not be learnt from: the scope `train` is missing"
            problems.add("training pictures", what, "leave them out, or ask the people for this scope")
        if not len(pictures):
            problems.add("training pictures", "there are none", "give pictures with the scope `train`")


def keep_apart(learnt: pd.DataFrame, judged: pd.DataFrame) -> None:
    """Raise AccordError where a model would be judged by pictures or people (image, subject) that it learnt from.

    A picture without a person has the subject "", which is nobody's. Counts alone are told, as by `require`.
    """
    with all_problems() as problems:
        for column, noun in (("image", "picture"), ("subject", "person")):
            seen = set(learnt[column]) - {""}
            both = judged.loc[judged[column].isin(seen), column].nunique()
            if both:
                verb = "was" if both == 1 else "were"
                what = f"{counted(both, noun)} in the test {verb} learnt from"
                problems.add("test pictures", what, "split by person, and by source")
