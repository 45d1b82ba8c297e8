"""Hand labels of a Rapid Test: whom faces show, by most of those who looked at them on the review page."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.identities.tables import HandLabels
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.review.database import store
from accord.review.database.rated_votes import UNTOLD, identity_votes
from accord.review.tables import IdentityVotes, Items


def run(asked: DataFrame[Items], *, vault: Private) -> DataFrame[HandLabels]:
    """What more than half of the votes on a face say, of faces with a vote; -1, can't tell, where no label has so many.

    asked: what people are asked about now; vault: with the votes. Raises AccordError where a vote is not as it was
    recorded.
    """
    faces = asked.set_index("item")["image"]
    votes = _votes(vault)
    labels = majority(votes[votes["item"].isin(faces.index)])
    return table.rows(sorted((faces[item], label) for item, label in labels.items()), HandLabels)


def majority(votes: pd.DataFrame) -> dict[str, int]:
    """Item -> the label of more than half of its votes (`IdentityVotes`), -1 where none is that of so many."""
    counts = votes.groupby(["item", "label"]).size().unstack(fill_value=0)
    clear = counts.gt(counts.sum(axis=1) / 2, axis=0)
    return {str(item): int(row.idxmax()) if row.any() else UNTOLD for item, row in clear.iterrows()}


def _votes(vault: Private) -> pd.DataFrame:
    if not store.exists(vault):
        return table.empty(IdentityVotes)
    with store.reading(vault) as db:
        return identity_votes(db)
