"""How a dataset of people is made up, of its tables alone: a release of ours, or any other that an adapter reads."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.describing import binned, sizes
from accord.analyse.describing.placed import placed
from accord.analyse.tables.composition import AttributeSizes, GroupSizes, Heat, Layout, Spreads


class Described(NamedTuple):
    """Distributions, their means and quantiles, heat maps, sizes of groups, and what attributes are made of."""

    layout: DataFrame[Layout]
    spreads: DataFrame[Spreads]
    heat: DataFrame[Heat]
    group_sizes: DataFrame[GroupSizes]
    attribute_sizes: DataFrame[AttributeSizes]


def describe(
    people: pd.DataFrame,
    pictures: pd.DataFrame,
    areas: pd.DataFrame,
    keypoints: pd.DataFrame,
    members: pd.DataFrame,
) -> Described:
    """All of it. people, keypoints: as release has them; pictures, areas: Pictures, Areas; members: Members."""
    features = placed(people, pictures, areas, keypoints)
    groups = sizes.group_sizes(people, members)
    return Described(
        binned.layout(features),
        binned.spreads(features),
        binned.heat(people, pictures, keypoints),
        groups,
        sizes.attribute_sizes(groups, members),
    )
