"""How often a queue asked people in vain: the share of dismissed items among the decided, with Wilson's interval."""

from typing import NamedTuple

import pandas as pd

from accord.analyse.rates import wilson
from accord.review.tables import DISMISS, WEB


class Rate(NamedTuple):
    """dismissed of decided items; rate and its 95% interval, None where nothing was decided; items still undecided."""

    dismissed: int
    decided: int
    waiting: int
    rate: float | None
    low: float | None
    high: float | None


def false_positives(items: pd.DataFrame, decisions: pd.DataFrame, queue: str = WEB) -> Rate:
    """The rate of a queue, from tables Items and Decisions; an item with several regions is dismissed if all are."""
    asked = set(items.loc[items["queue"] == queue, "item"])
    mine = decisions[decisions["item"].isin(asked)]
    dismissed = int((mine["decision"] == DISMISS).groupby(mine["item"]).all().sum()) if len(mine) else 0
    decided = int(mine["item"].nunique())
    if not decided:
        return Rate(0, 0, len(asked), None, None, None)
    return Rate(dismissed, decided, len(asked) - decided, dismissed / decided, *wilson(dismissed, decided))
