"""The pairs of faces that every recognition service compares, within queries and across them."""

import pandas as pd
from pandera.typing import DataFrame

from accord.engine.table import rows
from accord.evaluate.serving import grouped, pairing
from accord.evaluate.tables.services import FaceIds, FacePairs, Queries
from accord.release.tables import Attributes, People


def run(
    faces: DataFrame[FaceIds],
    queries: DataFrame[Queries],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    *,
    names: list[str],
    seed: int,
) -> DataFrame[FacePairs]:
    """All pairs within queries; across them as many, and as many for each group of each attribute of `names`."""
    known = faces.loc[faces["face"] != "", ["query", "face"]].drop_duplicates()
    groups: pd.DataFrame = grouped.groups(queries, people, attributes, names)
    return rows(pairing.pairs(known, groups, seed).to_dict("records"), FacePairs)
