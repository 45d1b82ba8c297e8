"""The worst and the best group of an attribute: those with the lowest and the highest mean that is shown."""

from collections.abc import Collection
from typing import Any

import pandas as pd

from accord.analyse.scoring.metrics import direction


def extreme_groups(groups: pd.DataFrame, attribute: str, lower: Collection[str] = ()) -> list[Any]:
    """The rows of a table Groups with the worst and the best mean of an attribute; [] of fewer than two.

    groups: of one metric; lower: metrics of which lower is better, besides the known ones.
    """
    known = groups[(groups["attribute"] == attribute) & groups["mean"].notna()]
    if len(known) < 2:
        return []
    sign = direction(str(known["metric"].iloc[0]), lower)
    order = (
        known.assign(_mean=sign * known["mean"]).sort_values(["_mean", "group"], kind="stable").drop(columns="_mean")
    )
    return list(order.iloc[[0, -1]].itertuples())
