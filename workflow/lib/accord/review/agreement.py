"""Agreement of people who looked at the same things: percent agreement, and Krippendorff's alpha for nominal data.

Krippendorff, K.: Content Analysis, chapter "Reliability": alpha = 1 - observed / expected disagreement, over all pairs
of values of the same unit against all pairs of values whatever their unit.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

NO_PAIRS = "no item has two votes"
ONE_VALUE = "all votes are the same: what chance would give can't be told"


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
    pairs = sum(times * votes.total() * (votes.total() - 1) for votes, times in paired)
    alpha = _alpha(paired)
    count = sum(times for _, times in paired)
    return Agreement(100 * same / pairs, alpha, count, ONE_VALUE if alpha is None else "")


def _alpha(paired: list[tuple[Counter, int]]) -> float | None:
    """Each unit's pairs weigh 1 / (its votes - 1), so that each vote counts once."""
    totals = Counter()
    for votes, times in paired:
        totals.update({value: n * times for value, n in votes.items()})
    votes_in_all = totals.total()
    expected = votes_in_all**2 - sum(n**2 for n in totals.values())
    if not expected:
        return None
    observed = sum(
        times * (votes.total() ** 2 - sum(n**2 for n in votes.values())) / (votes.total() - 1)
        for votes, times in paired
    )
    return 1 - (votes_in_all - 1) * observed / expected
