"""The tables of a comparison of datasets."""

import pandera.pandas as pa

from accord.engine.table import Table

SHARE = {"min_value": 0, "max_value": 1}


class Shares(Table):
    """One row per (attribute, group, dataset): how many subjects of the dataset are in the group, and their share of
    all memberships of the attribute's groups. Attributes that at least two datasets have."""

    attribute: str
    group: str
    dataset: str
    subjects: int = pa.Field(ge=0)
    share: float = pa.Field(in_range=SHARE)

    class Config(Table.Config):
        unique = ["attribute", "group", "dataset"]  # noqa: RUF012


class Distances(Table):
    """One row per (kind, name, first, second): how far two datasets are apart in an attribute or a feature of layout.

    distance: total variation, half the sum of the differences of all shares, 0 for equal and 1 for disjoint ones;
    by_chance: what two samples of so many subjects from one distribution would be apart on average.
    """

    kind: str = pa.Field(isin=("attribute", "layout"))
    name: str
    first: str
    second: str
    first_subjects: int = pa.Field(gt=0)
    second_subjects: int = pa.Field(gt=0)
    distance: float = pa.Field(in_range=SHARE)
    by_chance: float = pa.Field(in_range=SHARE)

    class Config(Table.Config):
        unique = ["kind", "name", "first", "second"]  # noqa: RUF012
