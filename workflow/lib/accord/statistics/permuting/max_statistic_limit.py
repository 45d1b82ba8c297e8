"""Does any of many sets of items go with errors, of very many subjects? What deals would say, without most of them.

Sums over a thousand subjects are as good as normal, and the largest of many depends on how they go together, no
longer on the subjects. Where that is asked, a part of the subjects tells it; the sums themselves are of all of them.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from accord.statistics.conjunctions import Conjunctions, tallies
from accord.statistics.distinct import distinct
from accord.statistics.permuting.dealing import DUST, ENOUGH
from accord.statistics.permuting.deviations import Scale, skewness, straight
from accord.statistics.permuting.max_statistic import Association, Dealing, blocks, by_deals, moments
from accord.statistics.permuting.normal_sums import correlations, reached_by_any
from accord.statistics.resampling.bootstrap_limit import root

LARGE: int = 1_000
"""From so many subjects on the limit serves."""

WITHIN: int = 150
"""From so many on it serves within a part of the release: p-values that are asked for there take deals by the
million."""

DEALT = 5_000
"""So many at most tell how sums go together."""

RARE = 1e-4
"""A chance below which it isn't drawn how often the largest of normal numbers is reached, but told by a bound."""

RARE_OF_MANY, BOUNDED = 1e-3, 2_048
"""The same of 1,000 subjects and more, and of how many columns at most."""

JOINT = 1_024
"""Of so many columns sums are drawn from their normal limit; of more, subjects are dealt."""

FIRST, AT_ONCE = 1 << 10, 1 << 22
"""So many sums of the limit are drawn at first, and numbers at once; each time as many as all before."""


def many(subjects: np.ndarray, *, part: bool = False) -> bool:
    """Whether there are so many subjects (n,) that the limit serves: of the release, or of a part of it."""
    least = WITHIN if part else LARGE
    return len(subjects) >= least and len(distinct(subjects)) >= least


def associate_many(
    columns: Conjunctions,
    errors: np.ndarray,
    subjects: np.ndarray,
    most: int,
    rng: np.random.Generator,
    *,
    alike: np.ndarray | None = None,
    asked: np.ndarray | None = None,
    below: float = 1.0,
) -> Association:
    """`associate`, straightened, of errors (n,) of 0 and 1 of 1,000 subjects and more; of 150 within a part.

    z is that of all subjects, of columns that are asked for. A p that even Bonferroni's correction leaves `below` is
    that one, but no smaller than `most` deals tell; one that is not below without any correction is 1. The largest z
    of chance decides the others, and that of the largest z if no p is below. It comes from 5,000 subjects, drawn by
    lot where there are more: deals of theirs, or, of at most 1,024 columns, normal numbers that go together as sums
    over their deals do; where p are rarer than that a bound of these (`_way`, `reached_by_any`).
    """
    of = blocks(subjects, alike)
    wanted = np.ones(len(columns.items), bool) if asked is None else asked
    z = np.full(len(wanted), -np.inf)
    z[wanted], between = _straightened(columns.only(wanted), errors, of)
    half = z.copy()
    half[wanted] = between
    single = ndtr(-half)
    together = np.maximum(len(z) * single, 1 / (most + 1))
    sure = together < below
    unsure = ~sure & (single < below)
    p = np.where(sure, together, 1.0)
    if unsure.any() or not sure.any():
        decided, part = unsure if unsure.any() else wanted, _part(columns, errors, of, rng)
        p = np.where(sure, p, _way(len(z), sum(map(len, of)), below)(half, part, most, rng, decided, below))
    return Association(z, p)


def _way(columns: int, subjects: int, below: float) -> Callable[..., np.ndarray]:
    """How the largest of so many columns is told where a p of `below` decides."""
    if below < RARE_OF_MANY and subjects >= LARGE and columns <= BOUNDED:
        return _by_bound
    if columns > JOINT:
        return by_deals
    return _by_bound if below < RARE else _by_limit


def excess(columns: Conjunctions, errors: np.ndarray, of: list[np.ndarray]) -> np.ndarray:
    """(m,): how far the errors of each column are above what chance gives, in standard deviations; -inf where chance
    leaves none."""
    return _weighed(columns, errors, of)[0]


def _weighed(columns: Conjunctions, errors: np.ndarray, of: list[np.ndarray]) -> tuple[np.ndarray, ...]:
    """z, spread and sum of each column."""
    mean, variance, sums, seen = (np.zeros(len(columns.items)) for _ in range(4))
    for rows, found in zip(of, tallies(columns, of, errors), strict=True):
        (n, k), r = rows.shape, errors[rows].astype(float)
        each = r.mean(axis=1)
        sums, seen, mean = sums + found.sums, seen + found.responding, mean + found.sums * r.mean()
        if n > 1:
            between = (n * found.squares - found.sums**2) / n
            variance += between * ((each - each.mean()) ** 2).sum() / (n - 1)
        if k > 1:
            within = found.sums - found.squares / k
            variance += within * ((r - each[:, np.newaxis]) ** 2).sum() / n / (k - 1)
    spread = np.sqrt(np.clip(variance, 0, None))
    z = np.divide(seen - mean, spread, out=np.full(len(mean), -np.inf), where=spread > DUST)
    return z, spread, sums


def _straightened(columns: Conjunctions, errors: np.ndarray, of: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """z of each column, and that of half an error less: between it and the next one that there can be."""
    z, spread, sums = _weighed(columns, errors, of)
    rows = np.concatenate([some.ravel() for some in of])
    n, share = len(rows), sums / len(rows)
    r = errors[rows] - errors[rows].mean(dtype=float)
    squares, cubes = n * share * (1 - share), n * share * (1 - share) * (1 - 2 * share)
    variance = squares * (r**2).sum() / max(1, n - 1)
    third = cubes * (r**3).sum() * n / max(1, n - 1) / max(1, n - 2)
    skew = np.divide(third * spread, variance**2, out=np.zeros(len(z)), where=variance > DUST)
    less = np.divide(0.5, spread, out=np.zeros(len(z)), where=spread > DUST)
    return straight(z, skew), straight(z - less, skew)


def _part(columns: Conjunctions, errors: np.ndarray, of: list[np.ndarray], rng: np.random.Generator) -> Dealing:
    """What is dealt: subjects of each block by its share of all."""
    share, kept = min(1.0, DEALT / sum(map(len, of))), []
    for rows in of:
        count = min(len(rows), int(np.ceil(len(rows) * share)))
        kept.append(rows[np.sort(rng.choice(len(rows), count, replace=False))])
    ends = np.cumsum([some.size for some in kept])
    rows = np.concatenate([some.ravel() for some in kept])
    part = [np.arange(end - some.size, end).reshape(some.shape) for some, end in zip(kept, ends, strict=True)]
    some, response = columns.of(rows), errors[rows].astype(np.float32)
    mean, spread = moments(some, response, part)
    return Dealing(some, response, part, Scale(mean, spread, skewness(some, response, spread)), even=True)


def _by_bound(
    z: np.ndarray, of: Dealing, most: int, rng: np.random.Generator, asked: np.ndarray, below: float
) -> np.ndarray:
    """(c,): as `_by_limit`, by `reached_by_any`; no smaller than `most` deals tell."""
    return np.maximum(reached_by_any(z, correlations(of)), 1 / (most + 1))


def _by_limit(
    z: np.ndarray, of: Dealing, most: int, rng: np.random.Generator, asked: np.ndarray, below: float
) -> np.ndarray:
    """(c,): as `by_deals`, the largest of normal numbers with the correlations of sums over deals."""
    turned = root(alike := correlations(of))
    top, size, largest = z[asked].max(initial=-np.inf), max(1, AT_ONCE // max(1, len(alike))), []
    drawn, reached = 0, 0
    while drawn < most and reached < ENOUGH:
        count = min(most - drawn, size, max(FIRST, drawn))
        largest.append((rng.normal(size=(count, len(turned))) @ turned).max(axis=1, initial=-np.inf))
        drawn, reached = drawn + count, reached + int((largest[-1] >= top).sum())
    ordered = np.sort(np.concatenate(largest))
    return np.minimum(1, (len(ordered) - np.searchsorted(ordered, z) + 1) / (len(ordered) + 1))
