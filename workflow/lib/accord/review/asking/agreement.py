"""Agreement of people who looked at the same things: percent agreement, and Krippendorff's alpha for nominal data."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import isnan
from typing import NamedTuple

import numpy as np

from accord.statistics.describing.krippendorff import alpha, pairs

NO_PAIRS = "no item has two votes"
ONE_VALUE = "all votes are identical, so chance agreement is unknown"


class Agreement(NamedTuple):
    """percent: share of pairs of votes on one item that are the same, 0 to 100; alpha: 1 perfect, 0 as by chance; each
    None where it is undefined, `reason` says why. `items`: those with at least two votes."""

    percent: float | None
    alpha: float | None
    items: int
    reason: str


def of(units: Iterable[tuple[Mapping[str, int], int]]) -> Agreement:
    """The agreement of units: how many votes of one have each value, and how many units are like that."""
    paired = [(Counter(votes), times) for votes, times in units if sum(votes.values()) > 1]
    if not paired:
        return Agreement(None, None, 0, NO_PAIRS)
    same = sum(times * n * (n - 1) for votes, times in paired for n in votes.values())
    all_pairs = sum(times * votes.total() * (votes.total() - 1) for votes, times in paired)
    reliability = _alpha(paired)
    count = sum(times for _, times in paired)
    return Agreement(100 * same / all_pairs, reliability, count, ONE_VALUE if reliability is None else "")


def _alpha(paired: list[tuple[Counter, int]]) -> float | None:
    values = sorted({value for votes, _ in paired for value in votes})
    none = np.zeros((len(values), len(values)))
    met = sum((times * pairs(np.array([votes[value] for value in values])) for votes, times in paired), none)
    found = float(alpha(met))
    return None if isnan(found) else found
