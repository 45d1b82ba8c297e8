"""Pairs of images that are known to be too much alike: several checks find some, each adds to those before it."""

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import Pairs
from accord.engine import table


def extended(pairs: DataFrame[Pairs], found: pd.DataFrame) -> DataFrame[Pairs]:
    """The pairs, and those of `found` (columns of Pairs) that are not among them yet, each once."""
    sides = ["left", "right"]
    known = pd.MultiIndex.from_frame(pairs[sides])
    new = found.drop_duplicates(sides)
    new = new[~pd.MultiIndex.from_frame(new[sides]).isin(known)]
    filled = [part for part in (pairs, new) if len(part)] or [pairs]
    return table.check(pd.concat(filled, ignore_index=True), Pairs, "pairs of images that are too much alike")
