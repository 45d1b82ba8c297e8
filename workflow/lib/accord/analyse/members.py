"""Who belongs to which group: of each attribute, and of their intersections."""

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.grouping import groups_of, intersections
from accord.analyse.instances import released
from accord.analyse.tables import Members
from accord.checks.tables import Verdicts
from accord.release.tables import Attributes, People
from accord.table import empty


def run(
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    *,
    names: list[str],
    most: int = 1,
) -> DataFrame[Members]:
    """The groups of everyone in a released image: of the attributes `names`, and of intersections of up to `most`."""
    everyone = released(people, verdicts)
    single = [groups_of(everyone, attributes, name) for name in names]
    together = pd.concat([empty(Members), *single, *intersections(single, most)])
    return together.sort_values(["attribute", "group", "image", "subject"])
