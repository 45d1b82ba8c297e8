"""The gap between two groups as it is, and with a third thing held fixed."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from accord.statistics.describing.ratios import ratio
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.bootstrap_limit import Draws
from accord.text.nouns import counted

SHARED = 0.5
"""At least so large a share of each group must have values that the other has too."""

Side = tuple[sparse.csr_array, sparse.csr_array]
"""The sum and the number of one group's scores, by stratum and subject: each (strata, subjects)."""


@dataclass(frozen=True)
class Pair:
    """n rows: scores; of which unit, as columns of `drawn` (draws, units); (n,) bool whether in the worse, the better
    group (a row may be in both); people: whose, where units are clusters of people."""

    values: np.ndarray
    subjects: np.ndarray
    worst: np.ndarray
    best: np.ndarray
    drawn: np.ndarray | Draws | bootstrap.Turned
    people: np.ndarray | None = None

    def only(self, rows: np.ndarray) -> "Pair":
        """The same, of some rows."""
        people = None if self.people is None else self.people[rows]
        return Pair(self.values[rows], self.subjects[rows], self.worst[rows], self.best[rows], self.drawn, people)

    def counts(self) -> tuple[int, int]:
        """People of the worse and of the better group."""
        people = self.subjects if self.people is None else self.people
        return len(distinct(people[self.worst])), len(distinct(people[self.best]))

    def fewest(self) -> int:
        """Units of the group that has fewer."""
        return min(len(distinct(self.subjects[side])) for side in (self.worst, self.best))


def gap(pair: Pair, strata: np.ndarray | None = None, *, of_worst: bool = False) -> tuple[float, np.ndarray]:
    """mean(best) - mean(worst), and the same in each draw of subjects (draws,).

    strata: (n,) int: the mean of the gaps within them, each weighing as many rows as both groups have in it together
    (direct standardisation), or, `of_worst`, as many as the worse one has (coarsened exact matching: Iacus, King and
    Porro, 2012). Strata that only one group is in don't count; nor do they in a draw in which that is so.
    """
    strata = np.zeros(len(pair.values), int) if strata is None else strata
    once = np.ones((pair.drawn.shape[1], 1))
    low, high = (_by_stratum(pair, strata, side) for side in (pair.worst, pair.best))
    replicates = [_gaps(low, high, of_worst, some) for some in bootstrap.columns(pair.drawn)]
    return float(_gaps(low, high, of_worst, once)[0]), np.concatenate(replicates)


def shared(pair: Pair, strata: np.ndarray) -> np.ndarray:
    """(n,) bool: the rows of strata that both groups are in."""
    both = np.intersect1d(strata[pair.worst], strata[pair.best])
    return np.isin(strata, both)


def unknown(pair: Pair, known: np.ndarray) -> str:
    """Why groups can't be compared by a thing that is `known` (n,) bool for these rows; "" where they can."""
    share = _least(pair, known)
    return f"it is unknown for most of a group: known for {share:.0%} of its rows" if share < SHARED else ""


def why_not(pair: Pair, rows: np.ndarray, least: int, share: float = 0.0) -> str:
    """Why the groups can't be compared within `rows`; "" where they can. share: of each group must be among them."""
    kept = _least(pair, rows)
    if kept < share:
        return f"the groups hardly share its values: in one, {kept:.0%} of rows are left"
    few = min(pair.only(rows).counts())
    left = f"{counted(few, 'subject')} of a group {'is' if few == 1 else 'are'} left"
    return f"{left}, fewer than {least}" if few < least else ""


def _least(pair: Pair, rows: np.ndarray) -> float:
    """The share of a group that is among some rows (n,) bool: of that with the smaller one."""
    return min(rows[side].mean() if side.any() else 0.0 for side in (pair.worst, pair.best))


def interval(replicates: np.ndarray, subjects: int) -> tuple[float, float, float]:
    """Standard error and 95% interval of a figure from its replicates."""
    known = replicates[~np.isnan(replicates)]
    error = float(known.std(ddof=1)) if len(known) > 1 else float("nan")
    return error, *bootstrap.interval(replicates, subjects)


def _gaps(low: Side, high: Side, of_worst: bool, times: np.ndarray) -> np.ndarray:
    """times: (subjects, draws)."""
    return standardised((low[0] @ times, low[1] @ times), (high[0] @ times, high[1] @ times), of_worst)


def standardised(
    low: tuple[np.ndarray, np.ndarray], high: tuple[np.ndarray, np.ndarray], of_worst: bool = False
) -> np.ndarray:
    """(draws,): the `gap` of two groups, by the sums and numbers of their scores, each (strata, draws)."""
    (low_sums, low_counts), (high_sums, high_counts) = low, high
    both = (low_counts > 0) & (high_counts > 0)
    weights = np.where(both, low_counts if of_worst else low_counts + high_counts, 0)
    apart = _divide(high_sums, high_counts, both) - _divide(low_sums, low_counts, both)
    total = weights.sum(axis=0)
    return ratio((weights * apart).sum(axis=0), total)


def _by_stratum(pair: Pair, strata: np.ndarray, side: np.ndarray) -> Side:
    shape = (int(strata.max(initial=0)) + 1, pair.drawn.shape[1])
    spots = (strata[side], pair.subjects[side])
    values = (pair.values[side], np.ones(side.sum()))
    first, second = (sparse.csr_array((some, spots), shape=shape) for some in values)
    return first, second


def _divide(sums: np.ndarray, counts: np.ndarray, where: np.ndarray) -> np.ndarray:
    return np.divide(sums, counts, out=np.zeros_like(sums), where=where)
