"""Trials of verification: the scores of pairs of faces, and whose they are; shares of them in resamples of subjects."""

from dataclasses import dataclass, replace

import numpy as np

from accord.analyse.faces import pairs
from accord.analyse.faces.pairs import Allowed
from accord.analyse.faces.rates import position, thresholds_at
from accord.statistics.resampling.pairs_of_two import PairsOfTwo, errors_of

MOST_NEGATIVES = 200_000
BLOCK = 1 << 18
NORMAL = 1.5
"""The power of a normal number that is as skewed as a number of independent events."""


@dataclass(frozen=True)
class Trials:
    """p genuine and q impostor pairs of faces of the units 0 ... m - 1: subjects, or clusters of them.

    genuine: (p,) float64 scores, owner: (p,) int; impostor: (q,) float64 scores, left, right: (q,) int, the two
    units. A pair that can't be compared scores -inf. genuine_pairs (p, 2), impostor_pairs (q, 2): rows of faces.
    """

    genuine: np.ndarray
    owner: np.ndarray
    impostor: np.ndarray
    left: np.ndarray
    right: np.ndarray
    genuine_pairs: np.ndarray
    impostor_pairs: np.ndarray

    @classmethod
    def of(cls, vectors: np.ndarray, subjects: np.ndarray, same: np.ndarray, others: np.ndarray) -> "Trials":
        """Compare pairs of rows of `vectors` (faces, d): `same` (p, 2) of one subject, `others` (q, 2) of two."""
        genuine, impostor = (np.nan_to_num(pairs.similarity(vectors, some), nan=-np.inf) for some in (same, others))
        left, right = subjects[others].T
        return cls(genuine, subjects[same[:, 0]], impostor, left, right, same, others)

    def of_units(self, units: np.ndarray) -> "Trials":
        """The same pairs of the unit of each subject, (m,) int."""
        return replace(self, owner=units[self.owner], left=units[self.left], right=units[self.right])


def within(
    vectors: np.ndarray,
    subjects: np.ndarray,
    rows: np.ndarray,
    rng: np.random.Generator,
    allowed: Allowed | None = None,
) -> Trials:
    """All genuine pairs of the faces `rows`, and up to 200,000 impostor pairs of two of them."""
    some = subjects[rows]
    others = pairs.impostors(some, MOST_NEGATIVES, rng, allowed)
    return Trials.of(vectors, subjects, rows[pairs.genuine(some)], rows[others])


def across(
    vectors: np.ndarray, subjects: np.ndarray, rows: np.ndarray, outside: np.ndarray, rng: np.random.Generator
) -> Trials:
    """All genuine pairs of the faces `rows`, and up to 200,000 impostor pairs of one of them and one of `outside`."""
    others = pairs.impostors_between(rows, outside, subjects, MOST_NEGATIVES, rng)
    return Trials.of(vectors, subjects, rows[pairs.genuine(subjects[rows])], others)


def thresholds(trials: Trials, fars: tuple[float, ...], weights: np.ndarray) -> np.ndarray:
    """`rates.threshold_at` each FAR as other subjects would have it: (draws, fars), NaN without impostor pairs.

    weights: (draws, m) of `half_unseen`. Where the share of impostors that the true threshold accepts is off by what
    `pairs_of_two` says, it is found at another share of those that were seen (Woodruff, 1952). That share can't be
    below 0, and is skewed: like the number of accepted impostors, whose power 2/3 is nearly normal (Anscombe, 1953).
    """
    count = len(trials.impostor)
    if not count:
        return np.full((len(weights), len(fars)), np.nan)
    rising, of = np.sort(-trials.impostor), _of_two(trials, weights.shape[1])
    made = np.empty((len(weights), len(fars)))
    offs = errors_of(weights, [of.sway(_accepted(trials.impostor, rising, far)) for far in fars])
    for at, (far, off) in enumerate(zip(fars, offs, strict=True)):
        share = far * np.maximum(1 - off / (far * NORMAL), 0) ** NORMAL
        places = position(count, far) + (share - far) * count
        made[:, at] = thresholds_at(rising, np.arange(1, count + 1), places)
    return made


def true_accepts(trials: Trials, limits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The share of genuine pairs at or above `limits` (draws, fars) in each resample: (draws, fars), or NaN.

    weights: (draws, m) what each subject weighs.
    """
    order = np.argsort(-trials.genuine, kind="stable")
    falling, owner, made = -trials.genuine[order], trials.owner[order], np.full(limits.shape, np.nan)
    for some in _parts(len(weights), len(owner)):
        reached = np.cumsum(weights[some].take(owner, axis=1), axis=1, dtype=float)
        count = np.searchsorted(falling, -limits[some], side="right")
        hits = np.take_along_axis(np.pad(reached, ((0, 0), (1, 0))), count, axis=1)
        whole = reached[:, -1:] if len(owner) else np.zeros((len(hits), 1))
        np.divide(hits, whole, out=made[some], where=(whole > 0) & ~np.isnan(limits[some]))
    return made


def impostor_intervals(
    trials: Trials, limits: list[float], weights: np.ndarray, moved: list[np.ndarray] | None = None
) -> list[tuple[float, float]]:
    """95% intervals of the share of impostor pairs at or above thresholds, by the two subjects (`pairs_of_two`).

    moved: (draws,) each threshold in each resample, if they are estimates, too.
    """
    rising, count = np.sort(trials.impostor), len(trials.impostor)
    shares = [0.0] * len(limits) if moved is None else [1 - np.searchsorted(rising, of) / count for of in moved]
    hits = [trials.impostor >= limit for limit in limits]
    return _of_two(trials, weights.shape[1]).intervals(hits, weights, shares)


def _of_two(trials: Trials, subjects: int) -> PairsOfTwo:
    return PairsOfTwo(trials.left, trials.right, subjects)


def _accepted(impostor: np.ndarray, rising: np.ndarray, far: float) -> np.ndarray:
    """(q,) 1 for the highest scores, in all far x q; of equal ones at the end each has the same part."""
    most = min(far * len(rising), len(rising) - 0.5)
    last = -rising[int(most)]
    above, equal = impostor > last, impostor == last
    return above + equal * ((most - above.sum()) / equal.sum())


def _parts(draws: int, length: int) -> list[slice]:
    each = max(1, BLOCK // max(1, length))
    return [slice(start, start + each) for start in range(0, draws, each)]
