"""How often a queue asked people in vain: the share of dismissed items among the decided, with Wilson's interval."""

from typing import NamedTuple

import pandas as pd

from accord.queues import DISMISS
from accord.statistics.describing.proportions import wilson


class Rate(NamedTuple):
    """dismissed of decided items; rate and its 95% interval, None where nothing was decided."""

    dismissed: int
    decided: int
    rate: float | None
    low: float | None
    high: float | None


def rate(decisions: pd.DataFrame, queue: str) -> Rate:
    """The rate of false positives of a queue, from table Decisions; an item of several regions is dismissed if all
    are."""
    dismissals = (decisions["decision"] == DISMISS)[decisions["queue"] == queue]
    by_item = dismissals.groupby(decisions["item"]).all()
    dismissed, decided = int(by_item.sum()), len(by_item)
    if not decided:
        return Rate(0, 0, None, None, None)
    return Rate(dismissed, decided, dismissed / decided, *wilson(dismissed / decided, decided))
