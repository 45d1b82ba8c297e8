"""The groups of queries: those of the people whom they are for."""

from collections.abc import Sequence

import pandas as pd

from accord.grouping import groups_of


def groups(queries: pd.DataFrame, people: pd.DataFrame, attributes: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """query, attribute, group: the group that most of a query's own pictures have; one row per query and attribute.

    Who belongs to several groups of an attribute in like numbers of pictures belongs to none of them: a query counts
    once.
    """
    own = queries.loc[queries["query"] == queries["subject"], ["image", "subject"]]
    shown = people.merge(own, on=["image", "subject"])
    every = [groups_of(shown, attributes, name) for name in names]
    found = pd.concat([pd.DataFrame(columns=["subject", "attribute", "group"]), *every]).rename(
        columns={"subject": "query"}
    )
    counts = found.groupby(["query", "attribute", "group"]).size().rename("pictures").reset_index()
    most = counts[counts["pictures"] == counts.groupby(["query", "attribute"])["pictures"].transform("max")]
    single = most.drop_duplicates(["query", "attribute"], keep=False)
    return single[["query", "attribute", "group"]].sort_values(["query", "attribute"]).reset_index(drop=True)
