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


class Placed(NamedTuple):
    """Of some people: what is measured of each, and where in the picture they are."""

    features: pd.DataFrame
    marks: binned.Marks


def place(people: pd.DataFrame, pictures: pd.DataFrame, areas: pd.DataFrame, keypoints: pd.DataFrame) -> Placed:
    """people, keypoints: as release has them; pictures, areas: Pictures, Areas."""
    return Placed(placed(people, pictures, areas, keypoints), binned.marks(people, pictures, keypoints))


def describe(
    people: pd.DataFrame,
    pictures: pd.DataFrame,
    areas: pd.DataFrame,
    keypoints: pd.DataFrame,
    members: pd.DataFrame,
) -> Described:
    """All of it, of tables as `place` has them, and of Members."""
    return summed([place(people, pictures, areas, keypoints)], people, members)


def summed(parts: list[Placed], people: pd.DataFrame, members: pd.DataFrame) -> Described:
    """All of it, of parts with different images; people, members: of all."""
    features = pd.concat([part.features for part in parts], ignore_index=True)
    groups = sizes.group_sizes(people, members)
    return Described(
        binned.layout(features),
        binned.spreads(features),
        binned.heat([part.marks for part in parts]),
        groups,
        sizes.attribute_sizes(groups, members),
    )
