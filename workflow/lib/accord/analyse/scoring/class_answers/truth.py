"""The class of each person that questions are asked about."""

from collections.abc import Sequence

import pandas as pd

from accord.analyse.scoring.instances import KEY, released

CLASS = "class1"
"""The attribute that has it; FACET's second class, where a person has two, is not asked for."""


def truths(
    people: pd.DataFrame, attributes: pd.DataFrame, verdicts: pd.DataFrame, classes: Sequence[str]
) -> pd.DataFrame:
    """image, subject, class of released images that show one person, of one of the classes."""
    everyone = released(people, verdicts)
    alone = everyone[~everyone["image"].duplicated(keep=False)]
    said = attributes[(attributes["attribute"] == CLASS) & attributes["value"].isin(classes)]
    found = alone[KEY].merge(said[[*KEY, "value"]].drop_duplicates(), on=KEY).rename(columns={"value": "class"})
    return found[~found["image"].duplicated(keep=False)].reset_index(drop=True)
