"""Trials of verification: the scores of pairs of faces, and whose they are; shares of them in resamples of subjects."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from accord.analyse.faces import pairs
from accord.analyse.faces.pairs import Allowed
from accord.analyse.faces.rates import position, thresholds_at
from accord.statistics.describing.ratios import ratio

MOST_NEGATIVES = 200_000
BLOCK = 1 << 18
SPARE = 50


@dataclass(frozen=True)
class Trials:
    """p genuine and q impostor pairs of faces of the subjects 0 ... m - 1.

    genuine: (p,) float64 scores, owner: (p,) int; impostor: (q,) float64 scores, left, right: (q,) int, the two
    subjects. A pair that can't be compared scores -inf. genuine_pairs (p, 2), impostor_pairs (q, 2): rows of faces.
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


def thresholds(trials: Trials, fars: tuple[float, ...], drawn: np.ndarray) -> np.ndarray:
    """`rates.threshold_at` each FAR in each resample of subjects: (draws, fars), NaN where no impostor pair is drawn.

    drawn: (draws, m) int or uint8, how often each subject is drawn; a pair is there as often as the product of its
    subjects'.
    Only the highest scores are looked at, as many as the largest FAR takes.
    """
    if not len(trials.impostor):
        return np.full((len(drawn), len(fars)), np.nan)
    order = np.argsort(-trials.impostor, kind="stable")
    rising, left, right = -trials.impostor[order], trials.left[order], trials.right[order]
    places = _positions(fars, _weight(trials.left, trials.right, drawn))
    head = min(len(rising), int(1.5 * max(fars) * len(rising)) + SPARE)
    made = np.full(places.shape, np.nan)
    for some in _parts(len(drawn), head):
        depth = head
        while True:
            depth = int(np.searchsorted(rising, rising[depth - 1], side="right"))
            weighed = _both(drawn[some], left[:depth], right[:depth])
            reached = np.cumsum(weighed, axis=1, dtype=np.int32)
            if depth == len(rising) or not (reached[:, -1] <= places[some].max(axis=1)).any():
                break
            depth = min(len(rising), 2 * depth)
        for row in range(len(reached)):
            if reached[row, -1] > 0:
                made[some.start + row] = thresholds_at(rising[:depth], reached[row], places[some.start + row])
    return made


def true_accepts(trials: Trials, limits: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The share of genuine pairs at or above `limits` (draws, fars) in each resample: (draws, fars), or NaN.

    drawn: (draws, m) how often each subject is drawn, or what it weighs.
    """
    kind = np.int32 if np.issubdtype(drawn.dtype, np.integer) else float
    order = np.argsort(-trials.genuine, kind="stable")
    falling, owner, made = -trials.genuine[order], trials.owner[order], np.full(limits.shape, np.nan)
    for some in _parts(len(drawn), len(owner)):
        reached = np.cumsum(drawn[some].take(owner, axis=1), axis=1, dtype=kind)
        count = np.searchsorted(falling, -limits[some], side="right")
        hits = np.take_along_axis(np.pad(reached, ((0, 0), (1, 0))), count, axis=1)
        whole = reached[:, -1:] if len(owner) else np.zeros((len(hits), 1))
        np.divide(hits, whole, out=made[some], where=(whole > 0) & ~np.isnan(limits[some]))
    return made


def false_accepts(trials: Trials, limits: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The share of impostor pairs at or above `limits` (draws, fars) in each resample: (draws, fars), or NaN."""
    order = np.argsort(-trials.impostor, kind="stable")
    falling, left, right = -trials.impostor[order], trials.left[order], trials.right[order]
    made, whole = np.full(limits.shape, np.nan), _weight(left, right, drawn)
    depth = int(np.searchsorted(falling, -np.nanmin(limits), side="right")) if not np.isnan(limits).all() else 0
    for some in _parts(len(drawn), depth):
        weighed = _both(drawn[some], left[:depth], right[:depth])
        reached = np.pad(np.cumsum(weighed, axis=1, dtype=np.int32), ((0, 0), (1, 0)))
        count = np.searchsorted(falling[:depth], -limits[some], side="right")
        hits, every = np.take_along_axis(reached, count, axis=1), whole[some, np.newaxis]
        np.divide(hits, every, out=made[some], where=(every > 0) & ~np.isnan(limits[some]))
    return made


def genuine_share(hits: np.ndarray, owner: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The share of `hits` (p,) bool among pairs of the subjects `owner` in each resample: (draws,), NaN without any."""
    counts = np.stack([np.bincount(owner[some], minlength=drawn.shape[1]) for some in (hits, slice(None))], axis=1)
    parts = [drawn[some].astype(np.int64) @ counts for some in _parts(*drawn.shape)]
    return ratio(*np.concatenate([np.zeros((0, 2), np.int64), *parts]).T)


def impostor_share(hits: np.ndarray, left: np.ndarray, right: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The share of `hits` (q,) bool among pairs of two subjects in each resample: (draws,), NaN without any."""
    return ratio(*(_weight(left[some], right[some], drawn) for some in (hits, slice(None))))


def _weight(left: np.ndarray, right: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """(draws,): how many of the pairs there are in each resample."""
    m = drawn.shape[1]
    of = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(m, m)).tocsr()
    times = (drawn[some].T.astype(float) for some in _parts(len(drawn), m))
    return np.concatenate([np.zeros(0), *(((of @ some) * some).sum(axis=0) for some in times)])


def _both(drawn: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(draws, pairs) int32: how often there is each pair of two subjects."""
    return np.multiply(drawn.take(left, axis=1), drawn.take(right, axis=1), dtype=np.int32)


def _positions(fars: tuple[float, ...], weight: np.ndarray) -> np.ndarray:
    """(draws, fars): `rates.position` of each FAR; NaN where there are no impostor pairs."""
    whole = weight.astype(np.int64)
    return np.where(whole[:, np.newaxis] > 0, np.stack([position(whole, far) for far in fars], axis=1), np.nan)


def _parts(draws: int, length: int) -> list[slice]:
    each = max(1, BLOCK // max(1, length))
    return [slice(start, start + each) for start in range(0, draws, each)]
