"""Hand labels of a Rapid Test: whom faces show, by most of those who looked at them on the review page."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.identities.tables import HandLabels
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.review.database.rated_votes import UNTOLD, identity_votes, majorities, of_vault
from accord.review.tables import IdentityVotes, Items


def run(asked: DataFrame[Items], *, vault: Private) -> DataFrame[HandLabels]:
    """What more than half of the votes on a face say, of faces with a vote; -1, can't tell, where no label has so many.

    asked: what people are asked about now; vault: with the votes. Raises AccordError where a vote is not as it was
    recorded.
    """
    faces = asked.set_index("item")["image"]
    votes = of_vault(vault, identity_votes, IdentityVotes)
    labels = majority(votes[votes["item"].isin(faces.index)])
    return table.rows(sorted((faces[item], label) for item, label in labels.items()), HandLabels)


def majority(votes: pd.DataFrame) -> dict[str, int]:
    """Item -> the label of more than half of its votes (`IdentityVotes`), -1 where none is that of so many."""
    clear = majorities(votes, "label")
    return {item: int(clear.get(item, UNTOLD)) for item in sorted(set(votes["item"]))}
