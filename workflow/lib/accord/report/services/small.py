"""Which groups a page may show: none that is small, and none from which a small one follows by subtraction."""

from collections.abc import Mapping

import pandas as pd

from accord.grouping import WHOLE

KEY = ["attribute", "group"]
ROW = ["labels", "service", "changed", "held"]
"""What figures of a table are of, beside a group: figures of everyone less those of groups are of one of these."""


def shown(sizes: pd.DataFrame, fewest: int, without: Mapping[str, int] | None = None) -> set[tuple[str, str]]:
    """(attribute, group) of those with at least `fewest` queries.

    sizes: attribute, group, queries, a row each or several, of which the smallest counts; everyone's, too, unless
    `without` says how many queries have no group of an attribute (an empty cell). Everyone's figures less those of all
    groups that are shown are those of the rest: where these are fewer than `fewest` queries together, the smallest
    groups go with them until they are not.
    """
    kept = set()
    everyone = sizes.loc[sizes["attribute"] == WHOLE, "queries"].min()
    least = sizes[sizes["attribute"] != WHOLE].groupby(KEY)["queries"].min().reset_index()
    for attribute, some in least.sort_values(["queries", "group"]).groupby("attribute"):
        blank = 0 if pd.isna(everyone) else max(0, int(everyone) - int(some["queries"].sum()))
        hidden = without.get(str(attribute), 0) if without is not None else blank
        for row in some.itertuples():
            if row.queries < fewest or 0 < hidden < fewest:
                hidden += row.queries
            else:
                kept.add((str(row.attribute), str(row.group)))
    return kept


def large(table: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """The rows of everyone and of groups that may be shown, of each service, and whose labels, for itself: an earlier
    test, or a service that gave no score, can have fewer queries of a group than others."""
    of = [name for name in ROW if name in table.columns]
    parts = [rows_of(some, shown(some, fewest)) for _, some in table.groupby(of, sort=False)]
    return pd.concat(parts).loc[lambda found: table.index[table.index.isin(found.index)]] if parts else table


def rows_of(table: pd.DataFrame, groups: set[tuple[str, str]]) -> pd.DataFrame:
    """The rows of everyone and of `groups`."""
    return table[(table["attribute"] == WHOLE) | pd.MultiIndex.from_frame(table[KEY]).isin(list(groups))]
