"""Which groups a page may show: none that is small, and none from which a small one follows by subtraction."""

import pandas as pd

from accord.grouping import WHOLE

KEY = ["attribute", "group"]


def shown(sizes: pd.DataFrame, fewest: int) -> set[tuple[str, str]]:
    """(attribute, group) of those with at least `fewest` queries.

    sizes: attribute, group, queries, a row each or several, of which the largest counts. Everyone's figures less those
    of all groups that are shown are those of the rest: where these are fewer than `fewest` queries together, the
    smallest groups go with them until they are not.
    """
    kept = set()
    largest = sizes[sizes["attribute"] != WHOLE].groupby(KEY)["queries"].max().reset_index()
    for _, some in largest.sort_values(["queries", "group"]).groupby("attribute"):
        hidden = 0
        for row in some.itertuples():
            if row.queries < fewest or 0 < hidden < fewest:
                hidden += row.queries
            else:
                kept.add((str(row.attribute), str(row.group)))
    return kept


def rows_of(table: pd.DataFrame, groups: set[tuple[str, str]]) -> pd.DataFrame:
    """The rows of everyone and of `groups`."""
    return table[(table["attribute"] == WHOLE) | pd.MultiIndex.from_frame(table[KEY]).isin(list(groups))]
