"""Groups of which a metric has no figure: precision where nobody is predicted positive, recall where nobody is."""

import pandas as pd

from accord.analyse.plain.found import UNDEFINED
from accord.analyse.tables.scores import Groups
from accord.grouping import WHOLE

SIZES = {"images": "image", "subjects": "subject", "clusters": "subject"}


def with_undefined(groups: pd.DataFrame, members: pd.DataFrame, key: pd.DataFrame, least: int) -> pd.DataFrame:
    """A table Groups in which groups of `least` people and more, none of whom has a score, have their size and say so.

    key: image, subject of each row.
    """
    everyone = key[["image", "subject"]].assign(attribute=WHOLE, group=WHOLE)
    people = pd.concat([everyone, members[list(everyone.columns)].astype(str)])
    sizes = people.groupby(["attribute", "group"])[["image", "subject"]].nunique()
    at = pd.MultiIndex.from_frame(groups[["attribute", "group"]].astype(str))
    counts = sizes.reindex(at).fillna(0).astype(int)
    empty = (groups["subjects"].to_numpy() == 0) & (counts["subject"].to_numpy() >= least)
    table = groups.assign(note=groups["note"].mask(empty, UNDEFINED))
    for name, column in SIZES.items():
        table[name] = table[name].mask(empty, pd.Series(counts[column].to_numpy(), table.index))
    return table[list(Groups.to_schema().columns)]
