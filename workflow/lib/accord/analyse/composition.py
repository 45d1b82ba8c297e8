"""Who is in the release: how many images and subjects each group has."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.describing.sizes import memberships
from accord.analyse.scoring.instances import released
from accord.analyse.tables.scores import Composition, Members
from accord.checks.tables.findings import Verdicts
from accord.engine.table import rows
from accord.grouping import BETWEEN, KEY
from accord.release.tables import People


def run(
    people: DataFrame[People], members: DataFrame[Members], verdicts: DataFrame[Verdicts]
) -> DataFrame[Composition]:
    """Images and subjects of each group of single attributes, of those who gave no answer, and of all.

    People of several groups count in each, so shares of an attribute can add up to more than 1.
    """
    everyone = released(people, verdicts)[KEY]
    single = members[~members["attribute"].str.contains(BETWEEN, regex=False)]
    return _counts(memberships(everyone, single), everyone["image"].nunique())


def _counts(groups: pd.DataFrame, images: int) -> pd.DataFrame:
    by_group = groups.groupby(["attribute", "group"], sort=True)
    counted = by_group.agg(images=("image", "nunique"), subjects=("subject", "nunique")).reset_index()
    return rows(counted.assign(share_of_images=counted["images"] / max(images, 1)).to_dict("records"), Composition)
